import { expect, test } from "bun:test"
import { decideOAuthStart } from "../../../src/lifecycle/commands/startOAuth.ts"
import { connectionRecordIn, failureOf } from "../state/connectionRecords.ts"

const tagsFor = (...from: Parameters<typeof connectionRecordIn>) =>
  decideOAuthStart(connectionRecordIn(...from)).map(({ _tag }) => _tag)

test("OAuth can be started again, and can replace another method", () => {
  const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
  expect(tagsFor("awaiting_authorization")).toEqual(["AuthorizationOpened"])
  expect(tagsFor("authorizing")).toEqual(["AuthorizationClosed", "AuthorizationOpened"])
  expect(tagsFor("awaiting_manual")).toEqual(["ManualAbandoned", "AuthorizationOpened"])
  expect(tagsFor("failed", denied)).toEqual(["Retried", "AuthorizationOpened"])
})
