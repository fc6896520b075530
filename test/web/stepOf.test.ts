import { expect, test } from "bun:test"
import { stepOf } from "../../src/web/stepOf.ts"
import { connection } from "./componentGallery.ts"

const noChoices = { hasAgreed: false, wantsOtherMethod: false }

const challenge = {
  type: "TXT" as const,
  host: "_domain-connection",
  name: "_domain-connection.example.com",
  value: "token"
}

test("a connection that waits for the challenge alone shows it, and the other methods to whoever wants one", () => {
  const waiting = { ...connection("verifying"), control: { status: "unproven" as const, challenge } }
  expect(stepOf(waiting, noChoices)).toBe("manual")
  expect(stepOf(waiting, { ...noChoices, wantsOtherMethod: true })).toBe("access")
  expect(stepOf(connection("verifying"), { ...noChoices, wantsOtherMethod: true })).toBe("progress")
})
