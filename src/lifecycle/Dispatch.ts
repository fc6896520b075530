import { WorkflowEngine } from "@effect/workflow"
import { Context, Duration, Effect, Layer } from "effect"
import { ConnectionStore, type DuePhase } from "../persistence/ConnectionStore.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { discover } from "./Phases.ts"
import { PhasesInFlight } from "./PhasesInFlight.ts"
import { Signals } from "./Signals.ts"

/** Finds due rows and starts their phases; a phase that stopped moving is due again, under a new attempt. */
export class Dispatch extends Context.Tag("lifecycle/Dispatch")<
  Dispatch,
  {
    /** Starts what is due now, as far as there is room, and says how many phases it started. */
    readonly tick: Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Dispatch,
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const inFlight = yield* PhasesInFlight
      const engine = yield* WorkflowEngine.WorkflowEngine

      const start = Effect.fnUntraced(
        function* ({ attempt, connectionId }: DuePhase) {
          yield* inFlight.add(connectionId)
          yield* discover.execute({ connectionId, attempt }, { discard: true })
        },
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

      return {
        tick: Effect.gen(function* () {
          const free = yield* inFlight.free
          const due = free === 0 ? [] : yield* store.takeDue(free, Duration.toSeconds(sweepAfter))
          yield* Effect.forEach(due, start, { concurrency: "unbounded", discard: true })
          return due.length
        })
      }
    })
  )

  /** Ticks for the life of the process: at once when something becomes due, and every second. */
  static readonly loop = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { tick } = yield* Dispatch
      const signals = yield* Signals
      yield* tick.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Dispatch failed, will try again", cause)),
        Effect.zipRight(signals.awaitDue(lookEvery)),
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped
      )
    })
  )
}

const lookEvery = Duration.seconds(1)

/** Longer than any phase takes: discovery has ten seconds to walk and ten to read. */
const sweepAfter = Duration.seconds(60)
