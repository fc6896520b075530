import { describe, expect, test } from "bun:test"
import type { Change, Warning } from "../../../src/domain/Plan.ts"
import type { WarningFact } from "../../../src/planning/WarningFact.ts"
import { locateWarnings } from "../../../src/planning/changes/locateWarnings.ts"

const record = (host: string, type: string, value: string) => ({ host, type, value, ttl: 300, optional: false })

const changes: ReadonlyArray<Change> = [
  { action: "delete", before: record("www", "A", "192.0.2.1"), destructive: true },
  { action: "create", after: record("www", "CNAME", "shops.example.net"), destructive: false },
  {
    action: "update",
    before: record("@", "TXT", "v=spf1 include:a.example -all"),
    after: record("@", "TXT", "v=spf1 include:a.example include:b.example -all"),
    destructive: false
  },
  { action: "create", after: record("_v.fruit", "TXT", "x".repeat(300)), destructive: true },
  {
    action: "update",
    before: { ...record("@", "MX", "mx1.example.net"), priority: 10 },
    after: { ...record("@", "MX", "mx2.example.net"), priority: 10 },
    destructive: true
  }
]

const changesOf = (code: Warning, facts: ReadonlyArray<WarningFact> = []) =>
  locateWarnings([code], changes, facts).map((detail) => detail.changes)

describe("a warning names the changes that it is about:", () => {
  const cases: ReadonlyArray<readonly [Warning, ReadonlyArray<number>]> = [
    ["cname_replaces_records", [0]],
    ["website_replaced", [0]],
    ["address_records_replaced", [0]],
    ["spf_record_merged", [2]],
    ["txt_value_split", [3]],
    ["wildcard_hidden", [3]],
    ["mx_replaced", [4]],
    ["plan_large_deletion", [0, 4]]
  ]
  for (const [code, expected] of cases) test(code, () => expect(changesOf(code)).toEqual([expected]))

  test("none where it is about the zone as a whole", () => {
    expect(
      (["dnssec_signed_zone", "multi_provider_ns", "name_servers_disagree"] as const).flatMap((code) => changesOf(code))
    ).toEqual([[], [], []])
  })
})

test("a warning says what was found out about this plan", () => {
  const facts: ReadonlyArray<WarningFact> = [
    { warning: "wildcard_hidden", host: "fruit", kinds: ["A", "MX"] },
    { warning: "spf_include_broken", host: "@", include: "gone.example", source: "zone" }
  ]
  expect(locateWarnings(["spf_include_broken", "wildcard_hidden", "mx_replaced"], changes, facts)).toMatchObject([
    {
      findings: [
        "gone.example, which the SPF record at @ points to, has no valid SPF record; the owner of the zone has it already."
      ]
    },
    { findings: ["fruit no longer answers with A, MX."] },
    { code: "mx_replaced" }
  ])
})
