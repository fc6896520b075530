import { expect } from "bun:test"
import { Duration, Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { vendorFaults } from "../../../support/vendors/FakeVendor.ts"
import { silenceTimeouts } from "../AdapterUnderTest.ts"
import { creation, fakeWith, open, recordOf, recordsAt, write, writeBy, zone } from "./cloudflareExamples.ts"
import { clientFor, tokenOf } from "./cloudflareUnderTest.ts"
import { fail, readOnlyToken, tooManyRequests } from "./FakeCloudflare.ts"

const listRecords = "GET /zones/{zone_id}/dns_records"
const writeBatch = "POST /zones/{zone_id}/dns_records/batch"

const www = recordOf({ host: "www", type: "A", value: "192.0.2.1" })

/** What each answer means at three calls: finding the zone, reading it, and writing a batch. */
const answers: ReadonlyArray<readonly [what: string, VendorAnswer, opening: string, reading: string, writing: string]> =
  [
    [
      "6003, a malformed token",
      fail(400, { code: 6003, message: "Invalid request headers" }),
      "credential_invalid",
      "credential_invalid",
      "credential_invalid"
    ],
    [
      "9109, an invalid token",
      fail(403, { code: 9109, message: "Invalid access token" }),
      "credential_invalid",
      "credential_invalid",
      "credential_invalid"
    ],
    // octodns/octodns-cloudflare issue 60: a valid token without the permission to read zones.
    [
      "9109, no permission",
      fail(403, { code: 9109, message: "Unauthorized to access requested resource" }),
      "authorization_insufficient_scope",
      "authorization_insufficient_scope",
      "authorization_insufficient_scope"
    ],
    // cloudflare/terraform-provider-cloudflare issue 1533: in a zone, a permission that the token lacks.
    [
      "10000",
      fail(403, { code: 10_000, message: "Authentication error" }),
      "credential_invalid",
      "authorization_insufficient_scope",
      "authorization_insufficient_scope"
    ],
    ["429", tooManyRequests, "provider_rate_limited", "provider_rate_limited", "provider_rate_limited"],
    [
      "971 with another status",
      { ...tooManyRequests, status: 403 },
      "provider_rate_limited",
      "provider_rate_limited",
      "provider_rate_limited"
    ],
    [
      "7003, no such zone",
      fail(404, { code: 7003, message: "Could not route to /zones" }),
      "authorization_zone_mismatch",
      "authorization_zone_mismatch",
      "authorization_zone_mismatch"
    ],
    // cloudflare/node-cloudflare issue 99.
    [
      "1038, a top-level domain that the API does not serve",
      fail(403, { code: 1038, message: "You cannot use this API for domains with this TLD." }),
      "account_not_entitled",
      "account_not_entitled",
      "account_not_entitled"
    ],
    // js-org/js.org issue 2873.
    [
      "81045, the quota of records",
      fail(400, { code: 81_045, message: "The record quota has been exceeded." }),
      "account_not_entitled",
      "account_not_entitled",
      "account_not_entitled"
    ],
    ["500", { status: 500 }, "provider_unavailable", "provider_unavailable", "OutcomeUnknown"],
    [
      "a page of a proxy",
      { status: 200, text: "<html>" },
      "provider_unavailable",
      "provider_snapshot_failed",
      "OutcomeUnknown"
    ],
    [
      "a failure with the status of a success",
      fail(200, { code: 1004, message: "DNS Validation Error" }),
      "provider_unavailable",
      "provider_snapshot_failed",
      "apply_rejected"
    ]
  ]

/** Codes that only a write has. */
const refusals: ReadonlyArray<readonly [code: number, status: number, failure: string]> = [
  [81_044, 404, "ZoneChanged"],
  [81_053, 400, "ZoneChanged"],
  [81_054, 400, "ZoneChanged"],
  [81_057, 400, "ZoneChanged"],
  [81_058, 400, "ZoneChanged"],
  [1004, 400, "apply_rejected"]
]

const nameOf = (failure: { readonly _tag: string; readonly code?: string }): string | undefined =>
  failure._tag === "ProviderFailure" ? failure.code : failure._tag

describeIfPossible("an answer of Cloudflare", missingVendorData, () => {
  for (const [what, answer, ...expected] of answers)
    live(`is recognized by its code: ${what}`, () =>
      Effect.gen(function* () {
        const failures = yield* Effect.forEach(["GET /zones", listRecords, writeBatch], (operation) =>
          Effect.gen(function* () {
            const fake = yield* fakeWith()
            fake.injectFault({ operation }, { change: "not_made", answer })
            return nameOf(yield* Effect.flip(write(fake, creation(www))))
          })
        )
        expect(failures).toEqual(expected)
      })
    )

  for (const [code, status, failure] of refusals)
    live(`to a batch means ${failure}: ${code}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith()
        const answer = fail(status, { code, message: "no" })
        fake.injectFault({ operation: writeBatch }, { change: "not_made", answer })
        expect(nameOf(yield* Effect.flip(write(fake, creation(www))))).toBe(failure)
      })
    )

  live("says how long to wait", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith()
      fake.injectFault({ operation: listRecords }, { change: "not_made", answer: tooManyRequests })
      const failure = yield* Effect.flip(write(fake, creation(www)))
      expect(failure).toMatchObject({ retryAfter: Duration.seconds(120) })
    })
  )

  live("to a token that may only read is a lack of permission, and nothing is written", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith()
      const opened = yield* open(clientFor(fake), { credential: tokenOf(readOnlyToken) })
      const writes = yield* (yield* opened.read).planWrites([creation(www)])
      const failures = yield* Effect.forEach(writes, ({ send }) => Effect.map(Effect.flip(send), nameOf))
      expect(failures).toEqual(["authorization_insufficient_scope"])
      expect(recordsAt(fake)).toEqual([])
    })
  )

  live("that quotes the token is not repeated in a failure", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith()
      const secret = "s".repeat(40)
      fake.injectFault({}, { change: "not_made", answer: fail(403, { code: 9109, message: `Bad token ${secret}` }) })
      const failure = yield* Effect.flip(open(clientFor(fake), { credential: tokenOf(secret) }))
      expect([failure.code, JSON.stringify(failure).includes(secret)]).toEqual(["credential_invalid", false])
    })
  )
})

describeIfPossible("a batch at Cloudflare", missingVendorData, () => {
  live("that is refused for one of its changes leaves all of them out", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith({ name: `mail.${zone}`, type: "MX", priority: 10, content: "mx.example.net" })
      const before = recordsAt(fake)
      const tooShort = recordOf({ host: "mail", type: "MX", value: "mx2.example.net", priority: 5, ttl: 5 })
      const failure = yield* Effect.flip(write(fake, creation(www), creation(tooShort)))
      // The TTL is also outside of the document; the fake refuses it first.
      expect(fake.takeViolations().length).toBeGreaterThan(0)
      expect([nameOf(failure), recordsAt(fake)]).toEqual(["apply_rejected", before])
    })
  )

  for (const [name, fault] of Object.entries(vendorFaults))
    live(`is made as a whole or not at all: ${name}`, () =>
      Effect.gen(function* () {
        const fake = yield* fakeWith({ name: `www.${zone}`, type: "A", content: "192.0.2.9" })
        fake.injectFault({ operation: writeBatch }, fault)
        const before = recordOf({ host: "www", type: "A", value: "192.0.2.9" })
        const removal = { action: "delete", before, destructive: true } as const
        const alias = recordOf({ host: "www", type: "CNAME", value: "shops.example.net" })
        const failure = yield* Effect.flip(writeBy(clientFor(fake, silenceTimeouts.call), [removal, creation(alias)]))
        expect(nameOf(failure)).toBe("OutcomeUnknown")
        expect(recordsAt(fake).map(({ type }) => type)).toEqual([fault.change === "made" ? "CNAME" : "A"])
      })
    )
})
