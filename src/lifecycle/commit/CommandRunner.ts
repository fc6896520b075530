import { type Array, Context, Data, Duration, Effect, Layer, Option, Schedule } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  type CommitResult,
  type ConnectionNotFound,
  ConnectionStore
} from "../../persistence/stores/ConnectionStore.ts"
import type { VersionedConnectionRecord } from "../../persistence/stores/StoredConnection.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { IllegalTransition } from "../state/advance.ts"
import { ConnectionSignals } from "./ConnectionSignals.ts"
import { TokenRevocations } from "./TokenRevocations.ts"
import { type SideEffects, Transitions } from "./Transitions.ts"

/** What is to happen to a connection as it stands. */
export interface Decision<E = never> {
  readonly events: Array.NonEmptyReadonlyArray<LifecycleEvent>
  readonly sideEffects?: SideEffects
  /** What is refused although it has its effect; then the request is not remembered as one that had it. */
  readonly refusal?: Option.Option<E>
}

/** Whose connection is to take a step, and the request that it takes it for, where that is to have its effect once. */
export interface Subject {
  readonly tenancy: Tenancy
  readonly id: ConnectionId
  readonly idempotency: Option.Option<IdempotentRequest>
}

/** Others wrote the connection between reading and writing it, again and again. */
export class WriteConflict extends Data.TaggedError("WriteConflict") {}

/** The steps that connections take at the word of somebody outside; those of phases are guarded by their rows. */
export class CommandRunner extends Context.Tag("lifecycle/CommandRunner")<
  CommandRunner,
  {
    /**
     * Reads, decides, writes, and tells whoever waits; if somebody else wrote in between, it does so again. Nothing is
     * decided for a request that had its effect already.
     */
    readonly run: <E>(
      mover: Subject,
      decide: (standing: VersionedConnectionRecord) => Effect.Effect<Decision<E>, E>
    ) => Effect.Effect<CommitResult, E | ConnectionNotFound | IllegalTransition | WriteConflict | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    CommandRunner,
    Effect.gen(function* () {
      const revocations = yield* TokenRevocations
      const signals = yield* ConnectionSignals
      const steps = yield* Transitions
      const store = yield* ConnectionStore

      const once = <E>(
        { id, idempotency, tenancy }: Subject,
        decide: (standing: VersionedConnectionRecord) => Effect.Effect<Decision<E>, E>
      ) =>
        Effect.gen(function* () {
          const standing = yield* store.findRecord(tenancy, id)
          const earlier = yield* Effect.transposeMapOption(idempotency, (known) => store.findReplay(tenancy, known))
          if (Option.isSome(earlier) && Option.isSome(earlier.value)) return earlier.value.value
          const { sideEffects: beside, events, refusal = Option.none() } = yield* decide(standing)
          const advanced = yield* Effect.mapError(
            steps.apply(standing, events, beside),
            ({ event }) => new IllegalTransition({ from: standing.connection.state, event })
          )
          const remembered = Option.isSome(refusal) ? Option.none() : idempotency
          const commit = yield* Effect.uninterruptible(
            revocations.revokeAfter(standing, advanced, store.update(tenancy, standing, advanced, remembered))
          )
          if (commit._tag === "Stale") return yield* new WriteConflict()
          yield* signals.notifyChanged(id)
          yield* signals.notifyDue
          return Option.isSome(refusal) ? yield* Effect.fail(refusal.value) : commit
        })

      return {
        run: (mover, decide) =>
          Effect.retry(once(mover, decide), { schedule: soonAgain, while: (error) => error instanceof WriteConflict })
      }
    })
  )
}

/** At moments of chance, so that of many at once each gets its turn. */
const soonAgain = Schedule.exponential(Duration.millis(2), 1.5).pipe(
  Schedule.union(Schedule.spaced(Duration.millis(100))),
  Schedule.jitteredWith({ min: 0, max: 2 }),
  Schedule.upTo(Duration.seconds(5))
)
