import { expect, test } from "bun:test"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runbookPath, withAlerts } from "../../tools/writeRunbook.ts"
import { testIfPossible } from "../support/describeIfPossible.ts"
import { findUnknownNames } from "./findUnknownNames.ts"

const root = join(import.meta.dir, "../..")

const rules = readFileSync(join(root, "ops/alerts.yaml"), "utf8")

const AlertRules = Schema.Struct({
  groups: Schema.Array(Schema.Struct({ rules: Schema.Array(Schema.Struct({ expr: Schema.String })) }))
})

const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name)

test("each alert has a heading in the runbook, and two cases: it fires, and it clears", async () => {
  const page = readFileSync(runbookPath, "utf8")
  expect(page.replaceAll(/\s+/g, " ")).toBe((await withAlerts(page)).replaceAll(/\s+/g, " "))
  const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8")
  const cases = readFileSync(join(root, "ops/alerts.test.yaml"), "utf8")
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter((name) => !runbook.includes(`\n## ${name}\n`))).toEqual([])
  expect(
    alerts.filter((name) => !cases.includes(`name: ${name} fires`) || !cases.includes(`name: ${name} clears`))
  ).toEqual([])
})

test("alerts name series and labels that the service has", () => {
  const groups = Schema.decodeUnknownSync(AlertRules)(Bun.YAML.parse(rules)).groups
  expect(groups.flatMap((group) => group.rules).flatMap(({ expr }) => findUnknownNames(expr))).toEqual([])
})

testIfPossible(
  "promtool lets each alert fire and clear",
  Bun.which("promtool") === null ? "promtool is not installed" : undefined,
  () => {
    const { exitCode, stderr } = Bun.spawnSync(["promtool", "test", "rules", join(root, "ops/alerts.test.yaml")])
    expect([exitCode, stderr.toString()]).toEqual([0, ""])
  }
)
