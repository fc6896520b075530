import { WorkflowEngine } from "@effect/workflow"
import { Context, Duration, Effect, Layer, Metric, Schedule } from "effect"
import { metrics } from "../../runtime/metrics.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { PhaseStore, type TakenPhase } from "../../persistence/stores/PhaseStore.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { phaseWorkflows } from "./PhaseWorkflows.ts"
import { PhasesInFlight } from "../slots/PhasesInFlight.ts"

/**
 * Finds due rows and starts their phases as workflows; a phase that stopped is due again, under a new attempt. Every
 * process dispatches for itself: taking a row is one guarded statement, so that no two processes take the same row.
 */
export class Dispatcher extends Context.Tag("lifecycle/Dispatcher")<
  Dispatcher,
  {
    /** Starts due phases while the process has slots, shared among the tenants; returns how many it started. */
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
        function* (due: TakenPhase) {
          const { attempt, connectionId, phase } = due
          yield* inFlight.add(due)
          yield* Metric.increment(metrics.phasesStarted.labeled(phase))
          const run = phaseWorkflows[phase].execute({ connectionId, attempt }, { discard: true })
          // The engine dies if it cannot store the run, and stores one run only once.
          yield* Effect.retry(Effect.sandbox(run), startRetry).pipe(
            Effect.catchAll((cause) =>
              Effect.zipRight(Effect.logWarning("A phase was not started, will try again", cause), inFlight.remove(due))
            )
          )
        },
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

      return {
        tick: Effect.gen(function* () {
          const free = yield* inFlight.free
          const due = free === 0 ? [] : yield* store.takeDue(free, startWithinSeconds, yield* inFlight.sharePolicy)
          yield* Effect.forEach(due, start, { concurrency: "unbounded", discard: true })
          return due.length
        })
      }
    })
  )

  /** Ticks for the life of the process: at once when a row becomes due, and every second. */
  static readonly loop = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { tick } = yield* Dispatcher
      const signals = yield* ConnectionSignals
      yield* tick.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Due phases were not started, will try again", cause)),
        Effect.zipRight(signals.awaitDue(tickInterval)),
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped
      )
    })
  )
}

const tickInterval = Duration.seconds(1)

/**
 * A process may die between taking a row and starting its workflow: then the row is due again after this time, which is
 * longer than other runners need to take over.
 */
const startWithinSeconds = 10

/** About three seconds; then the phase is started anew when it is due again. */
const startRetry = Schedule.intersect(Schedule.exponential(Duration.millis(100)), Schedule.recurs(5))

/** Measures the backlog every five seconds for the life of the process, so that reading metrics queries no database. */
export const backlogMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const store = yield* PhaseStore
    yield* store.measureBacklog.pipe(
      Effect.tap((measured) => Metric.set(metrics.phasesWaiting.metric, measured.waiting)),
      Effect.tap((measured) => Metric.set(metrics.phasesWaitingOldestSeconds.metric, measured.oldestSeconds)),
      // The store has logged it.
      Effect.ignore,
      Effect.delay(measureInterval),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

const measureInterval = Duration.seconds(5)
