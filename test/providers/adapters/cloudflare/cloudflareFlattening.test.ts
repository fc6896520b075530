import { describe, expect } from "bun:test"
import { DateTime, Effect } from "effect"
import { ConnectionId } from "../../../../src/domain/connection/Connection.ts"
import { emptyPlanContext } from "../../../../src/planning/PlanContext.ts"
import { apply, requestAt, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { describeChange } from "../../../support/planFixtures.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { open, zone } from "./cloudflareExamples.ts"
import { clientFor } from "./cloudflareUnderTest.ts"
import { cloudflareState, fail, type FakeCloudflareZone, makeFakeCloudflare } from "./FakeCloudflare.ts"
import { storedRecord, type StoredCloudflareRecord, toId } from "./storedCloudflareRecords.ts"
import { planZoneRestore } from "../../../support/planZone.ts"

const readSettings = "GET /zones/{zone_id}/dns_settings"

const alias = { type: "CNAME", content: "d2.cdn.example" } as const
const inZone = { type: "CNAME", content: `web.${zone}` } as const
const mx = { type: "MX", priority: 10, content: "inbound.mail.example" } as const

/** A zone in use with these records at the host `scan`, and an address at `web`. */
const fakeWith = (
  options: Partial<Pick<FakeCloudflareZone, "flattensAll" | "plan">>,
  ...records: ReadonlyArray<Pick<StoredCloudflareRecord, "type"> & Partial<StoredCloudflareRecord>>
) => {
  const stored = records.map((record, index) =>
    storedRecord({ id: toId(100 + index), name: `scan.${zone}`, ...record })
  )
  const web = storedRecord({ id: toId(99), name: `web.${zone}`, type: "A", content: "198.51.100.1" })
  return makeFakeCloudflare(cloudflareState({ [zone]: { ...options, records: [...stored, web] } }))
}

type Fake = Effect.Effect.Success<ReturnType<typeof fakeWith>>

const storedIn = (fake: Fake) =>
  fake
    .state()
    .zones.flatMap(({ records }) => records)
    .filter(({ name }) => name.startsWith("scan."))
    .map(({ content, settings, type }) => [type, content, settings["flatten_cname"]])
    .toSorted()

/** Connects the zone, and leaves it again. */
const connectAndLeave = (fake: Fake, desired: string) =>
  Effect.gen(function* () {
    const opened = yield* open(clientFor(fake))
    const snapshot = yield* opened.read
    const intent = resolvedIntentOf(zone, { desired: [desired] })
    const { changes } = planFrom(snapshot, intent, opened)
    const at = { client: opened, snapshotNow: () => snapshot, now: () => snapshot.zone }
    yield* withPlanApplierOnRealClock(apply(requestAt(at, changes, { domain: zone, zone })))
    const connected = storedIn(fake)
    const leaving = { id: ConnectionId.make("con_a"), intent }
    const now = yield* DateTime.now
    const current = yield* opened.read
    const restore = planZoneRestore({
      zone: current.zone,
      domain: zone,
      journal: changes.map((change) => ({ connectionId: leaving.id, domain: zone, change, writtenAt: now })),
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

const flattening: ReadonlyArray<
  readonly [what: string, options: Parameters<typeof fakeWith>[0], record: typeof alias | typeof inZone]
> = [
  ["that flattens all of them", { flattensAll: true }, alias],
  ["with its target in it", {}, inZone],
  ["with its target in it, on the free plan", { plan: "free" }, inZone]
]

describeIfPossible("an alias in a zone of Cloudflare", missingVendorData, () => {
  for (const [what, options, record] of flattening)
    describe(what, () => {
      live("stays where a text is added, and so does the mail server beside it", () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith(options, record, mx)
          const before = storedIn(fake)
          expect(yield* connectAndLeave(fake, "scan 300 TXT platform-verify=1")).toEqual({
            changes: ["create | scan 300 TXT platform-verify=1"],
            connected: [...before, ["TXT", '"platform-verify=1"', undefined]]
          })
          expect(storedIn(fake)).toEqual(before)
        })
      )

      live("is created beside a mail server", () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith(options, mx)
          const before = storedIn(fake)
          const { changes, connected } = yield* connectAndLeave(fake, `scan 300 CNAME ${record.content}`)
          expect(changes).toEqual([`create | scan 300 CNAME ${record.content}`])
          expect(connected).toEqual([["CNAME", record.content, false], ...before])
          expect(storedIn(fake)).toEqual(before)
        })
      )

      live("comes back with its own setting where an address took its place", () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith(options, record, mx)
          const before = storedIn(fake)
          yield* connectAndLeave(fake, "scan 300 A 192.0.2.1")
          expect(storedIn(fake)).toEqual(before)
        })
      )
    })

  live("that does not flatten it goes for a text", () =>
    Effect.gen(function* () {
      const { changes } = yield* connectAndLeave(yield* fakeWith({}, alias), "scan 300 TXT platform-verify=1")
      expect(changes).toEqual(["delete! | scan 300 CNAME d2.cdn.example", "create | scan 300 TXT platform-verify=1"])
    })
  )
})

const flattenedIn = (fake: Fake) =>
  Effect.map(
    Effect.flatMap(open(clientFor(fake)), ({ read }) => read),
    ({ zone: { flattenedAliases } }) => ({
      flattenedAliases,
      hasAsked: fake.calls().some(({ operation }) => operation === readSettings)
    })
  )

describeIfPossible("the setting of a zone at Cloudflare that flattens all aliases", missingVendorData, () => {
  for (const [plan, flattensAll, expected] of [
    ["pro", true, { flattenedAliases: "all", hasAsked: true }],
    ["pro", false, { flattenedAliases: "in_zone", hasAsked: true }],
    ["free", false, { flattenedAliases: "in_zone", hasAsked: false }]
  ] as const)
    live(`is read where its plan has it: ${plan}, ${flattensAll ? "on" : "off"}`, () =>
      Effect.gen(function* () {
        expect(yield* flattenedIn(yield* fakeWith({ plan, flattensAll }))).toEqual(expected)
      })
    )

  live("counts as off for a token that may not read it", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith({ flattensAll: true })
      const answer = fail(403, { code: 10_000, message: "Authentication error" })
      fake.injectFault({ operation: readSettings }, { change: "not_made", answer })
      expect(yield* flattenedIn(fake)).toMatchObject({ flattenedAliases: "in_zone" })
    })
  )

  live("is no guess: the zone is not opened while the provider fails", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith({ flattensAll: true })
      fake.injectFault({ operation: readSettings }, { change: "not_made", answer: { status: 500, body: {} } })
      expect(yield* Effect.flip(open(clientFor(fake)))).toMatchObject({ code: "provider_unavailable" })
    })
  )
})
