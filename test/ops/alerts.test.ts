import { expect, test } from "bun:test"
import { Schema } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runbookPath, withAlerts } from "../../tools/writeRunbook.ts"
import { testIfPossible } from "../support/describeIfPossible.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { findUnknownNames } from "./findUnknownNames.ts"

const root = join(import.meta.dir, "../..")

const rulesPath = join(root, "ops/alerts.yaml")

const AlertTexts = Schema.Record({ key: Schema.String, value: Schema.String })

const AlertRules = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      rules: Schema.Array(Schema.Struct({ alert: Schema.String, expr: Schema.String, annotations: AlertTexts }))
    })
  )
})

/** The tests of `promtool`, without the texts that it expects of an alert. */
const AlertCases = Schema.Struct({
  evaluation_interval: Schema.String,
  tests: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      interval: Schema.String,
      input_series: Schema.Array(AlertTexts),
      alert_rule_test: Schema.Array(
        Schema.Struct({
          eval_time: Schema.String,
          alertname: Schema.String,
          exp_alerts: Schema.Array(Schema.Struct({ exp_labels: AlertTexts }))
        })
      )
    })
  )
})

const readYaml = <A, I>(schema: Schema.Schema<A, I>, path: string): A =>
  Schema.decodeUnknownSync(schema)(Bun.YAML.parse(readFileSync(path, "utf8")))

const alerts = readYaml(AlertRules, rulesPath).groups.flatMap(({ rules }) => rules)

const cases = readYaml(AlertCases, join(import.meta.dir, "alertCases.yaml"))

test("each alert has a heading in the runbook, and cases in which it fires and clears", async () => {
  const page = readFileSync(runbookPath, "utf8")
  expect(page.replaceAll(/\s+/g, " ")).toBe((await withAlerts(page)).replaceAll(/\s+/g, " "))
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter(({ alert }) => !page.includes(`\n## ${alert}\n`))).toEqual([])
  const expected = alerts.flatMap(({ alert }) => [`${alert} clears`, `${alert} fires`])
  expect([...new Set(cases.tests.map(({ name }) => name))].toSorted()).toEqual(expected.toSorted())
  const firing = cases.tests.filter(({ alert_rule_test }) =>
    alert_rule_test.every((each) => each.exp_alerts.length > 0)
  )
  expect(firing.map(({ name }) => name)).toEqual(
    cases.tests.map(({ name }) => name).filter((name) => name.endsWith(" fires"))
  )
})

test("alerts name series and labels that the service has", () => {
  expect(alerts.flatMap(({ expr }) => findUnknownNames(expr))).toEqual([])
})

/** `promtool` compares an alert with its texts, which are those of its rule. */
const withTexts = (): object => {
  const textsOf = new Map(alerts.map(({ alert, annotations }) => [alert, annotations]))
  return {
    ...cases,
    rule_files: [rulesPath],
    tests: cases.tests.map((each) => ({
      ...each,
      alert_rule_test: each.alert_rule_test.map((at) => ({
        ...at,
        exp_alerts: at.exp_alerts.map((alert) => ({ ...alert, exp_annotations: textsOf.get(at.alertname) }))
      }))
    }))
  }
}

testIfPossible(
  "promtool lets each alert fire and clear",
  Bun.which("promtool") === null ? "promtool is not installed" : undefined,
  () => {
    const path = join(temporaryDirectory(), "alerts.test.yaml")
    writeFileSync(path, JSON.stringify(withTexts()))
    const { exitCode, stderr } = Bun.spawnSync(["promtool", "test", "rules", path])
    expect([exitCode, stderr.toString()]).toEqual([0, ""])
  }
)
