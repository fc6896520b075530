import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { shortenDurations } from "../../prove/alerts/shortenDurations.ts"

test("rules with a tenth of each duration differ in nothing else", () => {
  expect(
    shortenDurations(
      'increase(a_total[5m]) > 0\nfor: 1h\nmax(b_oldest_seconds{c="d"}) > 120\nmax(e_seconds) > 0.25',
      10
    )
  ).toBe('increase(a_total[30000ms]) > 0\nfor: 360000ms\nmax(b_oldest_seconds{c="d"}) > 12\nmax(e_seconds) > 0.25')
  const rules = readFileSync(new URL("../../ops/alerts.yaml", import.meta.url), "utf8")
  const shortened = shortenDurations(rules, 30)
  expect(shortened.match(/(for: |\[)\d+[smh]\b/)).toBeNull()
  expect(shortened.split("\n").length).toBe(rules.split("\n").length)
})
