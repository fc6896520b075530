import { expect, test } from "bun:test"
import { Effect, Metric } from "effect"
import { readFileSync } from "node:fs"
import { formatPrometheusText } from "../../src/http/pages/MonitoringRoutes.ts"
import { metrics } from "../../src/runtime/metrics.ts"

const definitions = Object.values(metrics)

const baseUnits = ["seconds", "bytes", "ratio"]

/** Units that Prometheus wants converted into base units. */
const otherUnits = [
  "ms",
  "millis",
  "milliseconds",
  "micros",
  "minutes",
  "hours",
  "days",
  "kb",
  "mb",
  "kilobytes",
  "percent"
]

definitions.forEach(({ description, kind, labels, name }) =>
  test(`${name} follows the naming conventions of Prometheus`, () => {
    expect(name).toMatch(/^dcs(_[a-z][a-z0-9]*)+$/)
    expect(name).not.toMatch(/_(total|count|sum|bucket|info)$/)
    expect(name.split("_").filter((word) => otherUnits.includes(word))).toEqual([])
    expect(
      name
        .split("_")
        .slice(0, -1)
        .filter((word) => baseUnits.includes(word))
    ).toEqual([])
    expect(["counter", "gauge"]).toContain(kind)
    expect(description).toMatch(/^[A-Z].*\.$/)
    labels.forEach((label) => {
      expect(label).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(label).not.toBe("le")
    })
  })
)

test("no two metrics have the same name", () => {
  const names = definitions.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test("/metrics prints each metric once, with HELP and TYPE; counters end in _total exactly once", () => {
  const text = Effect.runSync(
    Effect.gen(function* () {
      yield* Metric.increment(metrics.httpRequests.labeled("2xx"))
      yield* Metric.increment(metrics.dnsAnswersDropped.labeled("too_short"))
      yield* Metric.increment(metrics.dnsQueriesRefused.labeled("busy"))
      yield* Metric.increment(metrics.dnsResolversUnavailable.metric)
      yield* Metric.increment(metrics.phasesStarted.labeled("discover"))
      yield* Metric.increment(metrics.phasesEnded.labeled("discover"))
      yield* Metric.increment(metrics.phasesFailed.labeled("discover"))
      yield* Metric.increment(metrics.phasesSwept.metric)
      yield* Metric.increment(metrics.rowsDeleted.labeled("event"))
      yield* Metric.increment(metrics.webhookAttempts.labeled("delivered"))
      yield* Metric.set(metrics.webhooksWaiting.metric, 1)
      yield* Metric.set(metrics.webhooksWaitingOldestSeconds.metric, 1)
      yield* Metric.set(metrics.phasesInFlight.metric, 1)
      yield* Metric.set(metrics.phasesWaitingForServers.metric, 1)
      yield* Metric.set(metrics.phasesWaiting.metric, 1)
      yield* Metric.set(metrics.phasesWaitingOldestSeconds.metric, 1)
      yield* Metric.set(metrics.eventLoopDelayMaxSeconds.metric, 0.25)
      yield* Metric.set(metrics.eventLoopDelayP99Seconds.metric, 0.01)
      return formatPrometheusText(yield* Metric.snapshot)
    })
  )
  const lines = text.split("\n")
  definitions.forEach(({ description, kind, labels, name }) => {
    const printed = kind === "counter" ? `${name}_total` : name
    expect(lines.filter((line) => line === `# HELP ${printed} ${description}`)).toHaveLength(1)
    expect(lines.filter((line) => line === `# TYPE ${printed} ${kind}`)).toHaveLength(1)
    const samples = lines.filter((line) => line.startsWith(`${printed}{`) || line.startsWith(`${printed} `))
    expect(samples.length).toBeGreaterThan(0)
    samples.forEach((sample) => expect([...sample.matchAll(/(\w+)="/g)].map(([, label]) => label)).toEqual([...labels]))
  })
  expect(text).not.toContain("_total_total")
  expect(lines.filter((line) => line !== "" && !/^(# (HELP|TYPE) )?dcs_/.test(line))).toEqual([])
})

test("every metric of the service is declared in src/runtime/metrics.ts", () => {
  const sources = [...new Bun.Glob("**/*.ts").scanSync(new URL("../../src", import.meta.url).pathname)]
  const declaring = sources.filter((file) =>
    /Metric\.(counter|gauge|histogram|summary|frequency|timer)\w*\(/.test(
      readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")
    )
  )
  expect(declaring).toEqual(["runtime/metrics.ts"])
})

test("docs/operations.md describes every metric", () => {
  const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8")
  const described = [...page.matchAll(/`dcs_(\w+)`(?:, `…_(\w+)`)?(?:, `…_(\w+)`)?/g)].flatMap(
    ([, name = "", ...ends]) => [`dcs_${name}`, ...ends.flatMap((end) => (end === undefined ? [] : [end]))]
  )
  const isDescribed = (name: string) =>
    described.some((one) => one === name || (!one.startsWith("dcs_") && name.endsWith(`_${one}`)))
  const printed = definitions.map(({ kind, name }) => (kind === "counter" ? `${name}_total` : name))
  expect(printed.filter((name) => !isDescribed(name))).toEqual([])
})
