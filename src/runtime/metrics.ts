import { Effect, Layer, Metric, MetricBoundaries, MetricLabel } from "effect"

/** The name and meaning of a metric. In `/metrics` the name of a counter gets the suffix `_total`. */
interface MetricDefinition {
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  readonly description: string
  readonly labels: ReadonlyArray<string>
  /** Makes each series exist whose labels are known before anything is counted. */
  readonly begin: Effect.Effect<void>
}

const describe = <Kind extends MetricDefinition["kind"]>(kind: Kind, name: string, description: string) => ({
  name,
  kind,
  description,
  labels: [] as ReadonlyArray<string>,
  begin: Effect.void
})

const counterMetric = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const beginCounter = (metric: ReturnType<typeof counterMetric>) => Metric.incrementBy(metric, 0)

const counter = (name: string, description: string) => {
  const metric = counterMetric(name, description)
  return { ...describe("counter", name, description), metric, begin: beginCounter(metric) }
}

/** Makes what returns the series with these values of the labels; each is made once. */
const makeSeries = <Type, In, Out>(metric: Metric.Metric<Type, In, Out>, labels: ReadonlyArray<string>) => {
  const known = new Map<string, Metric.Metric<Type, In, Out>>()
  return (...values: ReadonlyArray<string>): Metric.Metric<Type, In, Out> => {
    const key = values.join("\n")
    const found = known.get(key)
    if (found !== undefined) return found
    const tags = labels.map((label, index) => MetricLabel.make(label, values[index] ?? ""))
    const tagged = Metric.taggedWithLabels(metric, tags)
    known.set(key, tagged)
    return tagged
  }
}

/** A counter with one label, which has one of these values. */
const labeledCounter = <Value extends string>(
  name: string,
  description: string,
  label: string,
  values: ReadonlyArray<Value>
) => {
  const labeled: (value: Value) => ReturnType<typeof counterMetric> = makeSeries(counterMetric(name, description), [
    label
  ])
  const begin = Effect.forEach(values, (value) => beginCounter(labeled(value)), { discard: true })
  return { ...describe("counter", name, description), labels: [label], labeled, begin }
}

/** A counter with labels whose values are known later, but for those of the last one. */
const counters = (
  name: string,
  description: string,
  labels: ReadonlyArray<string>,
  lastValues: ReadonlyArray<string>
) => {
  const labeled = makeSeries(counterMetric(name, description), labels)
  const begun = new Set<string>()
  return {
    ...describe("counter", name, description),
    labels,
    labeled,
    /** Makes each series with these values of the other labels exist, as `begin` does where all are known. */
    beginWith: (values: ReadonlyArray<string>, environment: ReadonlyArray<MetricLabel.MetricLabel>): void => {
      const key = [...values, ...environment.map(({ value }) => value)].join("\n")
      if (begun.has(key)) return
      begun.add(key)
      for (const last of lastValues) labeled(...values, last).unsafeUpdate(0, environment)
    }
  }
}

const gauge = (name: string, description: string) => ({
  ...describe("gauge", name, description),
  metric: Metric.gauge(name, { description })
})

const labeledGauge = (name: string, description: string, ...labels: ReadonlyArray<string>) => ({
  ...describe("gauge", name, description),
  labels,
  labeled: makeSeries(Metric.gauge(name, { description }), labels)
})

/** How long something took, in seconds: few buckets, since each is a series for all values of the labels. */
const histogram = (
  name: string,
  description: string,
  seconds: ReadonlyArray<number>,
  ...labels: ReadonlyArray<string>
) => ({
  ...describe("histogram", name, description),
  labels,
  labeled: makeSeries(Metric.histogram(name, MetricBoundaries.fromIterable(seconds), description), labels)
})

const secondsOfAnswers = [0.005, 0.025, 0.1, 0.5, 2.5, 10]

const secondsOfPhases = [0.1, 0.5, 2.5, 10, 60, 300]

/** What a call to a provider can come to. */
export const callResults = ["ok", "refused", "rate_limited", "rejected", "failing", "unreachable", "timed_out"] as const

const phases = ["discover", "provision", "verify", "restore", "expire"] as const

/** The label of what test mode does not do. Updates of callbacks, which have no fiber, name it. */
export const liveLabels = [MetricLabel.make("environment", "live")]

/** Every metric. Names follow Prometheus: the prefix `dcs_`, snake case, and the base unit at the end. */
export const metrics = {
  httpRequests: counters(
    "dcs_http_requests",
    "Responses by route, method and class of their status.",
    ["route", "method", "status"],
    ["2xx", "4xx", "5xx"]
  ),
  httpRefusals: labeledCounter(
    "dcs_http_refusals",
    "Responses without a valid credential (401) and above a limit (429).",
    "status",
    ["401", "429"]
  ),
  httpRequestDuration: histogram(
    "dcs_http_request_duration_seconds",
    "How long requests took until their response began, by route and method.",
    secondsOfAnswers,
    "route",
    "method"
  ),
  connections: labeledGauge("dcs_connections", "Connections of all processes that have not ended, by state.", "state"),
  connectionsFailed: labeledGauge(
    "dcs_connections_failed",
    "Connections of all processes that are failed or degraded, by the code of their failure.",
    "failure"
  ),
  dnsAnswersDropped: labeledCounter(
    "dcs_dns_answers_dropped",
    "Packets that did not answer the DNS question, by reason.",
    "reason",
    [
      "too_short",
      "label_type_unknown",
      "pointer_not_backwards",
      "name_too_long",
      "too_many_labels",
      "data_length_wrong",
      "wrong_id",
      "not_an_answer",
      "wrong_question",
      "wrong_owner",
      "class_not_in",
      "too_many_records",
      "trailing_bytes",
      "too_long"
    ]
  ),
  looks: labeledCounter("dcs_looks", "Looks at active connections, by result.", "result", ["same", "changed"]),
  looksWaitingOldestSeconds: gauge("dcs_looks_waiting_oldest_seconds", "How late the oldest look is that is due."),
  dnsQueriesRefused: labeledCounter("dcs_dns_queries_refused", "DNS queries that were not sent, by limit.", "reason", [
    "busy",
    "remembered",
    "server_ended",
    "survey",
    "resolution",
    "answers"
  ]),
  dnsQueries: labeledCounter(
    "dcs_dns_queries",
    "DNS queries that were sent, by result: `answered`, or why not.",
    "result",
    [
      "answered",
      "address_not_reachable",
      "no_route",
      "busy",
      "timed_out",
      "malformed",
      "truncated",
      "format_error",
      "server_failure",
      "refused",
      "lame",
      "budget_spent"
    ]
  ),
  dnsQueryDuration: histogram(
    "dcs_dns_query_duration_seconds",
    "How long DNS queries took that were sent.",
    secondsOfAnswers
  ),
  providerCalls: counters(
    "dcs_provider_calls",
    "Calls of providers: `result` is `ok`, `refused` (401, 403), `rate_limited`, `rejected`, `failing` (5xx), `unreachable` or `timed_out`.",
    ["provider", "result"],
    callResults
  ),
  providerCallDuration: histogram(
    "dcs_provider_call_duration_seconds",
    "How long calls of providers took, by provider.",
    secondsOfAnswers,
    "provider"
  ),
  dnsResolversUnavailable: counter(
    "dcs_dns_resolvers_unavailable",
    "Lookups that found no resolver of DNS_RESOLVERS able to answer anything new."
  ),
  phasesStarted: labeledCounter("dcs_phases_started", "Phases that this process started.", "phase", phases),
  phasesEnded: labeledCounter(
    "dcs_phases_ended",
    "Runs of phases that ended in this process, with or without success.",
    "phase",
    phases
  ),
  phasesFailed: labeledCounter("dcs_phases_failed", "Steps of phases that failed unexpectedly.", "phase", phases),
  phaseDuration: histogram(
    "dcs_phase_duration_seconds",
    "How long runs of phases took, by phase.",
    secondsOfPhases,
    "phase"
  ),
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
    "result",
    ["delivered", "status", "redirect", "timeout", "connection", "address_not_allowed", "secret_unreadable"]
  ),
  webhookAttemptDuration: histogram(
    "dcs_webhook_attempt_duration_seconds",
    "How long attempts to deliver a webhook event took.",
    secondsOfAnswers
  ),
  webhookEndpointsPaused: gauge(
    "dcs_webhook_endpoints_paused",
    "Endpoints that get no events until somebody resumes them."
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
  rowsDeleted: labeledCounter("dcs_rows_deleted", "Expired rows that this process deleted.", "kind", [
    "credentials",
    "browserTokens",
    "idempotencyRecords",
    "leases",
    "webhookDeliveries",
    "webhookEvents",
    "testZones",
    "auditEntries",
    "usageChanges",
    "tenantUsage",
    "journals",
    "connections"
  ]),
  databaseConnections: labeledGauge(
    "dcs_database_connections",
    "Connections of a pool of this process to the database, by `state`: `used`, or `idle`.",
    "pool",
    "state"
  ),
  databaseWaitMaxSeconds: labeledGauge(
    "dcs_database_wait_max_seconds",
    "How long a statement waited for a connection of a full pool at most, in the last five seconds.",
    "pool"
  ),
  buildInfo: labeledGauge("dcs_build_info", "The version of this process, as a label of 1.", "version", "process"),
  processMemory: gauge("dcs_process_resident_memory_bytes", "The resident memory of this process."),
  processCpu: counter("dcs_process_cpu_seconds", "The processor time of this process."),
  processDescriptors: gauge("dcs_process_open_descriptors", "The open descriptors of this process."),
  processDescriptorLimit: gauge("dcs_process_max_descriptors", "How many descriptors this process may have open.")
} as const

/** Begins every counter with zero, so that the first event is an increase. */
export const beginMetrics = Layer.effectDiscard(
  Effect.forEach(Object.values(metrics), ({ begin }) => begin, { discard: true })
)
