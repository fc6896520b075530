import { Array, type Duration, Effect, Fiber, Layer, type Scope, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/Connection.ts"
import type { Change } from "../../../src/domain/Plan.ts"
import { type ApplyRequest, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { Leases } from "../../../src/lifecycle/commit/Leases.ts"
import { JournalStore } from "../../../src/persistence/stores/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { describeChange, exampleCom } from "../../support/planFixtures.ts"
import type { scriptedZone } from "../../support/scriptedZone.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { storesInMemory } from "../../support/testApi.ts"

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

/** Provides a plan applier over stores in memory; `around` wraps every call of the journal. */
export const withPlanApplier = <A, E>(
  body: Effect.Effect<A, E, PlanApplier | JournalStore | LeaseStore | Scope.Scope>,
  around: <B, E2>(call: Effect.Effect<B, E2>) => Effect.Effect<B, E2> = (call) => call
) =>
  Effect.provide(
    body,
    PlanApplier.layer.pipe(
      Layer.provideMerge(Leases.layer()),
      Layer.provideMerge(journalWith(around)),
      Layer.provideMerge(storesInMemory),
      Layer.provide(sequentialIdentifiers)
    )
  )

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
