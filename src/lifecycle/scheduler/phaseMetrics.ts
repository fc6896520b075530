import { Duration, Effect, Layer, Metric } from "effect"
import type { Phase } from "../../domain/Phase.ts"
import { Backlog } from "../../persistence/stores/Backlog.ts"

const started = Metric.counter("dcs_phases_started", {
  description: "Phases that this process started.",
  incremental: true
})
const ended = Metric.counter("dcs_phases_ended", {
  description: "Runs of phases that ended in this process, however they went.",
  incremental: true
})
const failed = Metric.counter("dcs_phases_failed", {
  description: "Steps of phases that failed unexpectedly.",
  incremental: true
})
const inFlight = Metric.gauge("dcs_phases_in_flight", {
  description: "Phases that this process started and has not seen end."
})
const waiting = Metric.gauge("dcs_phases_waiting", {
  description: "Phases of all processes that are due and not started; 10000 stands for more."
})
const oldest = Metric.gauge("dcs_phases_waiting_oldest_seconds", { description: "How long the oldest of them is due." })

export const countStarted = (phase: Phase) => Metric.increment(Metric.tagged(started, "phase", phase))
export const countEnded = (phase: Phase) => Metric.increment(Metric.tagged(ended, "phase", phase))
export const countFailed = (phase: Phase) => Metric.increment(Metric.tagged(failed, "phase", phase))
export const setInFlight = (count: number) => Metric.set(inFlight, count)

/** Measures the backlog every five seconds for the life of the process, so that reading metrics queries no database. */
export const backlogMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const backlog = yield* Backlog
    yield* backlog.measure.pipe(
      Effect.tap((measured) => Metric.set(waiting, measured.waiting)),
      Effect.tap((measured) => Metric.set(oldest, measured.oldestSeconds)),
      // The store has logged it.
      Effect.ignore,
      Effect.delay(measureInterval),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

const measureInterval = Duration.seconds(5)
