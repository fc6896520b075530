import { HttpServerResponse } from "@effect/platform"
import { Array, Deferred, Effect, FiberId, Layer, Metric, type MetricPair, MetricState, Option } from "effect"
import { MonotonicClock } from "../../runtime/MonotonicClock.ts"
import { DatabaseReadiness } from "../../persistence/postgres/DatabaseReadiness.ts"
import { Drain } from "../pipeline/Drain.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { listenFor } from "../pipeline/serve.ts"

/**
 * Monitoring, without a key. `/healthz`: the process answers. `/readyz`: it is not draining, and its database answers and
 * can be written to; all calls of a second share one query. `/metrics`: for Prometheus, without a query.
 */
export const monitoringRoutes = ({ host, metricsPort = 0 }: MonitoringSettings) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const drain = yield* Drain
      const findProblems = yield* shareForOneSecond((yield* DatabaseReadiness).findProblems)
      yield* servePage("/healthz", () => HttpServerResponse.unsafeJson({ status: "ok" }))
      yield* servePage("/readyz", () =>
        Effect.map(findProblems, (problems) =>
          respondWithReadiness([...(drain.isLeaving() ? ["draining"] : []), ...problems])
        )
      )
      if (metricsPort === 0)
        yield* servePage("/metrics", () =>
          Effect.map(printMetrics, (text) => HttpServerResponse.text(text, { contentType }))
        )
      else
        yield* listenFor("/metrics", { host, port: metricsPort }, () =>
          Effect.runSync(
            Effect.map(printMetrics, (text) => new Response(text, { headers: { "content-type": contentType } }))
          )
        )
    })
  )

interface MonitoringSettings {
  readonly host: string
  readonly metricsPort?: number
}

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const printMetrics = Effect.map(Metric.snapshot, (pairs) => formatPrometheusText(pairs))

/** Shares one run among all who ask while it runs or less than a second after its start. It never fails. */
const shareForOneSecond = <A>(run: Effect.Effect<A>) =>
  Effect.zipWith(MonotonicClock, Effect.scope, (clock, scope) => {
    let latest: { readonly result: Deferred.Deferred<A>; readonly startedAt: number; isRunning: boolean } | undefined

    return Effect.suspend(() => {
      const now = clock.nowMillis()
      if (latest !== undefined && (latest.isRunning || now - latest.startedAt < 1_000))
        return Deferred.await(latest.result)
      const started = { result: Deferred.unsafeMake<A>(FiberId.none), startedAt: now, isRunning: true }
      latest = started
      // On a fiber of its own, since whoever asked first may go away.
      return run.pipe(
        Effect.intoDeferred(started.result),
        Effect.ensuring(Effect.sync(() => (started.isRunning = false))),
        Effect.forkIn(scope),
        Effect.zipRight(Deferred.await(started.result))
      )
    })
  })

const respondWithReadiness = (notReady: ReadonlyArray<string>) =>
  notReady.length === 0
    ? HttpServerResponse.unsafeJson({ status: "ready" })
    : HttpServerResponse.unsafeJson({ status: "not_ready", notReady }, { status: 503 })

/** Prints the metrics in the text format of Prometheus, version 0.0.4; counters get the suffix `_total`. */
export const formatPrometheusText = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const ofService = pairs.filter(({ metricKey: { name } }) => name.startsWith(metricPrefix))
  const families = Array.groupBy(Array.filterMap(ofService, sampleOf), ({ name }) => name)
  return Object.keys(families)
    .toSorted()
    .flatMap((name) => linesOf(families[name] ?? []))
    .map((line) => `${line}\n`)
    .join("")
}

/** The runtime has metrics of its own, whose counters also fall. */
const metricPrefix = "dcs_"

interface Sample {
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  readonly help: string
  /** The text after the name on each of its lines: labels and value. */
  readonly lines: ReadonlyArray<string>
}

const sampleOf = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): Option.Option<Sample> => {
  const { name, tags } = metricKey
  const help = Option.getOrElse(metricKey.description, () => "")
  const labels = tags.map(({ key, value }): Label => [key, value])
  if (MetricState.isCounterState(metricState)) {
    const lines = [formatSample(`${name}_total`, labels, metricState.count)]
    return Option.some({ name: `${name}_total`, kind: "counter", help, lines })
  }
  if (MetricState.isHistogramState(metricState)) {
    const { buckets, count, sum } = metricState
    const lines = [
      ...[...buckets].map(([end, within]) =>
        formatSample(`${name}_bucket`, [...labels, ["le", end === Infinity ? "+Inf" : `${end}`]], within)
      ),
      formatSample(`${name}_sum`, labels, sum),
      formatSample(`${name}_count`, labels, count)
    ]
    return Option.some({ name, kind: "histogram", help, lines })
  }
  return MetricState.isGaugeState(metricState)
    ? Option.some({ name, kind: "gauge", help, lines: [formatSample(name, labels, metricState.value)] })
    : Option.none()
}

type Label = readonly [name: string, value: string]

const formatSample = (name: string, labels: ReadonlyArray<Label>, value: number | bigint): string => {
  const pairs = labels.map(([label, text]) => `${label}="${escapeText(text).replaceAll('"', '\\"')}"`)
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`
}

const linesOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> => [
  ...samples
    .slice(0, 1)
    .flatMap(({ help, kind, name }) => [
      ...(help === "" ? [] : [`# HELP ${name} ${escapeText(help)}`]),
      `# TYPE ${name} ${kind}`
    ]),
  ...samples
    .toSorted((one, other) => ((one.lines[0] ?? "") < (other.lines[0] ?? "") ? -1 : 1))
    .flatMap(({ lines }) => lines)
]

const escapeText = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
