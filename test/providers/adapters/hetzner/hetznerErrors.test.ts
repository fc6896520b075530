import { expect } from "bun:test"
import { Duration, Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { creation, firstWriteOf } from "../../writing/scriptedChanges.ts"
import { hetznerError } from "./FakeHetzner.ts"
import { clientFor, fakeWith, setsOf, shown, tokenOf, write, zoneName, zoneRequest } from "./hetznerUnderTest.ts"

const www = creation("www 300 A 192.0.2.1")

describeIfPossible("the errors of Hetzner", missingVendorData, () => {
  const meanings: ReadonlyArray<readonly [code: string, status: number, failure: string | RegExp]> = [
    ["unauthorized", 401, "credential_invalid"],
    ["forbidden", 403, "authorization_insufficient_scope"],
    ["token_readonly", 403, "authorization_insufficient_scope"],
    ["not_found", 404, /^ZoneChanged/],
    ["uniqueness_error", 409, /^ZoneChanged/],
    ["rate_limit_exceeded", 429, "provider_rate_limited"],
    ["invalid_input", 422, "apply_rejected"],
    ["resource_limit_exceeded", 403, "apply_rejected"],
    ["resource_locked", 423, "provider_zone_locked"],
    ["protected", 403, "provider_zone_locked"],
    ["incorrect_zone_mode", 422, "provider_zone_locked"],
    ["maintenance", 503, /^OutcomeUnknown/],
    ["server_error", 500, /^OutcomeUnknown/]
  ]
  for (const [code, status, failure] of meanings)
    live(`in a write: ${code}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith([])
        const answer = hetznerError(status, code, "no")
        fake.injectFault({ method: "POST" }, { change: "not_made", answer })
        expect(yield* write(fake, www)).toMatch(failure)
        expect(shown(fake)).toEqual([])
      })
    )

  live("a read-only token reads, and cannot write", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      const request = { ...zoneRequest, credential: tokenOf("readonly".padEnd(64, "0")) }
      const opened = yield* clientFor(fake).openZone(request)
      const failure = yield* Effect.flip(firstWriteOf(yield* opened.read, [www]).send)
      expect(failure).toMatchObject({ code: "authorization_insufficient_scope" })
    })
  )

  live("a secondary zone is locked", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      fake.update((state) => ({
        ...state,
        zones: { [zoneName]: { id: 1, ttl: 3600, mode: "secondary", sets: setsOf(state) } }
      }))
      const failure = yield* Effect.flip(clientFor(fake).openZone(zoneRequest))
      expect(failure.code).toBe("provider_zone_locked")
    })
  )

  live("the rate limit is over as soon as one call is back, not when the whole hour's are", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith([])
      const answer = {
        ...hetznerError(429, "rate_limit_exceeded", "limit of 3600 requests per hour reached"),
        headers: { "ratelimit-remaining": "0", "ratelimit-reset": "1767229200" }
      }
      fake.injectFault({}, { change: "not_made", answer })
      const failure = yield* Effect.flip(clientFor(fake).openZone(zoneRequest))
      expect(failure.code).toBe("provider_rate_limited")
      expect(failure.retryAfter).toEqual(Duration.seconds(10))
    })
  )
})
