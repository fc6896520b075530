import { Effect, Layer, Metric } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { metrics } from "./metrics.ts"

/** Measures for the life of the process how late timers run because something else kept the event loop busy. */
export const eventLoopMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const delays = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const monitor = monitorEventLoopDelay({ resolution: 10 })
        monitor.enable()
        return monitor
      }),
      (monitor) => Effect.sync(() => monitor.disable())
    )
    yield* Effect.suspend(() => {
      // The histogram rounds percentiles, up to beyond the maximum.
      const max = delays.max
      const p99 = Math.min(delays.percentile(99), max)
      delays.reset()
      return Effect.zipRight(
        Metric.set(metrics.eventLoopDelayMaxSeconds.metric, max / nanosPerSecond),
        Metric.set(metrics.eventLoopDelayP99Seconds.metric, p99 / nanosPerSecond)
      )
    }).pipe(Effect.delay("5 seconds"), Effect.forever, Effect.forkScoped)
  })
)

const nanosPerSecond = 1e9
