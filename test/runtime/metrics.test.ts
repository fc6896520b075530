import { expect, test } from "bun:test"
import { OpenApi } from "@effect/platform"
import { Effect, Metric, MetricLabel } from "effect"
import { readFileSync } from "node:fs"
import { FailureCode } from "../../src/domain/connection/Connection.ts"
import { Api } from "../../src/http/endpoints/Api.ts"
import { catalogAdapters } from "../../src/providers/catalog/catalogAdapters.ts"
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
    expect(name).not.toMatch(/_(total|count|sum|bucket)$/)
    expect(name.split("_").filter((word) => otherUnits.includes(word))).toEqual([])
    expect(
      name
        .split("_")
        .slice(0, -1)
        .filter((word) => baseUnits.includes(word))
    ).toEqual([])
    expect(["counter", "gauge", "histogram"]).toContain(kind)
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
      yield* Effect.forEach(definitions, ({ begin }) => begin)
      yield* Metric.increment(metrics.httpRequests.labeled("/v1/connections", "GET", "2xx"))
      yield* Metric.increment(metrics.providerCalls.labeled("desec", "ok"))
      for (const definition of definitions) {
        const values = definition.labels.map((label) => `a-${label}`)
        if (definition.kind === "histogram") definition.labeled(...values).unsafeUpdate(1, [])
        else if (definition.kind === "gauge")
          ("metric" in definition ? definition.metric : definition.labeled(...values)).unsafeUpdate(1, [])
      }
      return formatPrometheusText(yield* Metric.snapshot)
    })
  )
  const lines = text.split("\n")
  definitions.forEach(({ description, kind, labels, name }) => {
    const printed = kind === "counter" ? `${name}_total` : name
    expect(lines.filter((line) => line === `# HELP ${printed} ${description}`)).toHaveLength(1)
    expect(lines.filter((line) => line === `# TYPE ${printed} ${kind}`)).toHaveLength(1)
    const series = kind === "histogram" ? `${printed}_bucket` : printed
    const samples = lines.filter((line) => line.startsWith(`${series}{`) || line.startsWith(`${series} `))
    expect(samples.length).toBeGreaterThan(0)
    const printedLabels = kind === "histogram" ? [...labels, "le"] : [...labels]
    // Other tests of the same process may have counted what is live.
    samples.forEach((sample) =>
      expect(
        [...sample.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== "environment")
      ).toEqual(printedLabels)
    )
  })
  expect(text).not.toContain("_total_total")
  expect(lines.filter((line) => line !== "" && !/^(# (HELP|TYPE) )?dcs_/.test(line))).toEqual([])
})

test("all routes and all providers, in both environments, make at most 3,000 series", () => {
  // Those that other tests of the process made with names of their own do not count.
  const before = new Set(listSeries())
  const routes = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => [path, method.toUpperCase()] as const)
  )
  const pages = Array.from({ length: 25 }, (_, nth) => [`/page-${nth}`, "GET"] as const)
  const live = [MetricLabel.make("environment", "live")]
  const test = [MetricLabel.make("environment", "test")]
  for (const [labels, paths] of [
    [live, [...routes, ...pages]],
    [test, routes]
  ] as const)
    for (const [route, method] of paths) {
      metrics.httpRequestDuration.labeled(route, method).unsafeUpdate(1, labels)
      metrics.httpRequests.beginWith([route, method], labels)
    }
  for (const provider of [...Object.keys(catalogAdapters), "test-provider"]) {
    metrics.providerCallDuration.labeled(provider).unsafeUpdate(1, live)
    metrics.providerCalls.beginWith([provider], live)
  }
  for (const failure of FailureCode.literals) Effect.runSync(Metric.set(metrics.connectionsFailed.labeled(failure), 1))
  const added = listSeries().filter((series) => !before.has(series))
  expect(added).toContain('dcs_http_requests_total{route="/page-1",method="GET",status="5xx",environment="live"}')
  expect(added).toContain('dcs_provider_calls_total{provider="test-provider",result="failing",environment="live"}')
  expect(added.length).toBeLessThan(3_000)
})

const listSeries = (): ReadonlyArray<string> =>
  formatPrometheusText(Effect.runSync(Metric.snapshot))
    .split("\n")
    .flatMap((line) => (line.startsWith("dcs_") ? [line.replace(/ [^ ]+$/, "")] : []))

test("every metric of the service is declared in src/runtime/metrics.ts", () => {
  const sources = [...new Bun.Glob("**/*.ts").scanSync(new URL("../../src", import.meta.url).pathname)]
  const declaring = sources.filter((file) =>
    /Metric\.(counter|gauge|histogram|summary|frequency|timer)\w*\(/.test(
      readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")
    )
  )
  expect(declaring).toEqual(["runtime/metrics.ts"])
})
