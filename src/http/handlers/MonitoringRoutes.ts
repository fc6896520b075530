import { HttpServerResponse } from "@effect/platform"
import { Array, Effect, Layer, Metric, type MetricPair, MetricState, Option } from "effect"
import { DatabaseReadiness } from "../../persistence/postgres/DatabaseReadiness.ts"
import { Drain } from "../middleware/Drain.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"

/**
 * Routes for monitoring, which require no key. `/healthz`: the process answers. `/readyz`: the service can take
 * requests, since it is not draining and its database answers and can be written to. `/metrics`: the metrics of this
 * process for Prometheus, without a query.
 */
export const MonitoringRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const drain = yield* Drain
    const database = yield* DatabaseReadiness
    yield* addPublicRoute("/healthz", HttpServerResponse.unsafeJson({ status: "ok" }))
    yield* addPublicRoute(
      "/readyz",
      Effect.map(Effect.all([drain.isDraining, database.findProblems]), ([isDraining, problems]) =>
        respondWithReadiness([...(isDraining ? ["draining"] : []), ...problems])
      )
    )
    yield* addPublicRoute(
      "/metrics",
      Effect.map(Metric.snapshot, (pairs) =>
        HttpServerResponse.text(formatPrometheusText(pairs), {
          contentType: "text/plain; version=0.0.4; charset=utf-8"
        })
      )
    )
  })
)

const respondWithReadiness = (notReady: ReadonlyArray<string>) =>
  notReady.length === 0
    ? HttpServerResponse.unsafeJson({ status: "ready" })
    : HttpServerResponse.unsafeJson({ status: "not_ready", notReady }, { status: 503 })

/** Prints counters and gauges in the text format of Prometheus, version 0.0.4; counters get the suffix `_total`. */
export const formatPrometheusText = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
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
  const { name } = metricKey
  const help = Option.getOrElse(metricKey.description, () => "")
  const labels = metricKey.tags
    .map(({ key, value }) => `${key}="${escapeText(value).replaceAll('"', '\\"')}"`)
    .join(",")
  if (MetricState.isCounterState(metricState)) {
    return Option.some({ name: `${name}_total`, kind: "counter", help, labels, value: String(metricState.count) })
  }
  return MetricState.isGaugeState(metricState)
    ? Option.some({ name, kind: "gauge", help, labels, value: String(metricState.value) })
    : Option.none()
}

const linesOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> => [
  ...samples
    .slice(0, 1)
    .flatMap(({ help, kind, name }) => [
      ...(help === "" ? [] : [`# HELP ${name} ${escapeText(help)}`]),
      `# TYPE ${name} ${kind}`
    ]),
  ...samples.map(({ labels, name, value }) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`).toSorted()
]

const escapeText = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
