import { Effect, Layer, Metric } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** The name and meaning of a metric. In `/metrics` the name of a counter gets the suffix `_total`. */
interface MetricDefinition {
  readonly name: string
  readonly kind: "counter" | "gauge"
  readonly description: string
  readonly labels: ReadonlyArray<string>
}

const describe = (kind: MetricDefinition["kind"], name: string, description: string): MetricDefinition => ({
  name,
  kind,
  description,
  labels: []
})

const counterMetric = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const counter = (name: string, description: string) => ({
  ...describe("counter", name, description),
  metric: counterMetric(name, description)
})

/** A counter with one label; the counter of each value is made once. */
const labeledCounter = (name: string, description: string, label: string) => {
  const metric = counterMetric(name, description)
  const byValue = new Map<string, typeof metric>()
  return {
    ...describe("counter", name, description),
    labels: [label],
    labeled: (value: string) => {
      const known = byValue.get(value)
      if (known !== undefined) return known
      const tagged = Metric.tagged(metric, label, value)
      byValue.set(value, tagged)
      return tagged
    }
  }
}

const gauge = (name: string, description: string) => ({
  ...describe("gauge", name, description),
  metric: Metric.gauge(name, { description })
})

/**
 * Every metric of the service, for all rooms. Names follow the conventions of Prometheus: the prefix `dcs_`, snake
 * case, and the base unit at the end.
 */
export const metrics = {
  httpRequests: labeledCounter("dcs_http_requests", "Responses by the class of their status.", "status"),
  dnsAnswersDropped: labeledCounter(
    "dcs_dns_answers_dropped",
    "Packets that did not answer the DNS question, by reason.",
    "reason"
  ),
  dnsQueriesRefused: labeledCounter("dcs_dns_queries_refused", "DNS queries that were not sent, by limit.", "reason"),
  dnsResolversUnavailable: counter(
    "dcs_dns_resolvers_unavailable",
    "Lookups that found no resolver of DNS_RESOLVERS able to answer anything new."
  ),
  phasesStarted: labeledCounter("dcs_phases_started", "Phases that this process started.", "phase"),
  phasesEnded: labeledCounter(
    "dcs_phases_ended",
    "Runs of phases that ended in this process, with or without success.",
    "phase"
  ),
  phasesFailed: labeledCounter("dcs_phases_failed", "Steps of phases that failed unexpectedly.", "phase"),
  phasesSwept: counter("dcs_phases_swept", "Phases that had stopped and were started again."),
  phasesInFlight: gauge(
    "dcs_phases_in_flight",
    "Phases that this process started, and domain checks, that hold one of its slots."
  ),
  phasesWaitingForServers: gauge(
    "dcs_phases_waiting_for_servers",
    "Phases that this process started, and domain checks, that gave their slot back while name servers or their provider have not answered."
  ),
  phasesWaiting: gauge(
    "dcs_phases_waiting",
    "Phases of all processes that are due and not started; 10000 stands for more."
  ),
  phasesWaitingOldestSeconds: gauge("dcs_phases_waiting_oldest_seconds", "How long the oldest waiting phase is due."),
  webhookAttempts: labeledCounter(
    "dcs_webhook_attempts",
    "Attempts of this process to deliver a webhook event, by how they ended.",
    "result"
  ),
  webhooksWaiting: gauge(
    "dcs_webhooks_waiting",
    "Deliveries of webhook events that are due and not attempted, to endpoints that are not paused; 10000 stands for more."
  ),
  webhooksWaitingOldestSeconds: gauge(
    "dcs_webhooks_waiting_oldest_seconds",
    "How long the oldest of these deliveries is due."
  ),
  eventLoopDelayMaxSeconds: gauge(
    "dcs_event_loop_delay_max_seconds",
    "How late the event loop ran a timer at most, in the last five seconds."
  ),
  eventLoopDelayP99Seconds: gauge(
    "dcs_event_loop_delay_p99_seconds",
    "How late the event loop ran 99 of 100 timers at most, in the last five seconds."
  ),
  rowsDeleted: labeledCounter("dcs_rows_deleted", "Expired rows that this process deleted.", "kind")
} as const

/**
 * Measures for the life of the process how late timers run, because something else kept the event loop busy: every
 * request waits as long.
 */
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
