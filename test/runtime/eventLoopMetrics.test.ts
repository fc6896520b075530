import { expect, test } from "bun:test"
import { Effect, Fiber, Layer, Metric, TestClock, TestContext } from "effect"
import { eventLoopMetrics } from "../../src/runtime/eventLoopMetrics.ts"
import { metrics } from "../../src/runtime/metrics.ts"

/** Keeps the event loop busy. */
const block = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

test("the longest delay of the event loop in the last interval is a metric", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Layer.launch(eventLoopMetrics))
    // The monitor counts a delay with its next timer, which may come after the end of the interval.
    const measure = Effect.gen(function* () {
      block(300)
      yield* Effect.promise(() => Bun.sleep(50))
      yield* TestClock.adjust("5 seconds")
      const max = yield* Metric.value(metrics.eventLoopDelayMaxSeconds.metric)
      const p99 = yield* Metric.value(metrics.eventLoopDelayP99Seconds.metric)
      return { max: max.value, p99: p99.value }
    })
    const { max, p99 } = yield* Effect.repeat(measure, { until: ({ max }) => max > 0.2, times: 10 })
    expect(max).toBeGreaterThan(0.2)
    expect(p99).toBeLessThanOrEqual(max)
    yield* Fiber.interrupt(fiber)
  }).pipe(Effect.provide(TestContext.TestContext), Effect.runPromise))
