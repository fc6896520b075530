import { describe, expect, test } from "bun:test"
import { Duration, Effect, type Scope } from "effect"
import type { Change, ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  hostingerSet,
  hostingerState,
  type HostingerState,
  type HostingerStoredSet,
  makeFakeHostinger,
  tooManyRequests
} from "./FakeHostinger.ts"
import { hostingerUnderTest, setsOf, zone } from "./hostingerUnderTest.ts"

type HostingerFake = FakeVendor<HostingerState>

const fakeWith = (...sets: ReadonlyArray<HostingerStoredSet>) => makeFakeHostinger(hostingerState({ [zone]: sets }))

const open = (fake: HostingerFake, request: Partial<Parameters<typeof openZone>[1]> = {}) =>
  openZone(hostingerUnderTest(fake), request)

/** Reads the zone, and sends the writes of the changes. */
const write = (fake: HostingerFake, ...changes: ReadonlyArray<Change>) =>
  Effect.flatMap(open(fake), (opened) =>
    Effect.flatMap(opened.read, (snapshot) => sendWrites(snapshot, changes, opened))
  )

const recordOf = (type: string, value: string, host = "www"): ChangeRecord => ({
  host,
  type,
  value,
  ttl: 300,
  optional: false
})

const create = (after: ChangeRecord): Change => ({ action: "create", after, destructive: false })
const remove = (before: ChangeRecord): Change => ({ action: "delete", before, destructive: true })

const writesOf = (fake: HostingerFake) =>
  fake
    .calls()
    .filter(({ method }) => method !== "GET")
    .map(({ body, method }) => [method, body])

const contentsOf = (fake: HostingerFake, type: string) =>
  setsOf(fake.state())
    .filter((set) => set.type === type && set.name !== "@")
    .flatMap(({ records }) => records.map(({ content }) => content))

const addresses = hostingerSet("www", "A", 300, "192.0.2.1", "192.0.2.2")

/** Tests by the words of `vendor-facts.json`. */
const traps: Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>> = {
  "overwrite false updates TTLs and appends; true replaces: always send it": () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith(addresses)
      const [before, after] = [recordOf("A", "192.0.2.1"), recordOf("A", "192.0.2.3")]
      yield* write(fake, { action: "update", before, after, destructive: true })
      expect(contentsOf(fake, "A").toSorted()).toEqual(["192.0.2.2", "192.0.2.3"])
      expect(writesOf(fake)).toMatchObject([["PUT", { overwrite: true, zone: [{ name: "www", type: "A", ttl: 300 }] }]])
    }),

  "DELETE by name and type takes all members": () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith(addresses)
      yield* write(fake, remove(recordOf("A", "192.0.2.1")))
      expect(contentsOf(fake, "A")).toEqual(["192.0.2.2"])
      yield* write(fake, remove(recordOf("A", "192.0.2.2")))
      expect(contentsOf(fake, "A")).toEqual([])
      expect(writesOf(fake)).toMatchObject([
        ["PUT", {}],
        ["DELETE", { filters: [{ name: "www", type: "A" }] }]
      ])
    }),

  "records carry is_disabled": () =>
    Effect.gen(function* () {
      const [enabled, other] = addresses.records
      const half = { ...addresses, records: [enabled, { ...other, is_disabled: true }] } as HostingerStoredSet
      const fake = yield* fakeWith(half)
      const { zone: read } = yield* Effect.flatMap(open(fake), ({ read }) => read)
      expect(read.records.filter(({ host }) => host === "www")).toMatchObject([{ value: "192.0.2.1", locked: "fixed" }])
      const failure = yield* Effect.flip(write(fake, create(recordOf("A", "192.0.2.3"))))
      expect(failure).toMatchObject({ code: "provider_record_locked" })
      expect(writesOf(fake)).toEqual([])
      yield* write(fake, create(recordOf("TXT", "beside")))
      expect(setsOf(fake.state()).find(({ type }) => type === "A")).toEqual(half)
    })
}

describeIfPossible("at Hostinger", missingVendorData, () => {
  describe("trap:", () => {
    for (const [words, body] of Object.entries(traps)) live(words, body)

    test("each one of the vendor's facts is tested here", async () => {
      const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
      const facts = Object.values<any>(vendors).find(({ id }) => id === "hostinger")
      expect(Object.keys(traps)).toEqual(facts.traps.map(({ trap }: { readonly trap: string }) => trap))
    })
  })

  live("a text is read with quotes and without, and written without", () =>
    Effect.gen(function* () {
      const long = "k".repeat(410)
      const fake = yield* fakeWith(hostingerSet("www", "TXT", 300, "v=spf1 -all", '"quoted text"', `"${long}"`))
      const { zone: read } = yield* Effect.flatMap(open(fake), ({ read }) => read)
      expect(read.records.flatMap(({ type, value }) => (type === "TXT" ? value : []))).toEqual([
        "v=spf1 -all",
        "quoted text",
        long
      ])
      yield* write(fake, create(recordOf("TXT", `ä; ${long}`)))
      expect(contentsOf(fake, "TXT")).toEqual(["v=spf1 -all", '"quoted text"', `"${long}"`, `ä; ${long}`])
    })
  )

  live("an alias at the apex is written as ALIAS", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith()
      const opened = yield* open(fake)
      const snapshot = yield* opened.read
      const intent = resolvedIntentOf(zone, { desired: ["@ 300 CNAME shops.example.net"] })
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      expect(setsOf(fake.state()).slice(1)).toEqual([hostingerSet("@", "ALIAS", 300, "shops.example.net.")])
      expect(planFrom(yield* opened.read, intent, opened).changes).toEqual([])
    })
  )

  live("a zone that other servers than Hostinger's serve is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith()
      for (const nameServers of [
        ["ns1.dns-parking.com", "ns1.other.example"],
        ["ns1.dns-parking.com.evil.example"],
        []
      ])
        expect(yield* failureOf(open(fake, { nameServers }))).toBe("authorization_zone_mismatch")
      expect(yield* Effect.either(open(fake, { nameServers: ["HERA.dns-parking.com."] }))).toMatchObject({
        _tag: "Right"
      })
    })
  )

  live("a zone of somebody else is authorization_zone_mismatch, whatever its status", () =>
    Effect.gen(function* () {
      for (const status of [403, 404, 422]) {
        const fake = yield* fakeWith()
        fake.injectFault({ method: "GET" }, { change: "not_made", answer: { status, body: { message: "no" } } })
        expect([status, yield* failureOf(open(fake))]).toEqual([status, "authorization_zone_mismatch"])
      }
    })
  )

  describe("an error of Hostinger", () => {
    for (const [status, opening, writing] of [
      [401, "credential_invalid", "credential_invalid"],
      [422, "authorization_zone_mismatch", "apply_rejected"],
      [429, "provider_rate_limited", "provider_rate_limited"],
      [500, "provider_unavailable", "OutcomeUnknown"]
    ] as const)
      live(`${status} is ${opening} while a zone is opened, and ${writing} to a write`, () =>
        Effect.gen(function* () {
          const answer = { status, body: { message: "no" } }
          const fake = yield* fakeWith()
          fake.injectFault({ method: "PUT" }, { change: "not_made", answer })
          const failure = yield* Effect.flip(write(fake, create(recordOf("A", "192.0.2.1"))))
          expect(failure._tag === "ProviderFailure" ? failure.code : failure._tag).toBe(writing)
          fake.injectFault({ method: "GET" }, { change: "not_made", answer })
          expect(yield* failureOf(open(fake))).toBe(opening)
        })
      )
  })

  live("a limit says how long to wait", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith()
      fake.injectFault({ method: "GET" }, { change: "not_made", answer: tooManyRequests })
      const failure = yield* Effect.flip(open(fake))
      expect(Duration.toSeconds(failure.retryAfter ?? 0)).toBe(42)
    })
  )
})
