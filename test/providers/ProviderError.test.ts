import { expect, test } from "bun:test"
import { Duration } from "effect"
import { ProviderError, toOpenFailure, toReadFailure, toWriteFailure } from "../../src/providers/ProviderError.ts"

const unavailable = "provider_unavailable"

test.each([
  ["conflict", [unavailable, "provider_snapshot_failed", "ZoneChanged"]],
  ["record_absent", [unavailable, "provider_snapshot_failed", "ZoneChanged"]],
  ["absent", ["authorization_zone_mismatch", "authorization_zone_mismatch", "authorization_zone_mismatch"]],
  ["not_entitled", ["account_not_entitled", "account_not_entitled", "account_not_entitled"]],
  ["busy", [unavailable, unavailable, unavailable]],
  ["failing", [unavailable, unavailable, `unknown: ${unavailable}`]]
] as const)("%s while opening, reading and writing", (kind, codes) => {
  const error = new ProviderError({ kind, detail: "404 no such record" })
  const failure = toWriteFailure(error)
  const written =
    failure._tag === "ZoneChanged"
      ? failure._tag
      : failure._tag === "OutcomeUnknown"
        ? `unknown: ${failure.code}`
        : failure.code
  expect([toOpenFailure(error).code, toReadFailure(error).code, written]).toEqual([...codes])
  expect(failure.detail).toBe("404 no such record")
})

test("a busy provider can be asked again after the time that it names", () => {
  const failure = toWriteFailure(
    new ProviderError({ kind: "busy", detail: "409 conflict", retryAfter: Duration.seconds(2) })
  )
  expect(failure).toMatchObject({ _tag: "ProviderFailure", retryAfter: Duration.seconds(2) })
})
