import { expect, test } from "bun:test"
import { Effect, Metric } from "effect"
import { formatPrometheusText } from "../../../src/http/pages/MonitoringRoutes.ts"

test("counters and gauges are written by name, each with its help, its type and its labels", () => {
  const requests = Metric.counter("dcs_test_requests", { description: "Requests\nby \\ kind." })
  const depth = Metric.gauge("dcs_test_depth")
  const text = Effect.gen(function* () {
    yield* Metric.incrementBy(Metric.tagged(requests, "kind", 'a "b"\n\\'), 2)
    yield* Metric.incrementBy(requests, 3)
    yield* Metric.set(depth, 0.5)
    yield* Metric.update(Metric.frequency("dcs_test_words"), "not shown")
    const pairs = yield* Metric.snapshot
    return formatPrometheusText(pairs.filter(({ metricKey }) => metricKey.name.startsWith("dcs_test_")))
  })
  expect(Effect.runSync(text)).toBe(
    [
      "# TYPE dcs_test_depth gauge",
      "dcs_test_depth 0.5",
      "# HELP dcs_test_requests_total Requests\\nby \\\\ kind.",
      "# TYPE dcs_test_requests_total counter",
      "dcs_test_requests_total 3",
      'dcs_test_requests_total{kind="a \\"b\\"\\n\\\\"} 2',
      ""
    ].join("\n")
  )
})

test("without metrics the text is empty", () => expect(formatPrometheusText([])).toBe(""))
