import { Duration, Effect, Layer, Metric } from "effect"
import { metrics } from "../../metrics/metrics.ts"
import { Backlog } from "../../persistence/stores/Backlog.ts"
import type { Phase } from "../../persistence/stores/transitionSql.ts"

export const countStarted = (phase: Phase) => Metric.increment(metrics.phasesStarted.labeled(phase))
export const countEnded = (phase: Phase) => Metric.increment(metrics.phasesEnded.labeled(phase))
export const countFailed = (phase: Phase) => Metric.increment(metrics.phasesFailed.labeled(phase))
export const setInFlight = (count: number) => Metric.set(metrics.phasesInFlight.metric, count)

/** Looks at the backlog for the life of the process, so that no reader of the metrics makes the database work. */
export const backlogMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const backlog = yield* Backlog
    yield* backlog.measure.pipe(
      Effect.tap((now) => Metric.set(metrics.phasesWaiting.metric, now.waiting)),
      Effect.tap((now) => Metric.set(metrics.phasesWaitingOldestSeconds.metric, now.oldestSeconds)),
      // The store has logged it.
      Effect.ignore,
      Effect.delay(lookEvery),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

const lookEvery = Duration.seconds(5)
