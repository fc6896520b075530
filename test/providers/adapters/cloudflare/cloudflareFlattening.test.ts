import { describe, expect } from "bun:test"
import { Array, DateTime, Effect, Order, Struct } from "effect"
import { ConnectionId } from "../../../../src/domain/connection/Connection.ts"
import { emptyPlanContext } from "../../../../src/planning/PlanContext.ts"
import { apply, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { describeChange } from "../../../support/planFixtures.ts"
import { planZoneRestore } from "../../../support/planZone.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { type DescribedFake, makeFakeOf, openAt, recordsIn, underTest, zone } from "../DescribedAdapter.ts"
import { planFor } from "../planFor.ts"
import { cloudflare, cloudflareWith } from "./cloudflare.ts"
import { type CloudflareData, storedRecord } from "./storedCloudflareRecords.ts"

/** Connects the zone, and leaves it again; what was planned, and what the zone had between. */
const connectAndLeave = (fake: DescribedFake<CloudflareData>, desired: ReadonlyArray<string>, adapter = cloudflare) =>
  Effect.gen(function* () {
    const request = yield* planFor(underTest(adapter, fake), desired)
    yield* withPlanApplierOnRealClock(apply(request))
    const connected = recordsIn(fake)
    const { changes, domain } = request
    const leaving = { id: ConnectionId.make("con_a"), intent: resolvedIntentOf(domain, { desired }) }
    const now = yield* DateTime.now
    const opened = yield* openAt(adapter, fake)
    const current = yield* opened.read
    const restore = planZoneRestore({
      zone: current.zone,
      domain,
      journal: changes.map((change) => ({ connectionId: leaving.id, domain, change, writtenAt: now })),
      leaving,
      others: [],
      limits: opened.limits,
      context: emptyPlanContext,
      now,
      putBack: []
    })
    yield* sendWrites(current, restore.changes, opened)
    return { changes: changes.map(describeChange), connected }
  })

const alias = { type: "CNAME", content: "d2.cdn.example" }
const inZone = { type: "CNAME", content: `web.${zone}` }
const mx = { type: "MX", priority: 10, content: "inbound.mail.example" }

/** A zone with these records at the host `scan`, and an address at `web`. */
const scanned = (records: ReadonlyArray<Parameters<typeof storedRecord>[0]>, adapter = cloudflare) => {
  const atScan = records.map((record) => storedRecord({ ...record, name: `scan.${zone}` }))
  return makeFakeOf(adapter, [...atScan, storedRecord({ type: "A", name: `web.${zone}`, content: "198.51.100.1" })])
}

const atScanIn = (records: ReturnType<typeof recordsIn<CloudflareData>>) =>
  records
    .filter(({ name }) => name.startsWith("scan."))
    .map(({ data: { content, settings }, type }) => [type, content, settings["flatten_cname"]])
    .toSorted()

describeIfPossible("an alias in a zone of Cloudflare", missingVendorData, () => {
  for (const [what, adapter, record] of [
    ["that flattens all of them", cloudflareWith({ flattensAll: true }), alias],
    ["with its target in it", cloudflare, inZone],
    ["with its target in it, on the free plan", cloudflareWith({ plan: "free" }), inZone]
  ] as const)
    describe(what, () => {
      for (const [about, before, desired, added] of [
        [
          "stays where a text is added, and so does the mail server beside it",
          [record, mx],
          "scan 300 TXT platform-verify=1",
          ["TXT", '"platform-verify=1"', undefined]
        ],
        ["is created beside a mail server", [mx], `scan 300 CNAME ${record.content}`, ["CNAME", record.content, false]]
      ] as const)
        live(about, () =>
          Effect.gen(function* () {
            const fake = yield* scanned(before, adapter)
            const found = atScanIn(recordsIn(fake))
            const { changes, connected } = yield* connectAndLeave(fake, [desired], adapter)
            expect(changes).toEqual([`create | ${desired}`])
            expect(atScanIn(connected)).toEqual([...found, [...added]].toSorted())
            expect(atScanIn(recordsIn(fake))).toEqual(found)
          })
        )

      live("comes back with its own setting where an address took its place", () =>
        Effect.gen(function* () {
          const fake = yield* scanned([record, mx], adapter)
          const found = atScanIn(recordsIn(fake))
          yield* connectAndLeave(fake, ["scan 300 A 192.0.2.1"], adapter)
          expect(atScanIn(recordsIn(fake))).toEqual(found)
        })
      )
    })

  live("that does not flatten it goes for a text", () =>
    Effect.gen(function* () {
      const { changes } = yield* connectAndLeave(yield* scanned([alias]), ["scan 300 TXT platform-verify=1"])
      expect(changes).toEqual(["delete! | scan 300 CNAME d2.cdn.example", "create | scan 300 TXT platform-verify=1"])
    })
  )

  live("or an address that a plan replaced is proxied or flattened again when the zone is restored", () =>
    Effect.gen(function* () {
      const proxied = { name: `www.${zone}`, proxied: true, ttl: 1 }
      const old = { type: "CNAME", content: "old.example.net" }
      const flattened = { ...old, settings: { flatten_cname: true } }
      const fake = yield* makeFakeOf(
        cloudflare,
        [
          { ...proxied, type: "A", content: "192.0.2.1" },
          { ...proxied, type: "AAAA", content: "2001:db8::1" },
          { type: "A", name: `shop.${zone}`, content: "192.0.2.2" },
          { ...old, ...proxied, name: `scan.${zone}` },
          { type: "MX", name: `scan.${zone}`, priority: 10, content: "mx.example.net" },
          { ...flattened, name: `app.${zone}` },
          { type: "TXT", name: `app.${zone}`, content: '"hello"' },
          { ...flattened, name: `blog.${zone}` }
        ].map(storedRecord)
      )
      const storedAt = () =>
        Array.sortWith(recordsIn(fake).map(Struct.omit("id")), (record) => JSON.stringify(record), Order.string)
      const before = storedAt()
      const { connected } = yield* connectAndLeave(fake, [
        "www 300 CNAME shops.example.net",
        "shop 300 A 198.51.100.1",
        "scan 300 TXT platform-verify=1",
        "app 300 CNAME shops.example.net",
        "blog 300 A 198.51.100.1"
      ])
      const written = connected.filter(({ name }) => /^(scan|app)\./.test(name))
      expect(
        written.map(({ data: { content, proxied, settings }, type }) => [type, content, proxied, settings])
      ).toEqual([
        ["CNAME", "old.example.net", true, { flatten_cname: false }],
        ["MX", "mx.example.net", false, {}],
        ["CNAME", "shops.example.net", false, { flatten_cname: false }],
        ["TXT", '"platform-verify=1"', false, {}]
      ])
      expect(storedAt()).toEqual(before)
    })
  )
})
