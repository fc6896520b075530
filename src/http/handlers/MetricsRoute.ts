import { Array, Metric, type MetricPair, MetricState, Option } from "effect"

const requests = Metric.counter("dcs_http_requests", {
  description: "Answers by the class of their status.",
  incremental: true
})

const classes = ["1xx", "2xx", "3xx", "4xx", "5xx"].map((status) => Metric.tagged(requests, "status", status))

/** Counts an answer of this status. */
export const countResponse = (status: number) => Metric.increment(classes[Math.floor(status / 100) - 1] ?? requests)

/** Counters and gauges in the text format of Prometheus, version 0.0.4; counters get the suffix `_total`. */
export const prometheusText = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const families = Array.groupBy(Array.filterMap(pairs, sampleOf), ({ name }) => name)
  return Object.keys(families)
    .toSorted()
    .flatMap((name) => linesOf(families[name] ?? []))
    .map((line) => `${line}\n`)
    .join("")
}

interface Sample {
  readonly name: string
  readonly kind: "counter" | "gauge"
  readonly help: string
  readonly labels: string
  readonly value: string
}

const sampleOf = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): Option.Option<Sample> => {
  const help = Option.getOrElse(metricKey.description, () => "")
  const labels = metricKey.tags.map(({ key, value }) => `${key}="${escaped(value).replaceAll('"', '\\"')}"`).join(",")
  if (MetricState.isCounterState(metricState)) {
    return Option.some({
      name: `${metricKey.name}_total`,
      kind: "counter",
      help,
      labels,
      value: String(metricState.count)
    })
  }
  return MetricState.isGaugeState(metricState)
    ? Option.some({ name: metricKey.name, kind: "gauge", help, labels, value: String(metricState.value) })
    : Option.none()
}

const linesOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> => [
  ...samples
    .slice(0, 1)
    .flatMap(({ help, kind, name }) => [
      ...(help === "" ? [] : [`# HELP ${name} ${escaped(help)}`]),
      `# TYPE ${name} ${kind}`
    ]),
  ...samples.map(({ labels, name, value }) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`).toSorted()
]

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
