import { Duration, Effect, Layer, Metric } from "effect"
import type { Phase } from "../../domain/Transition.ts"
import { metrics } from "../../metrics.ts"
import { Backlog } from "../../persistence/stores/Backlog.ts"

export const countStarted = (phase: Phase) => Metric.increment(metrics.phasesStarted.labeled(phase))
export const countEnded = (phase: Phase) => Metric.increment(metrics.phasesEnded.labeled(phase))
export const countFailed = (phase: Phase) => Metric.increment(metrics.phasesFailed.labeled(phase))
export const setInFlight = (count: number) => Metric.set(metrics.phasesInFlight.metric, count)

/** Measures the backlog every five seconds for the life of the process, so that reading metrics queries no database. */
export const backlogMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const backlog = yield* Backlog
    yield* backlog.measure.pipe(
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
