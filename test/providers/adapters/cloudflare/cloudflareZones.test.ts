import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { creation, creations } from "../../writing/scriptedChanges.ts"
import { editRecords, hostLines, startFake, zone as apex } from "../DescribedAdapter.ts"
import { cloudflare, cloudflareWith, type FakeCloudflareZone, error, listRecords, readSettings } from "./cloudflare.ts"
import { storedRecord } from "./storedCloudflareRecords.ts"

const unserved: ReadonlyArray<readonly [zone: Partial<FakeCloudflareZone>, code: string]> = [
  [{ status: "pending" }, "authorization_zone_mismatch"],
  [{ status: "initializing" }, "authorization_zone_mismatch"],
  [{ status: "moved" }, "authorization_zone_mismatch"],
  [{ type: "partial", nameServers: [] }, "authorization_zone_mismatch"],
  [{ type: "internal" }, "authorization_zone_mismatch"],
  [{ type: "secondary" }, "provider_zone_locked"]
]

/** What the adapter knows of the setting of a zone, and whether it has asked for it. */
const flattenedAt = (zone: Partial<FakeCloudflareZone>, answer?: VendorAnswer) =>
  Effect.gen(function* () {
    const { fake, open } = yield* startFake(cloudflareWith(zone))
    if (answer !== undefined) fake.injectFault({ operation: readSettings }, { change: "not_made", answer })
    const snapshot = yield* Effect.flatMap(open(), ({ read }) => read)
    return [snapshot.zone.flattenedAliases, fake.calls().some(({ operation }) => operation === readSettings)]
  })

describeIfPossible("a zone at Cloudflare", missingVendorData, () => {
  for (const [zone, code] of unserved)
    live(`is not opened if it is ${Object.values(zone)[0]}: ${code}`, () =>
      Effect.gen(function* () {
        const { open } = yield* startFake(cloudflareWith(zone))
        expect(yield* Effect.flip(open())).toMatchObject({ code })
      })
    )

  live("is the one that the parent delegates to, among those of its name in several accounts", () =>
    Effect.gen(function* () {
      const { read } = yield* startFake(cloudflareWith({ elsewhere: ["amy.ns.cloudflare.com"] }), '@ 300 TXT "served"')
      expect(yield* read).toMatchObject([{ value: "served" }])
    })
  )

  for (const [plan, minimum, sizes] of [
    ["free", 60, [200, 1]],
    ["pro", 60, [201]],
    ["enterprise", 30, [201]]
  ] as const)
    live(
      `stores TTLs from ${minimum} seconds, and is written in batches of ${sizes} of 201, if its plan is ${plan}`,
      () =>
        Effect.gen(function* () {
          const { open, records, write } = yield* startFake(cloudflareWith({ plan }))
          const { limits, read } = yield* open()
          expect(limits.ttl).toEqual({ minimum, maximum: 86_400, automatic: { written: 1, served: 300 } })
          yield* write(creation(`@ ${minimum} TXT short`))
          expect(records()).toMatchObject([{ ttl: minimum }])
          const writes = yield* (yield* read).planWrites(creations(201, "host", "3600 A 192.0.2.1"))
          expect(writes.map(({ changes }) => changes.length)).toEqual([...sizes])
        })
    )

  live("of 10,000 records is read with five calls, of the 1,200 that five minutes allow", () =>
    Effect.gen(function* () {
      const { fake, read } = yield* startFake(cloudflare, hostLines(10_000))
      expect(yield* read).toHaveLength(10_000)
      const lists = Array.from({ length: 3 }, () => listRecords)
      expect(fake.calls().map(({ operation }) => operation)).toEqual(["GET /zones", readSettings, ...lists])
    })
  )

  const added = { ...storedRecord({ type: "TXT", content: "new" }), id: "1" }
  for (const [what, kept, count] of [
    ["a record is added", 0, 251],
    ["a record of its first page is removed and another one added", 1, 250]
  ] as const)
    live(`is read as a whole in smaller pages than it is asked for, and again if ${what} between two pages`, () =>
      Effect.gen(function* () {
        const { fake, read } = yield* startFake(cloudflareWith({ largestPage: 100 }), hostLines(250))
        expect(yield* read).toHaveLength(250)
        fake.beforeCall({ operation: listRecords, nth: 2 }, () =>
          editRecords(fake, (records) => (kept === 0 ? [added, ...records] : [...records.slice(1), added]))
        )
        const all = yield* read
        expect(all).toHaveLength(count)
        expect(all.map(({ host }) => host)).toContain("host100")
      })
    )

  for (const [what, host, readsWhole] of [
    ["is asked for the touched names only before a write, where a read of it takes more calls", "host7", false],
    ["is read as a whole before a write to a name that may be listed in Unicode", "xn--bcher-kva", true]
  ] as const)
    live(what, () =>
      Effect.gen(function* () {
        const { fake, write } = yield* startFake(cloudflareWith({ plan: "enterprise" }), hostLines(5001))
        yield* write(creation(`${host} 3600 TXT hello`))
        const queries = fake.calls().flatMap(({ operation, query }) => (operation === listRecords ? query : []))
        expect(queries.filter((query) => query.includes("name="))).toEqual(
          readsWhole ? [] : [`name=${host}.${apex}&page=1&per_page=5000`]
        )
      })
    )

  for (const [plan, flattensAll, ...expected] of [
    ["pro", true, "all", true],
    ["pro", false, "in_zone", true],
    ["free", false, "in_zone", false]
  ] as const)
    live(`is asked whether it flattens all aliases, where its plan lets it: ${plan}, ${flattensAll}`, () =>
      Effect.map(flattenedAt({ plan, flattensAll }), (found) => expect(found).toEqual(expected))
    )

  live("counts as one that does not flatten all aliases for a token that may not read the setting", () =>
    Effect.map(flattenedAt({ flattensAll: true }, error(403, "10000 Authentication error")), ([kind]) =>
      expect(kind).toBe("in_zone")
    )
  )

  live("is not opened while the provider fails to say whether it flattens all aliases", () =>
    Effect.map(Effect.flip(flattenedAt({ flattensAll: true }, { status: 500, body: {} })), (failure) =>
      expect(failure).toMatchObject({ code: "provider_unavailable" })
    )
  )
})
