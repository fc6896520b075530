import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { testIfPossible } from "../support/describeIfPossible.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { findUnknownNames } from "./findUnknownNames.ts"

const GridPosition = Schema.Struct({ h: Schema.Int, w: Schema.Int, x: Schema.Int, y: Schema.Int })

const PanelQuery = Schema.Struct({
  expr: Schema.String,
  legendFormat: Schema.optionalWith(Schema.String, { default: () => "" })
})

const Panel = Schema.Struct({
  id: Schema.Int,
  type: Schema.String,
  title: Schema.String,
  gridPos: GridPosition,
  targets: Schema.optionalWith(Schema.Array(PanelQuery), { default: () => [] })
})

const Dashboard = Schema.Struct({
  panels: Schema.Array(Panel),
  templating: Schema.Struct({ list: Schema.Array(Schema.Struct({ name: Schema.String, query: Schema.Unknown })) })
})

const { panels, templating } = Schema.decodeUnknownSync(Schema.parseJson(Dashboard))(
  readFileSync(join(import.meta.dir, "../../ops/grafana-dashboard.json"), "utf8")
)

const queries = panels.flatMap(({ targets, title }) => targets.map((target) => ({ ...target, title })))

test("the dashboard has a row for each part of the service", () =>
  expect(panels.filter(({ type }) => type === "row").map(({ title }) => title)).toEqual([
    "Requests",
    "Connections",
    "Phases",
    "Providers",
    "DNS",
    "Webhooks",
    "Database",
    "Process"
  ]))

describe("a panel names series and labels that the service has", () => {
  test.each(queries.map((query) => [query.title, query.expr, query.legendFormat] as const))(
    "%s: %s",
    (_, expr, legend) => {
      expect(expr).toContain("dcs_")
      expect(findUnknownNames(expr, legend)).toEqual([])
    }
  )
})

test("an unknown series or label is found, also in a grouping and a legend", () => {
  expect(findUnknownNames("rate(dcs_http_requests[5m])")).toEqual(["dcs_http_requests"])
  expect(findUnknownNames('dcs_phases_ended_total{phase="verify",state="active"}')).toEqual([
    "dcs_phases_ended_total{state}"
  ])
  expect(findUnknownNames("sum by (tenant, le) (dcs_phase_duration_seconds_bucket)", "{{phase}} {{zone}}")).toEqual([
    "tenant",
    "zone"
  ])
})

test("variables choose the environment and the instances, and every variable of a query is one of the dashboard", () => {
  const own = templating.list.map(({ name }) => name)
  expect(own).toEqual(["datasource", "environment", "instance"])
  const named = queries.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name))
  expect(named.filter((name) => name !== "__rate_interval" && !own.includes(name))).toEqual([])
  expect(queries.filter(({ expr }) => !expr.includes('instance=~"$instance"'))).toEqual([])
})

test("panels have ids of their own, and none covers another", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`)
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.filter(({ gridPos: { w, x } }) => x + w > 24)).toEqual([])
})

testIfPossible(
  "promtool understands each query of the dashboard",
  Bun.which("promtool") === null ? "promtool is not installed" : undefined,
  () => {
    const path = join(temporaryDirectory(), "queries.yaml")
    const rules = queries.map(({ expr }, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$environment", "live").replaceAll("$instance", ".*")
    }))
    writeFileSync(path, JSON.stringify({ groups: [{ name: "dashboard", rules }] }))
    const { exitCode, stderr } = Bun.spawnSync(["promtool", "check", "rules", path])
    expect([exitCode, stderr.toString()]).toEqual([0, ""])
  }
)
