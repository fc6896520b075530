import { Array, type Duration, Effect, Fiber, Layer, type Scope, TestClock } from "effect"
import { Identifiers } from "../../../src/domain/Identifiers.ts"
import type { Change } from "../../../src/domain/Plan.ts"
import { Applying, type ApplyRequest } from "../../../src/lifecycle/applying/Applying.ts"
import { Leases } from "../../../src/lifecycle/applying/Leases.ts"
import { ConnectionId } from "../../../src/domain/Connection.ts"
import { Journal } from "../../../src/persistence/Journal.ts"
import { LeaseStore } from "../../../src/persistence/LeaseStore.ts"
import { digestOf } from "../../../src/planning/changes/digest.ts"
import { storesInMemory } from "../../support/apiUnderTest.ts"
import type { scriptedZone } from "../../support/scriptedZone.ts"
import { exampleCom, inWords } from "../../support/zones.ts"

export const connectionId = ConnectionId.make("con_1")

/** What is asked for at a scripted zone that is as it was planned from. */
export const requestAt = (
  at: Pick<ReturnType<typeof scriptedZone>, "client" | "snapshotNow" | "now">,
  changes: ReadonlyArray<Change>,
  other: Partial<ApplyRequest> = {}
): ApplyRequest => ({
  run: "run",
  connectionId,
  providerId: "acme-dns",
  zone: at.now().name,
  domain: exampleCom,
  direction: "connect",
  digest: digestOf({ domain: exampleCom, zone: at.now().name, changes }),
  changes,
  snapshot: at.snapshotNow(),
  client: at.client,
  ...other
})

export const apply = (request: ApplyRequest) => Effect.flatMap(Applying, (applying) => applying.apply(request))

/** What hinders, as plain values. */
export const hindrance = (request: ApplyRequest) =>
  Effect.map(Effect.flip(apply(request)), (failure) =>
    failure._tag === "ApplyFailed" ? { code: failure.code, written: failure.written } : failure._tag
  )

/** What comes of it while the clock is moved on, so that nobody waits in vain. */
export const within = <A, E, R>(duration: Duration.DurationInput, waiting: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.fork(waiting), (fiber) => Effect.zipRight(TestClock.adjust(duration), Fiber.join(fiber)))

/** The journal of a run in words: `confirmed | create | www 300 A 192.0.2.1`. */
export const journalOf = (run = "run") =>
  Effect.flatMap(Journal, ({ ofRun }) =>
    Effect.map(
      ofRun(run),
      Array.map(({ change, status }) => `${status} | ${inWords(change)}`)
    )
  )

/** Applying over stores in memory; `around` surrounds every call of the journal. */
export const withApplying = <A, E>(
  body: Effect.Effect<A, E, Applying | Journal | LeaseStore | Scope.Scope>,
  around: <B, E2>(call: Effect.Effect<B, E2>) => Effect.Effect<B, E2> = (call) => call
) =>
  Effect.provide(
    body,
    Applying.layer.pipe(
      Layer.provideMerge(Leases.layer()),
      Layer.provideMerge(journalWith(around)),
      Layer.provideMerge(storesInMemory),
      Layer.provide(Identifiers.layerSequence)
    )
  )

const journalWith = (around: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E>) =>
  Layer.effect(
    Journal,
    Effect.map(Journal, (journal) => ({
      ...journal,
      open: (...args) => around(journal.open(...args)),
      mark: (...args) => around(journal.mark(...args)),
      giveUp: (...args) => around(journal.giveUp(...args))
    }))
  )
