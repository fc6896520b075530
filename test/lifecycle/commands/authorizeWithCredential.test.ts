import { expect, test } from "bun:test"
import { Option } from "effect"
import { decideAuthorization } from "../../../src/lifecycle/commands/authorizeWithCredential.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { connectionRecordIn, consentTo, failureOf, planOf } from "../state/connectionRecords.ts"

const consent = Option.some(consentTo(planOf()))
const fingerprint = "key:hash"
const authorization = { consent, fingerprint } as const

const tagsFor = (...from: Parameters<typeof connectionRecordIn>) =>
  decideAuthorization(connectionRecordIn(...from), authorization).map(({ _tag }) => _tag)

test("an authorization carries its consent, and the fingerprint that recognizes its repetition", () =>
  expect(decideAuthorization(connectionRecordIn("awaiting_authorization"), authorization)).toEqual([
    LifecycleEvent.Authorized({ consent, fingerprint })
  ]))

test("an authorization replaces manual setup, and a retry after a failure to read or to write the zone", () => {
  const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
  expect(tagsFor("awaiting_manual")).toEqual(["ManualAbandoned", "Authorized"])
  expect(tagsFor("failed", denied)).toEqual(["Retried", "Authorized"])
  expect(tagsFor("failed")).toEqual(["Retried", "Authorized"])
  expect(tagsFor("failed", { progress: { hasWritten: true } })).toEqual(["Retried", "Authorized"])
  const unserved = { connection: { failure: failureOf("verification_timeout", "verifying") } }
  expect(tagsFor("failed", unserved)).toEqual(["Authorized"])
})
