import { describe, expect } from "bun:test"
import { Effect, Either, Option } from "effect"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import { apply, requestAt, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { effect, live } from "../../../support/effectTest.ts"
import { vendorFaults } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { makeVirtualTime } from "../../../support/vendors/virtualTime.ts"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { openZone, sendWrites, silenceTimeouts } from "../AdapterUnderTest.ts"
import { applyDesecChanges } from "./desecBulk.ts"
import {
  addSet,
  create,
  credentialOf,
  desecUnderTest,
  linesOf,
  makeFakeWith,
  openDesec,
  writeTo,
  zone
} from "./desecUnderTest.ts"
import { desecDomain, makeFakeDesec, readOnlyToken, validToken } from "./FakeDesec.ts"

const shop = create("shop", "CNAME", "shops.example.net")
const www = create("www", "A", "192.0.2.1")

/** With the NS set of the domain. */
const tenThousandSets = Array.from({ length: 9_999 }, (_, index) => ({
  subname: `host${index}`,
  type: "A",
  ttl: 3600,
  records: ["192.0.2.1"]
}))

const detail = (status: number, text: string): VendorAnswer => ({ status, body: { detail: text } })

const codeOf = (failure: { readonly _tag: string }): string =>
  failure._tag === "ProviderFailure" && "code" in failure ? String(failure.code) : failure._tag

describe("an error of deSEC", () => {
  const errors: ReadonlyArray<readonly [about: string, answer: VendorAnswer, codes: ReadonlyArray<string>]> = [
    [
      "a token that is not valid any more",
      detail(401, "Invalid token."),
      ["credential_invalid", "credential_invalid", "credential_invalid"]
    ],
    [
      "a token whose policies exclude the domain",
      detail(403, "You do not have permission to perform this action."),
      ["authorization_insufficient_scope", "authorization_insufficient_scope", "authorization_insufficient_scope"]
    ],
    [
      "a domain that is not in the account",
      detail(404, "No Domain matches the given query."),
      ["authorization_zone_mismatch", "authorization_zone_mismatch", "authorization_zone_mismatch"]
    ],
    [
      "a refused set",
      { status: 400, body: [{ non_field_errors: ["IP address 192.0.2.1 not allowed."] }] },
      ["provider_unavailable", "provider_snapshot_failed", "apply_rejected"]
    ],
    [
      "a fault of its own",
      detail(500, "Internal Server Error. We're on it!"),
      ["provider_unavailable", "provider_unavailable", "OutcomeUnknown"]
    ],
    [
      "a success that is no list and no domain",
      { status: 200, body: "<html>" },
      ["provider_unavailable", "provider_snapshot_failed", "OutcomeUnknown"]
    ]
  ]
  for (const [about, answer, codes] of errors)
    live(`${about}: ${codes.join(", ")}`, () =>
      Effect.forEach([{ method: "GET", nth: 1 }, { method: "GET", nth: 2 }, { method: "PATCH" }], (pattern, index) =>
        Effect.gen(function* () {
          const fake = yield* makeFakeWith()
          fake.injectFault(pattern, { change: "not_made", answer })
          const outcome = yield* Effect.match(writeTo(fake, shop), { onFailure: codeOf, onSuccess: () => "done" })
          expect(outcome).toBe(codes[index] ?? "")
        })
      )
    )

  live("never repeats the token", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeWith()
      fake.injectFault({ method: "GET" }, { change: "not_made", answer: detail(401, `no token ${validToken}`) })
      const failure = yield* Effect.flip(openDesec(fake))
      expect(failure.detail).toBe('401 {"detail":"no token ***"}')
    })
  )
})

live("a token without the permission to write reads, and its write is authorization_insufficient_scope", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeWith()
    const opened = yield* openZone(desecUnderTest(fake), { credential: credentialOf(readOnlyToken) })
    const failure = yield* Effect.flip(sendWrites(yield* opened.read, [shop], opened))
    expect(codeOf(failure)).toBe("authorization_insufficient_scope")
  })
)

live("a write that crosses somebody else's is a changed zone", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeWith()
    const answer = detail(409, "Conflict: duplicate key value violates unique constraint")
    fake.injectFault({ method: "PATCH" }, { change: "not_made", answer })
    expect((yield* Effect.flip(writeTo(fake, shop)))._tag).toBe("ZoneChanged")
  })
)

live("an alias that appears after the comparison is a changed zone, and nothing is written", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeWith()
    fake.beforeCall({ method: "PATCH" }, () =>
      addSet(fake, { subname: "www", type: "CNAME", ttl: 3600, records: ["web.example.net."] })
    )
    expect((yield* Effect.flip(writeTo(fake, create("a", "A", "192.0.2.2"), www)))._tag).toBe("ZoneChanged")
    expect(linesOf(fake).filter((line) => line.includes(" A "))).toEqual([])
  })
)

describe("a plan of three sets is written as a whole or not at all", () => {
  for (const [name, fault] of Object.entries(vendorFaults))
    live(name, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeWith({ subname: "old", type: "A", ttl: 3600, records: ["192.0.2.9"] })
        const before = linesOf(fake)
        fake.injectFault({ method: "PATCH" }, fault)
        const adapter = desecUnderTest(fake, { timeouts: silenceTimeouts })
        const opened = yield* openZone(adapter, {})
        const old = { host: "old", type: "A", value: "192.0.2.9", ttl: 3600, optional: false }
        const changes: ReadonlyArray<Change> = [shop, www, { action: "delete", before: old, destructive: true }]
        expect((yield* Effect.flip(sendWrites(yield* opened.read, changes, opened)))._tag).toBe("OutcomeUnknown")
        expect(linesOf(fake)).toEqual(
          fault.change === "not_made"
            ? before
            : [
                ...before.slice(0, 2),
                "shop.example.com. 3600 CNAME shops.example.net.",
                "www.example.com. 3600 A 192.0.2.1"
              ]
        )
        expect(fake.calls().filter(({ method }) => method === "PATCH")).toHaveLength(1)
      })
    )
})

describe("a record that deSEC refuses is refused before the request, and one that it stores is not", () => {
  const label = "x".repeat(59)
  const records: ReadonlyArray<readonly [record: Change, code: string | undefined, zone?: string]> = [
    [create("@", "CNAME", "shops.example.net"), "apex_cname_unsupported"],
    [create("@", "MX", "mail_1.example.net", { priority: 10 }), "record_value_rejected"],
    [create("@", "MX", ".", { priority: 0 }), undefined],
    [create("sub", "NS", "_ns.example.net"), "record_value_rejected"],
    [create("sub", "NS", "ns1.example.net"), undefined],
    [create("sub", "NS", "ns1.example.net"), "record_type_unsupported", "shop.dedyn.io"],
    [create("_sip._tcp", "SRV", "0 5060 -sip.example.net", { priority: 0 }), "record_value_rejected"],
    [create("_sip._tcp", "SRV", "0 0 .", { priority: 0 }), undefined],
    [create("k1._domainkey", "CNAME", "k1._domainkey.example.net"), undefined],
    [create(`${label}.${label}.${label}`, "A", "192.0.2.1"), "record_value_rejected"],
    [create(`x.${label}.${label}.${label.slice(3)}`, "A", "192.0.2.1"), undefined],
    [create("@", "TXT", ""), undefined]
  ]
  for (const [change, code, name = zone] of records)
    live(`${name}: ${change.after?.host.slice(0, 20)} ${change.after?.type} ${change.after?.value}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeDesec({ domains: { [name]: desecDomain() } })
        const domain = DomainName.make(name)
        const opened = yield* openZone(desecUnderTest(fake), { domain, zone: domain })
        const { host = "", priority, type = "", value = "" } = change.after ?? {}
        const refusal = change.after === undefined ? Option.none() : opened.checkRecord(change.after)
        expect<string | undefined>(Option.getOrUndefined(refusal)?.code).toBe(code)
        const content = [...(priority === undefined ? [] : [priority]), value.replace(/([^.])$/, "$1.")].join(" ")
        const records = [{ A: value, TXT: `"${value}"` }[type] ?? content]
        const sent = [{ subname: host.replace("@", ""), type, ttl: 3600, records }]
        expect("refusal" in applyDesecChanges(name, desecDomain(), sent)).toBe(code !== undefined)
      })
    )
})

describe("the rate limit of ten reads a second and 50 a minute", () => {
  live("is enough to open, read, change and read again a zone of 10,000 sets", () =>
    Effect.gen(function* () {
      const time = makeVirtualTime()
      const initial = { domains: { [zone]: desecDomain(tenThousandSets) }, callTimes: {} }
      const fake = yield* makeFakeDesec(initial, { clock: time.now })
      const records = yield* time.run(
        Effect.gen(function* () {
          const opened = yield* openZone(desecUnderTest(fake, { http: time.track(httpClientFor(fake), fake) }), {})
          yield* sendWrites(yield* opened.read, [shop], opened)
          return (yield* opened.read).zone.records
        })
      )
      expect(records).toHaveLength(10_002)
      expect(fake.calls().map(({ outcome }) => outcome)).not.toContain(429)
      expect(fake.calls().filter(({ method }) => method === "GET")).toHaveLength(46)
    })
  )

  live("does not fail a plan for a zone of 10,000 sets that is planned, written and checked within a minute", () =>
    Effect.gen(function* () {
      const time = makeVirtualTime()
      const initial = { domains: { [zone]: desecDomain(tenThousandSets) }, callTimes: {} }
      const fake = yield* makeFakeDesec(initial, { clock: time.now })
      const adapter = desecUnderTest(fake, { http: time.track(httpClientFor(fake), fake) })
      yield* time.run(
        Effect.gen(function* () {
          yield* Effect.flatMap(openZone(adapter, {}), ({ read }) => read)
          const client = yield* openZone(adapter, {})
          const snapshot = yield* client.read
          const at = { client, snapshotNow: () => snapshot, now: () => snapshot.zone }
          yield* withPlanApplierOnRealClock(apply(requestAt(at, [shop])))
        })
      )
      expect(linesOf(fake)).toContain("shop.example.com. 3600 CNAME shops.example.net.")
      expect(fake.calls().map(({ outcome }) => outcome)).toContain(429)
    })
  )

  effect("is kept by the fake: the eleventh read of a second waits", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeDesec({ domains: { [zone]: desecDomain() }, callTimes: {} })
      const outcomes = yield* Effect.replicateEffect(Effect.either(openDesec(fake)), 11)
      expect(outcomes.findIndex(Either.isLeft)).toBe(10)
      fake.advance("1 second")
      expect((yield* Effect.either(openDesec(fake)))._tag).toBe("Right")
    })
  )
})
