import { type Array, Context, Data, Duration, Effect, Layer, Option, Schedule } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { Idempotency } from "../../domain/Idempotency.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import {
  type Commit,
  type ConnectionNotFound,
  ConnectionStore,
  type StandingConnection
} from "../../persistence/ConnectionStore.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Revocations } from "./Revocations.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { IllegalTransition } from "../state/LifecycleState.ts"
import { Signals } from "./Signals.ts"
import { type Beside, Steps } from "./Steps.ts"

/** What is to happen to a connection as it stands. */
export interface Decision<E = never> {
  readonly events: Array.NonEmptyReadonlyArray<LifecycleEvent>
  readonly beside?: Beside
  /** What is refused although it has its effect; then the request is not remembered as one that had it. */
  readonly refusal?: Option.Option<E>
}

/** Whose connection is to take a step, and the request that it takes it for, where that is to have its effect once. */
export interface Mover {
  readonly tenancy: Tenancy
  readonly id: ConnectionId
  readonly idempotency: Option.Option<Idempotency>
}

/** Others wrote the connection between reading and writing it, again and again. */
export class Overtaken extends Data.TaggedError("Overtaken") {}

/** The steps that connections take at the word of somebody outside; those of phases are guarded by their rows. */
export class Commits extends Context.Tag("lifecycle/Commits")<
  Commits,
  {
    /**
     * Reads, decides, writes, and tells whoever waits; if somebody else wrote in between, it does so again. Nothing is
     * decided for a request that had its effect already.
     */
    readonly step: <E>(
      mover: Mover,
      decide: (standing: StandingConnection) => Effect.Effect<Decision<E>, E>
    ) => Effect.Effect<Commit, E | ConnectionNotFound | IllegalTransition | Overtaken | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Commits,
    Effect.gen(function* () {
      const revocations = yield* Revocations
      const signals = yield* Signals
      const steps = yield* Steps
      const store = yield* ConnectionStore

      const once = <E>(
        { id, idempotency, tenancy }: Mover,
        decide: (standing: StandingConnection) => Effect.Effect<Decision<E>, E>
      ) =>
        Effect.gen(function* () {
          const standing = yield* store.standing(tenancy, id)
          const earlier = yield* Effect.transposeMapOption(idempotency, (known) => store.replay(tenancy, known))
          if (Option.isSome(earlier) && Option.isSome(earlier.value)) return earlier.value.value
          const { beside, events, refusal = Option.none() } = yield* decide(standing)
          const advanced = yield* Effect.mapError(
            steps.take(standing, events, beside),
            ({ event }) => new IllegalTransition({ from: standing.connection.state, event })
          )
          const remembered = Option.isSome(refusal) ? Option.none() : idempotency
          const commit = yield* Effect.uninterruptible(
            revocations.following(standing, advanced, store.change(tenancy, standing, advanced, remembered))
          )
          if (commit._tag === "Stale") return yield* new Overtaken()
          yield* signals.changed(id)
          yield* signals.due
          return Option.isSome(refusal) ? yield* Effect.fail(refusal.value) : commit
        })

      return {
        step: (mover, decide) =>
          Effect.retry(once(mover, decide), { schedule: soonAgain, while: (error) => error instanceof Overtaken })
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
