import { expect, test } from "bun:test"
import { Either } from "effect"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import { resolveIntent } from "../../src/domain/connection/Intent.ts"
import { emptyPlanContext } from "../../src/planning/PlanContext.ts"
import { indexZone } from "../../src/planning/zone/IndexedZone.ts"
import { limitsOf, unknownProvider } from "../../src/providers/catalog/catalog.ts"
import { countSteps } from "../support/countSteps.ts"
import { planZone } from "../support/planZone.ts"

const domain = DomainName.make("example.com")

const zoneOf = (count: number, type: string, valueAt: (index: number) => string) => ({
  name: domain,
  basis: "provider" as const,
  records: Array.from({ length: count }, (_, index): ZoneRecord => ({
    host: "@",
    type,
    value: valueAt(index),
    ttl: 300
  }))
})

const spfRecords = (count: number) =>
  zoneOf(count, "TXT", (index) => `v=spf1 ip4:10.${index >> 16}.${(index >> 8) & 255}.${index & 255} ~all`)

const caaRecords = (count: number) => zoneOf(count, "CAA", (index) => `0 issue "ca${index}.example"`)

const planFor = (zone: ReturnType<typeof zoneOf>, type: "CAA" | "TXT", value: string) =>
  Either.getOrThrow(
    planZone({
      intent: Either.getOrThrow(resolveIntent({ domain, records: [{ host: "@", type, value }] })),
      zone,
      limits: limitsOf(unknownProvider),
      context: emptyPlanContext
    })
  )

test("20,000 SPF records at one host become one, which permits the senders of all", () => {
  const { effectiveIntent, warnings } = planFor(spfRecords(20_000), "TXT", "v=spf1 ip4:192.0.2.1 ~all")
  const [merged = { value: "" }, ...others] = effectiveIntent.records
  expect(others).toEqual([])
  expect(merged.value.split(" ").length).toBe(20_003)
  expect(merged.value.endsWith(" ip4:192.0.2.1 ~all")).toBe(true)
  expect(warnings).toContain("spf_duplicates_collapsed")
})

test("50,000 CAA records at one host stay when another one is added", () => {
  const { changes, effectiveIntent } = planFor(caaRecords(50_000), "CAA", '0 issue "letsencrypt.org"')
  expect(changes.map(({ action, after }) => [action, after?.value])).toEqual([["create", '0 issue "letsencrypt.org"']])
  expect(effectiveIntent.records.length).toBe(50_001)
})

test("twice the records take about twice the steps", () => {
  for (const recordsOf of [spfRecords, caaRecords]) {
    const [once, twice] = [5_000, 10_000].map((count) => countSteps(indexZone(recordsOf(count), { domain })))
    expect((twice ?? 0) / (once ?? 1)).toBeCloseTo(2, 1)
  }
})
