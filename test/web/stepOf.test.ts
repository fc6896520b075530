import { expect, test } from "bun:test"
import { stepOf } from "../../src/web/stepOf.ts"
import { readDocument } from "./recordedDocuments.ts"

const noChoices = { hasAgreed: false, wantsOtherMethod: false }

test("a connection that waits for the challenge alone shows it, and the other methods to whoever wants one", () => {
  const { connection: waiting } = readDocument("challenge-only")
  expect(stepOf(waiting, noChoices)).toBe("by_hand")
  expect(stepOf(waiting, { ...noChoices, wantsOtherMethod: true })).toBe("ways")
  const { connection: verifying } = readDocument("verifying")
  expect(stepOf(verifying, { ...noChoices, wantsOtherMethod: true })).toBe("progress")
})

test("whatever the way, nothing is entered before the review, also by hand", () => {
  for (const name of ["by-hand", "unknown-provider", "two-providers"]) {
    const { connection: waiting } = readDocument(name)
    expect([name, stepOf(waiting, noChoices)]).toEqual([name, "review"])
    expect([name, stepOf(waiting, { ...noChoices, hasAgreed: true })]).toEqual([name, "by_hand"])
  }
})

test("a refused key leads back to the ways, with what the customer had agreed to", () => {
  const { connection: refused } = readDocument("refused-key")
  expect(stepOf(refused, { ...noChoices, hasAgreed: true })).toBe("ways")
  expect(stepOf(refused, noChoices)).toBe("failure")
})

test("a locked zone leads back to the ways too, and a plan that was written in part to what is done and what is not", () => {
  const agreed = { ...noChoices, hasAgreed: true }
  expect(stepOf(readDocument("locked-zone").connection, agreed)).toBe("ways")
  expect(stepOf(readDocument("partly-written").connection, agreed)).toBe("failure")
})

test("a disconnection by hand shows what to change back, and one with a key its end", () => {
  expect(stepOf(readDocument("disconnecting-by-hand").connection, noChoices)).toBe("by_hand")
  expect(stepOf(readDocument("disconnected").connection, noChoices)).toBe("disconnected")
})
