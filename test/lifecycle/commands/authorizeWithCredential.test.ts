import { expect, test } from "bun:test"
import { Option } from "effect"
import { decideAuthorization } from "../../../src/lifecycle/commands/authorizeWithCredential.ts"
import { authorized, connectionRecordIn, consentTo, failureOf, planOf } from "../state/connectionRecords.ts"

const consent = Option.some(consentTo(planOf()))

const tagsFor = (...from: Parameters<typeof connectionRecordIn>) =>
  decideAuthorization(connectionRecordIn(...from), consent).map(({ _tag }) => _tag)

test("an authorization carries the consent that came with it", () =>
  expect(decideAuthorization(connectionRecordIn("awaiting_authorization"), consent)).toEqual([authorized(consent)]))

test("an authorization replaces manual setup, and a retry after a failed authorization", () => {
  const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
  expect(tagsFor("awaiting_manual")).toEqual(["ManualAbandoned", "Authorized"])
  expect(tagsFor("failed", denied)).toEqual(["Retried", "Authorized"])
  expect(tagsFor("failed")).toEqual(["Authorized"])
})
