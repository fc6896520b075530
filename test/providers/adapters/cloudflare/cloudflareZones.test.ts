import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { creation, fakeWith, open, readRecords, recordOf, recordsAt, write, zone } from "./cloudflareExamples.ts"
import { clientFor } from "./cloudflareUnderTest.ts"
import {
  type CloudflareState,
  cloudflareState,
  type FakeCloudflareZone,
  makeFakeCloudflare,
  validToken
} from "./FakeCloudflare.ts"
import { storedRecord, toId } from "./storedCloudflareRecords.ts"

describeIfPossible("a zone at Cloudflare", missingVendorData, () => {
  const unserved: ReadonlyArray<readonly [Partial<Omit<FakeCloudflareZone, "name">>, string]> = [
    [{ status: "pending" }, "authorization_zone_mismatch"],
    [{ status: "initializing" }, "authorization_zone_mismatch"],
    [{ status: "moved" }, "authorization_zone_mismatch"],
    [{ type: "partial", nameServers: [] }, "authorization_zone_mismatch"],
    [{ type: "internal" }, "authorization_zone_mismatch"],
    [{ type: "secondary" }, "provider_zone_locked"]
  ]
  for (const [state, code] of unserved)
    live(`is not opened if it is ${Object.values(state)[0]}: ${code}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeCloudflare(cloudflareState({ "example.com": state }))
        expect(yield* Effect.flip(open(clientFor(fake)))).toMatchObject({ code })
      })
    )

  live("is the one that the parent delegates to, among those of its name in several accounts", () =>
    Effect.gen(function* () {
      const [other, served] = cloudflareState({ other: { nameServers: ["amy.ns.cloudflare.com"] }, served: {} }).zones
      const records = [storedRecord({ id: toId(1), name: zone, type: "TXT", content: "served" })]
      const zones = [other, { ...served, records }].map((one) => ({ ...one, name: zone })) as CloudflareState["zones"]
      const fake = yield* makeFakeCloudflare({ zones, nextId: 2 })
      expect((yield* readRecords(fake)).map(({ value }) => value)).toEqual(["served"])
    })
  )

  live("is opened with an OAuth token too", () =>
    Effect.gen(function* () {
      const credential = { _tag: "oauth_token", accessToken: Redacted.make(validToken) } as const
      yield* open(clientFor(yield* fakeWith()), { credential })
    })
  )

  for (const [plan, minimum] of [
    ["free", 60],
    ["enterprise", 30]
  ] as const)
    live(`stores TTLs from ${minimum} seconds if its plan is ${plan}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeCloudflare(cloudflareState({ "example.com": { plan } }))
        const { limits } = yield* open(clientFor(fake))
        expect(limits.ttl).toEqual({ minimum, maximum: 86_400, automatic: { written: 1, served: 300 } })
        yield* write(fake, creation(recordOf({ type: "TXT", value: "short", ttl: minimum })))
        expect(recordsAt(fake)).toMatchObject([{ ttl: minimum }])
      })
    )

  live("is written in batches of 200 changes on the free plan, and at once on the others", () =>
    Effect.gen(function* () {
      const changes = Array.from({ length: 201 }, (_, index) =>
        creation(recordOf({ host: `host${index}`, type: "A", value: "192.0.2.1" }))
      )
      for (const [plan, sizes] of [
        ["free", [200, 1]],
        ["pro", [201]]
      ] as const) {
        const fake = yield* makeFakeCloudflare(cloudflareState({ "example.com": { plan } }))
        const snapshot = yield* Effect.flatMap(open(clientFor(fake)), ({ read }) => read)
        const writes = yield* snapshot.planWrites(changes)
        expect(writes.map(({ changes }) => changes.length)).toEqual([...sizes])
      }
    })
  )

  live("of 10,000 records is read with five calls, of the 1,200 that five minutes allow", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 10_000 }, (_, index) => ({
        name: `host${index}.${zone}`,
        type: "A",
        content: "192.0.2.1"
      }))
      const fake = yield* fakeWith(...records)
      expect(yield* readRecords(fake)).toHaveLength(10_000)
      expect(fake.calls().map(({ operation }) => operation)).toEqual([
        "GET /zones",
        "GET /zones/{zone_id}/dns_settings",
        ...Array.from({ length: 3 }, () => "GET /zones/{zone_id}/dns_records")
      ])
    })
  )

  live("is read as a whole if the API gives smaller pages than it is asked for", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 250 }, (_, index) => ({
        name: `host${index}.${zone}`,
        type: "A",
        content: "192.0.2.1"
      }))
      const fake = yield* fakeWith(...records)
      fake.update((state) => ({ ...state, maxPageSize: 100 }))
      expect(yield* readRecords(fake)).toHaveLength(250)
    })
  )

  live("is read again if a record is added between two pages", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 5001 }, (_, index) => ({
        name: `host${index}.${zone}`,
        type: "A",
        content: "192.0.2.1"
      }))
      const fake = yield* fakeWith(...records)
      fake.beforeCall({ operation: "GET /zones/{zone_id}/dns_records", nth: 2 }, () =>
        fake.update(({ nextId, zones }) => ({
          nextId,
          zones: zones.map((one) => ({
            ...one,
            records: [storedRecord({ id: toId(1), name: zone, type: "TXT", content: "new" }), ...one.records]
          }))
        }))
      )
      expect(yield* readRecords(fake)).toHaveLength(5002)
    })
  )

  live("is read again if a record of its first page is removed and another one added between two pages", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 250 }, (_, index) => ({
        name: `host${index}.${zone}`,
        type: "A",
        content: "192.0.2.1"
      }))
      const fake = yield* fakeWith(...records)
      fake.update((state) => ({ ...state, maxPageSize: 100 }))
      fake.beforeCall({ operation: "GET /zones/{zone_id}/dns_records", nth: 2 }, () =>
        fake.update((state) => ({
          ...state,
          zones: state.zones.map((one) => ({
            ...one,
            records: [...one.records.slice(1), storedRecord({ id: toId(1), name: zone, type: "TXT", content: "new" })]
          }))
        }))
      )
      const read = yield* readRecords(fake)
      expect(read).toHaveLength(250)
      expect(read.map(({ host }) => host)).toContain("host100")
    })
  )
})
