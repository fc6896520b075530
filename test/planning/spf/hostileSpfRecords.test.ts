import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import type { DnsLookup } from "../../../src/planning/DnsLookup.ts"
import { describeSpfPlan, lookupFrom, mergedPlan, permissiveLookup } from "./describeSpfPlan.ts"

const listed = (count: number, term: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => term(index)).join(" ")

describe("an existing SPF record", () => {
  test("with 10,000 includes gets the new one, and only the first ones are queried", () => {
    const many = listed(10_000, (index) => `include:x${index}.example`)
    const { records, unanswered, warnings } = describeSpfPlan({
      existing: [`v=spf1 ${many} -all`],
      desired: "v=spf1 include:x.example -all",
      lookup: lookupFrom({})
    })
    expect(records).toEqual([`1800 v=spf1 ${many} include:x.example -all`])
    expect(warnings).toEqual(["spf_record_merged", "spf_lookup_limit_exceeded", "spf_lookup_unknown"])
    expect(unanswered.length).toBe(50)
  })

  test("with 64 KB of networks gets the new one within the limits", () => {
    const networks = listed(5_000, (index) => `ip4:10.${index >> 8}.${index & 255}.1`)
    expect(
      describeSpfPlan({ existing: [`v=spf1 ${networks} ~all`], desired: "v=spf1 ip4:10.0.7.1 ip4:192.0.2.1 -all" })
    ).toEqual(mergedPlan(`1800 v=spf1 ${networks} ip4:192.0.2.1 ~all`, "spf_record_merged"))
  })

  test("with 10,000 malformed terms loses them all", () => {
    const nonsense = listed(10_000, (index) => `\u0007${index}\udfff`)
    expect(describeSpfPlan({ existing: [`v=spf1 ${nonsense} mx`], desired: "v=spf1 mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 mx", "spf_existing_invalid_replaced")
    )
  })

  test("with one mechanism 10,000 times stays unchanged", () => {
    const existing = `v=spf1 ${listed(10_000, () => "ptr")} -all`
    expect(describeSpfPlan({ existing: [existing], desired: "v=spf1 ptr -all" })).toEqual(
      mergedPlan(`1800 ${existing}`, "spf_existing_sufficient", "spf_lookup_limit_exceeded")
    )
  })

  test("is merged with 99 others", () => {
    const existing = Array.from({ length: 100 }, (_, index) => `v=spf1 ip4:192.0.2.${100 + index} -all`)
    expect(describeSpfPlan({ existing, desired: "v=spf1 -all" })).toEqual(
      mergedPlan(
        `1800 v=spf1 ${listed(100, (index) => `ip4:192.0.2.${100 + index}`)} ~all`,
        "spf_policy_replaced",
        "spf_duplicates_collapsed"
      )
    )
  })
})

test("a desired SPF record of 200 includes exceeds the limit, whatever they contain", () => {
  const desired = `v=spf1 ${listed(200, (index) => `include:x${index}.example`)} -all`
  const endless: DnsLookup = ({ type }) => Either.right([type === "TXT" ? desired : "192.0.2.1"])
  expect(describeSpfPlan({ desired, lookup: endless })).toEqual(
    mergedPlan(`300 ${desired}`, "spf_lookup_limit_exceeded")
  )
  expect(describeSpfPlan({ desired, lookup: permissiveLookup })).toEqual(
    mergedPlan(`300 ${desired}`, "spf_lookup_limit_exceeded")
  )
})

const branching: DnsLookup = ({ name }) => Either.right([`v=spf1 include:a.${name} include:b.${name} -all`])

test("includes that branch without end exceed the limit", () => {
  expect(describeSpfPlan({ desired: "v=spf1 include:x.example -all", lookup: branching })).toEqual(
    mergedPlan("300 v=spf1 include:x.example -all", "spf_lookup_limit_exceeded")
  )
})

test("an include of 64 KB of invalid text is broken", () => {
  const lookup = lookupFrom({ "x.example TXT": [`v=spf1 ${"%{".repeat(32_768)}`] })
  expect(describeSpfPlan({ desired: "v=spf1 include:x.example -all", lookup })).toEqual(
    mergedPlan("300 v=spf1 include:x.example -all", "spf_include_broken")
  )
})
