import { Array, Duration, Effect, Fiber, Layer, type Scope, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { type ApplyRequest, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { Leases } from "../../../src/lifecycle/commit/Leases.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { describeChange, desiredRecords, exampleCom, planOrThrow, zoneOf } from "../../support/planFixtures.ts"
import { scriptedZone, type WriteBehavior } from "../../support/scriptedZone.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { journalInMemory } from "../../support/memory/journalInMemory.ts"
import { leaseStoreInMemory } from "../../support/memory/leaseStoreInMemory.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { steadyLeases } from "../../support/steadyLeases.ts"

export const connectionId = ConnectionId.make("con_1")

/** A request to apply changes to a scripted zone that has not changed since planning. */
export const requestAt = (
  at: Pick<ReturnType<typeof scriptedZone>, "client" | "snapshotNow" | "now">,
  changes: ReadonlyArray<Change>,
  overrides: Partial<ApplyRequest> = {}
): ApplyRequest => ({
  run: "run",
  connectionId,
  providerId: "acme-dns",
  zone: at.now().name,
  domain: exampleCom,
  direction: "connect",
  digest: computeDigest({ domain: exampleCom, zone: at.now().name, changes }),
  changes,
  snapshot: at.snapshotNow(),
  client: at.client,
  longestDelay: Duration.zero,
  ...overrides
})

export const apply = (request: ApplyRequest) => Effect.flatMap(PlanApplier, (applier) => applier.apply(request))

/** The failure of a request, as plain values. */
export const applyFailureOf = (request: ApplyRequest) =>
  Effect.map(Effect.flip(apply(request)), (failure) =>
    failure._tag === "ApplyFailed" ? { code: failure.code, hasWrites: failure.hasWrites } : failure._tag
  )

/** Runs an effect while the test clock advances by a duration. */
export const completesWithin = <A, E, R>(duration: Duration.DurationInput, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.fork(effect), (fiber) => Effect.zipRight(TestClock.adjust(duration), Fiber.join(fiber)))

/** The journal of a run, one line per change: `confirmed | create | www 300 A 192.0.2.1`. */
export const journalOf = (run = "run") =>
  Effect.flatMap(JournalStore, ({ findByRun }) =>
    Effect.map(
      findByRun(run),
      Array.map(({ change, status }) => `${status} | ${describeChange(change)}`)
    )
  )

/** The stores that applying a plan needs, and no others: hundreds of runs have their own. */
export const applyStores = Layer.merge(
  Layer.provide(Layer.merge(journalInMemory, leaseStoreInMemory), Tables.layer),
  sequentialIdentifiers
)

/** Provides a plan applier over stores in memory; `around` wraps every call of the journal. */
export const withPlanApplier = <A, E>(
  body: Effect.Effect<A, E, PlanApplier | JournalStore | LeaseStore | Scope.Scope>,
  around: <B, E2>(call: Effect.Effect<B, E2>) => Effect.Effect<B, E2> = (call) => call,
  leases = Leases.layer()
) =>
  Effect.provide(
    body,
    PlanApplier.layer.pipe(
      Layer.provideMerge(leases),
      Layer.provideMerge(journalWith(around)),
      Layer.provideMerge(applyStores)
    )
  )

/** The same for tests on the real clock. */
export const withPlanApplierOnRealClock = <A, E>(
  body: Effect.Effect<A, E, PlanApplier | JournalStore | LeaseStore | Scope.Scope>
) => withPlanApplier(body, (call) => call, steadyLeases)

const journalWith = (around: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E>) =>
  Layer.effect(
    JournalStore,
    Effect.map(JournalStore, (journal) => ({
      ...journal,
      openRun: (...args) => around(journal.openRun(...args)),
      setStatus: (...args) => around(journal.setStatus(...args)),
      replaceUnsettled: (...args) => around(journal.replaceUnsettled(...args))
    }))
  )

/** The zone of a shop that moves to a platform: records are added, replaced, and removed because they block new ones. */
export const shop = zoneOf(
  "@ 300 MX 10 mx.example.org",
  "@ 300 TXT hello",
  "www 300 A 192.0.2.1",
  "www 300 A 192.0.2.2"
)
export const { changes } = planOrThrow({
  zone: shop,
  desired: desiredRecords("shop 300 A 192.0.2.9", "@ 300 MX 10 mx.example.net", "www 300 CNAME web.example.net")
})
export const changeLines = changes.map(describeChange)
export const journalLines = (status: string) => changeLines.map((change) => `${status} | ${change}`)

/** A scripted zone of the shop, and the request to apply the plan to it. */
export const prepareShopPlan = (isAtomic = true) => {
  const at = scriptedZone(shop, { isAtomic })
  return { at, request: () => requestAt(at, changes) }
}

/** Runs an effect whose process dies, and returns its exit. */
export const exitOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(Effect.fork(effect), Fiber.await)

/** The process dies during this call, before or after the provider writes. */
export const dieBeforeWrite: WriteBehavior = () => Effect.interrupt
export const dieAfterWrite: WriteBehavior = (send) => Effect.zipRight(send, Effect.interrupt)
