import { expect } from "bun:test"
import { Duration, Effect, TestClock } from "effect"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import type { ZoneSnapshot } from "../../../../src/providers/ProviderClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { effect, live } from "../../../support/effectTest.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeVirtualTime } from "../../../support/vendors/virtualTime.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeNetlify, netlifyLimitReached, netlifyState } from "./FakeNetlify.ts"
import { netlifyUnderTest, recordsOf, zone } from "./netlifyUnderTest.ts"

const www = { hostname: `www.${zone}`, type: "A", value: "192.0.2.1", ttl: 300 }

const withWww = () => makeFakeNetlify(netlifyState({ [zone]: [www] }))

const answer = (status: number, message: string): VendorAnswer => ({ status, body: { code: status, message } })

const codeOf = <A>(effect: Effect.Effect<A, { readonly _tag: string; readonly code?: string }>) =>
  Effect.map(Effect.flip(effect), ({ _tag, code = "" }) => `${_tag} ${code}`.trim())

const removeWww: Change = {
  action: "delete",
  before: { host: "www", type: "A", value: "192.0.2.1", ttl: 300, optional: false },
  destructive: true
}

const createTxt: Change = {
  action: "create",
  after: { host: "txt", type: "TXT", value: "hello", ttl: 300, optional: false },
  destructive: false
}

const send = (snapshot: ZoneSnapshot, change: Change) => sendWrites(snapshot, [change])

/** Netlify names the end of the current minute in seconds since 1970. */
const nextMinute = { "x-ratelimit-reset": String(Date.UTC(2026, 0, 1, 0, 1) / 1000) }

/** An answer, and what it means for opening, reading, creating and removing. */
const meanings: ReadonlyArray<readonly [VendorAnswer, ...ReadonlyArray<string>]> = [
  [answer(401, "Access Denied"), ...Array<string>(4).fill("ProviderFailure credential_invalid")],
  [answer(403, "Forbidden"), ...Array<string>(4).fill("ProviderFailure authorization_insufficient_scope")],
  [answer(404, "Not Found"), ...Array<string>(3).fill("ProviderFailure authorization_zone_mismatch"), "ZoneChanged"],
  [
    answer(422, "Value is invalid"),
    "ProviderFailure provider_unavailable",
    "ProviderFailure provider_snapshot_failed",
    "ProviderFailure apply_rejected",
    "ProviderFailure apply_rejected"
  ],
  [netlifyLimitReached, ...Array<string>(4).fill("ProviderFailure provider_rate_limited")],
  [
    { status: 500 },
    ...Array<string>(2).fill("ProviderFailure provider_unavailable"),
    ...Array<string>(2).fill("OutcomeUnknown provider_unavailable")
  ]
]

describeIfPossible("the adapter of Netlify", missingVendorData, () => {
  for (const [meant, opening, reading, creating, removing] of meanings)
    live(`says what ${meant.status} means for each call`, () =>
      Effect.gen(function* () {
        const fake = yield* withWww()
        const adapter = netlifyUnderTest(fake)
        const opened = yield* openZone(adapter, {})
        const snapshot = yield* opened.read
        fake.injectFault({ operation: "GET /dns_zones" }, { change: "not_made", answer: meant })
        expect(yield* codeOf(openZone(adapter, {}))).toBe(opening ?? "")
        fake.injectFault({ method: "POST" }, { change: "not_made", answer: meant })
        expect(yield* codeOf(send(snapshot, createTxt))).toBe(creating ?? "")
        fake.injectFault({ method: "DELETE" }, { change: "not_made", answer: meant })
        expect(yield* codeOf(send(snapshot, removeWww))).toBe(removing ?? "")
        fake.injectFault({ method: "GET" }, { change: "not_made", answer: meant })
        expect(yield* codeOf(opened.read)).toBe(reading ?? "")
      })
    )

  effect("says when the next minute of the rate limit begins", () =>
    Effect.gen(function* () {
      const fake = yield* withWww()
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      fake.injectFault({}, { change: "not_made", answer: { ...netlifyLimitReached, headers: nextMinute } })
      expect(yield* Effect.flip(openZone(netlifyUnderTest(fake), {}))).toMatchObject({
        retryAfter: Duration.minutes(1)
      })
    })
  )

  live("quotes no token that an answer repeats", () =>
    Effect.gen(function* () {
      const fake = yield* withWww()
      fake.injectFault({}, { change: "not_made", answer: answer(401, "nfp_valid is expired") })
      expect((yield* Effect.flip(openZone(netlifyUnderTest(fake), {}))).detail).toContain("*** is expired")
    })
  )

  live("follows the pages of both lists, where there are any", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 7 }, (_, index) => ({ ...www, hostname: `host${index}.${zone}` }))
      const state = netlifyState({ [zone]: hosts, "example.net": [], "example.org": [] })
      const fake = yield* makeFakeNetlify({ ...state, zones: state.zones.toReversed(), pageLength: 2 })
      const opened = yield* openZone(netlifyUnderTest(fake), {})
      expect((yield* opened.read).zone.records).toHaveLength(7)
      expect(fake.calls().map(({ path, query }) => `${path.split("/").at(-1)}?${query}`)).toEqual([
        "dns_zones?",
        "dns_zones?page=2",
        "dns_zones?",
        "dns_records?",
        ...[2, 3, 4].map((page) => `dns_records?page=${page}`),
        "dns_records?",
        ...[2, 3].map((page) => `dns_records?page=${page}`)
      ])
    })
  )

  live("reads 10,000 records in pages of 100 at no more than 500 calls a minute", () =>
    Effect.gen(function* () {
      const hosts = Array.from({ length: 10_000 }, (_, index) => ({ ...www, hostname: `host${index}.${zone}` }))
      const time = makeVirtualTime()
      const fake = yield* makeFakeNetlify({ ...netlifyState({ [zone]: hosts }), pageLength: 100 }, { clock: time.now })
      const adapter = netlifyUnderTest(fake, { http: time.track(httpClientFor(fake), fake) })
      const opened = yield* openZone(adapter, {})
      const snapshot = yield* time.run(opened.read)
      expect(snapshot.zone.records).toHaveLength(10_000)
      const times = fake.calls().map((call) => call.now)
      expect(times).toHaveLength(200)
      const gaps = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0))
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000 / 500)
    })
  )

  live("stores an alias at the apex of the zone in Netlify's own way, and removes it", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeNetlify(netlifyState({ [zone]: [{ hostname: zone, type: "TXT", value: "hello" }] }))
      const opened = yield* openZone(netlifyUnderTest(fake), {})
      const intent = resolvedIntentOf(zone, { desired: ["@ 300 CNAME web.hostprov.net"] })
      const before = yield* opened.read
      yield* sendWrites(before, planFrom(before, intent, opened).changes, opened)
      expect(recordsOf(fake.state()).map(({ type, value }) => `${type} ${value}`)).toEqual([
        "TXT hello",
        "ALIAS web.hostprov.net"
      ])
      const after = yield* opened.read
      expect(planFrom(after, intent, opened).changes).toEqual([])

      const moved = resolvedIntentOf(zone, { desired: ["@ 300 A 192.0.2.20"] })
      yield* sendWrites(after, planFrom(after, moved, opened).changes, opened)
      expect(recordsOf(fake.state()).map(({ type, value }) => `${type} ${value}`)).toEqual([
        "TXT hello",
        "A 192.0.2.20"
      ])
    })
  )
})
