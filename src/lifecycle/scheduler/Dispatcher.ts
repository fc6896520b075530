import { WorkflowEngine } from "@effect/workflow"
import { Context, Duration, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type DuePhase, PhaseStore } from "../../persistence/stores/PhaseStore.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { phaseWorkflows } from "./PhaseWorkflows.ts"
import { PhasesInFlight } from "./PhasesInFlight.ts"
import { countStarted } from "./phaseMetrics.ts"

/**
 * Finds due rows and starts their phases; a phase that stopped moving is due again, under a new attempt. Every process
 * does so for itself: taking a row is one guarded statement, so that no two take the same.
 */
export class Dispatcher extends Context.Tag("lifecycle/Dispatcher")<
  Dispatcher,
  {
    /** Starts what is due now, as far as there is room, and says how many phases it started. */
    readonly tick: Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const store = yield* PhaseStore
      const inFlight = yield* PhasesInFlight
      const engine = yield* WorkflowEngine.WorkflowEngine

      const start = Effect.fnUntraced(
        function* (due: DuePhase) {
          const { attempt, connectionId, phase } = due
          yield* inFlight.add(due)
          yield* countStarted(phase)
          yield* phaseWorkflows[phase].execute({ connectionId, attempt }, { discard: true })
        },
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

      return {
        tick: Effect.gen(function* () {
          const free = yield* inFlight.free
          const due = free === 0 ? [] : yield* store.takeDue(free, beginWithinSeconds)
          yield* Effect.forEach(due, start, { concurrency: "unbounded", discard: true })
          return due.length
        })
      }
    })
  )

  /** Ticks for the life of the process: at once when something becomes due, and every second. */
  static readonly loop = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { tick } = yield* Dispatcher
      const signals = yield* ConnectionSignals
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

/** Who took a phase may die before the engine knows of it; longer than runners take over from one that died. */
const beginWithinSeconds = 10
