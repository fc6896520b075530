import { expect, test } from "bun:test"
import { Effect, Metric } from "effect"
import { formatPrometheusText } from "../../../src/http/handlers/MonitoringRoutes.ts"

test("counters and gauges are written by name, each with its help, its type and its labels", () => {
  const requests = Metric.counter("test_requests", { description: "Requests\nby \\ kind." })
  const depth = Metric.gauge("test_depth")
  const text = Effect.gen(function* () {
    yield* Metric.incrementBy(Metric.tagged(requests, "kind", 'a "b"\n\\'), 2)
    yield* Metric.incrementBy(requests, 3)
    yield* Metric.set(depth, 0.5)
    yield* Metric.update(Metric.frequency("test_words"), "not shown")
    const pairs = yield* Metric.snapshot
    return formatPrometheusText(pairs.filter(({ metricKey }) => metricKey.name.startsWith("test_")))
  })
  expect(Effect.runSync(text)).toBe(
    [
      "# TYPE test_depth gauge",
      "test_depth 0.5",
      "# HELP test_requests_total Requests\\nby \\\\ kind.",
      "# TYPE test_requests_total counter",
      "test_requests_total 3",
      'test_requests_total{kind="a \\"b\\"\\n\\\\"} 2',
      ""
    ].join("\n")
  )
})

test("without metrics the text is empty", () => expect(formatPrometheusText([])).toBe(""))
