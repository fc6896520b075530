import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import type { DnsLookup } from "../../../src/planning/DnsLookup.ts"
import { planSpf } from "../../../src/planning/spf/planSpf.ts"
import { desiredRecords, exampleCom } from "../../support/planFixtures.ts"
import { type DnsAnswers, describeSpfPlan, lookupFrom, mergedPlan, permissiveLookup } from "./describeSpfPlan.ts"

const times = (count: number, term: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => term(index)).join(" ")

/** The warnings of a first record, in a DNS with these answers where every other name is harmless. */
const listWarnings = (desired: string, answers: DnsAnswers = {}) => {
  const known = lookupFrom(answers)
  const lookup: DnsLookup = (question) => Either.orElse(known(question), () => permissiveLookup(question))
  return describeSpfPlan({ desired, lookup }).warnings
}

describe("the lookups of an SPF policy", () => {
  test("may number ten", () => {
    const terms =
      "include:a.example a mx ptr exists:%{i}.b.example a:c.example mx:d.example ptr:e.example exists:f.example"
    expect(listWarnings(`v=spf1 ${terms} redirect=g.example`)).toEqual([])
    expect(listWarnings(`v=spf1 ${terms} a:h.example -all`)).toEqual([])
    expect(listWarnings(`v=spf1 ${terms} a:h.example redirect=g.example`)).toEqual(["spf_lookup_limit_exceeded"])
  })

  test("exclude terms that need none or have no effect, and explanations", () => {
    const tenTerms = times(10, (index) => `include:x${index}.example`)
    expect(
      listWarnings(
        `v=spf1 ${tenTerms} ip4:192.0.2.1 ip6:::1 ra=x -all include:y.example redirect=z.example exp=e.example`
      )
    ).toEqual([])
    expect(listWarnings(`v=spf1 ${tenTerms} exp=e.example`)).toEqual([])
  })

  test("include those behind includes and redirects, every time they occur", () => {
    const five = { "five.example TXT": [`v=spf1 a mx a:x.example mx:y.example ptr -all a:dead.example`] }
    expect(listWarnings("v=spf1 include:five.example a mx ptr ptr:x.example -all", five)).toEqual([])
    const again = { ...five, "again.example TXT": ["v=spf1 include:five.example -all"] }
    expect(listWarnings("v=spf1 include:five.example include:again.example -all", again)).toEqual([
      "spf_lookup_limit_exceeded"
    ])
    expect(listWarnings("v=spf1 a mx ptr ptr:x.example a:x.example redirect=five.example", five)).toEqual([
      "spf_lookup_limit_exceeded"
    ])
    expect(listWarnings("v=spf1 a mx ptr ptr:x.example redirect=five.example", five)).toEqual([])
  })

  test("reach the limit in a loop", () => {
    const loop = { "a.example TXT": ["v=spf1 include:b.example -all"], "b.example TXT": ["v=spf1 redirect=a.example"] }
    expect(listWarnings("v=spf1 include:a.example -all", loop)).toEqual(["spf_lookup_limit_exceeded"])
    expect(
      listWarnings("v=spf1 include:c.example -all", { "c.example TXT": ["v=spf1 include:C.example. -all"] })
    ).toEqual(["spf_lookup_limit_exceeded"])
  })

  test("may be void up to two times", () => {
    const nothing = { "a.example A": [], "example.com MX": [], "b.example A": [] }
    expect(listWarnings("v=spf1 a:a.example mx -all", nothing)).toEqual([])
    expect(listWarnings("v=spf1 a:a.example mx exists:b.example -all", nothing)).toEqual(["spf_lookup_limit_exceeded"])
    expect(
      listWarnings("v=spf1 a:a.example include:c.example -all", {
        ...nothing,
        "c.example TXT": ["v=spf1 mx a:b.example"],
        "c.example MX": []
      })
    ).toEqual(["spf_lookup_limit_exceeded"])
  })

  test("may return up to ten names for an mx", () => {
    const eleven = times(11, (index) => `mx${index}.example`).split(" ")
    expect(listWarnings("v=spf1 mx -all", { "example.com MX": eleven.slice(1) })).toEqual([])
    expect(listWarnings("v=spf1 mx -all", { "example.com MX": eleven })).toEqual(["spf_lookup_limit_exceeded"])
  })

  test("are void for a name that cannot exist", () => {
    const label = "x".repeat(64)
    expect(
      describeSpfPlan({ desired: `v=spf1 a:${label}.example exists:a..example -all`, lookup: lookupFrom({}) })
    ).toEqual(mergedPlan(`300 v=spf1 a:${label}.example exists:a..example -all`))
    expect(listWarnings(`v=spf1 include:${"x.".repeat(130)}example -all`)).toEqual(["spf_include_broken"])
  })
})

describe("an include", () => {
  test("is broken without exactly one valid SPF record at its name", () => {
    const desired = "v=spf1 include:a.example -all"
    expect(listWarnings(desired, { "a.example TXT": ["hello", "v=spf1 -all"] })).toEqual([])
    expect(listWarnings(desired, { "a.example TXT": [] })).toEqual(["spf_include_broken"])
    expect(listWarnings(desired, { "a.example TXT": ["v=spf10", "hello"] })).toEqual(["spf_include_broken"])
    expect(listWarnings(desired, { "a.example TXT": ["v=spf1 a", "v=spf1 mx"] })).toEqual(["spf_include_broken"])
    expect(listWarnings(desired, { "a.example TXT": ["v=spf1 a: -all"] })).toEqual(["spf_include_broken"])
    expect(listWarnings(desired, { "a.example TXT": ["v=spf1 redirect=b.example"], "b.example TXT": [] })).toEqual([
      "spf_include_broken"
    ])
  })

  test("in the existing record counts too", () => {
    const lookup = lookupFrom({ "a.example TXT": [], "example.com A": ["192.0.2.1"] })
    expect(describeSpfPlan({ existing: ["v=spf1 include:a.example -all"], desired: "v=spf1 a -all", lookup })).toEqual(
      mergedPlan("1800 v=spf1 include:a.example a -all", "spf_record_merged", "spf_include_broken")
    )
  })
})

const brokenAnswers = {
  "theirs.example TXT": [],
  "ours.example TXT": [],
  "good.example TXT": ["v=spf1 -all"],
  "first.example TXT": ["v=spf1 include:good.example include:second.example -all"],
  "second.example TXT": ["v=spf1 redirect=theirs.example"],
  "fork.example TXT": ["v=spf1 include:theirs.example include:invalid.example -all"],
  "invalid.example TXT": ["v=spf1 a: -all"]
}

const found = (include: string, source: string) =>
  `${include}, which the SPF record at @ points to, has no valid SPF record; ${source}.`

const foundBehind = (way: string, include: string, source: string) =>
  `${include}, to which the SPF record at @ leads through ${way}, has no valid SPF record; ${source}.`

const ours = "the owner of the zone has it already"
const theirs = "the platform requests it"

const refusalOf = (desired: string, ...existing: ReadonlyArray<string>) =>
  describeSpfPlan({ desired, existing, lookup: lookupFrom(brokenAnswers) }).refusal

const findingsOf = (desired: string, ...existing: ReadonlyArray<string>) => {
  const [record] = desiredRecords(`@ 300 TXT ${desired}`)
  if (record === undefined) throw new Error("nothing is desired")
  const plan = planSpf({
    desired: record,
    name: exampleCom,
    existing: existing.map((value) => ({ value, ttl: 300 })),
    hasOtherMailServer: false,
    lookup: lookupFrom(brokenAnswers)
  })
  return (plan.findings ?? []).map(({ finding }) => finding)
}

describe("a broken include", () => {
  test("behind valid records is named with the way to it, and with the one who has the first", () => {
    expect([
      findingsOf("v=spf1 include:second.example -all"),
      findingsOf("v=spf1 include:good.example -all", "v=spf1 include:first.example -all"),
      findingsOf("v=spf1 include:fork.example -all"),
      findingsOf("v=spf1 include:theirs.example include:second.example -all")
    ]).toEqual([
      [foundBehind("second.example", "theirs.example", theirs)],
      [foundBehind("first.example and second.example", "theirs.example", ours)],
      [foundBehind("fork.example", "theirs.example", theirs), foundBehind("fork.example", "invalid.example", theirs)],
      [found("theirs.example", theirs), foundBehind("second.example", "theirs.example", theirs)]
    ])
  })

  test("is named with the one who has it", () => {
    expect([
      findingsOf("v=spf1 include:theirs.example -all"),
      findingsOf("v=spf1 include:good.example -all", "v=spf1 include:ours.example -all"),
      findingsOf("v=spf1 include:theirs.example -all", "v=spf1 include:ours.example -all"),
      findingsOf("v=spf1 include:good.example -all")
    ]).toEqual([
      [found("theirs.example", theirs)],
      [found("ours.example", ours)],
      [found("ours.example", ours), found("theirs.example", theirs)],
      []
    ])
  })

  test("of an optional record is a reason to skip it, that of the owner is not", () => {
    expect([
      refusalOf("?v=spf1 include:theirs.example -all"),
      refusalOf("?v=spf1 include:theirs.example -all", "v=spf1 include:good.example -all"),
      refusalOf("?v=spf1 include:good.example -all", "v=spf1 include:ours.example -all"),
      refusalOf("v=spf1 include:theirs.example -all")
    ]).toEqual(["spf_merge_impossible", "spf_merge_impossible", undefined, undefined])
  })
})

describe("a lookup that is not answered", () => {
  test("is reported and never counts as void", () => {
    const desired = "v=spf1 include:a.example A mx:Mail.Example. exists:%{i}.x.example ptr redirect=b.example"
    expect(describeSpfPlan({ desired, lookup: lookupFrom({}) })).toEqual({
      records: [`300 ${desired}`],
      warnings: ["spf_lookup_unknown"],
      unanswered: ["a.example TXT", "example.com A", "mail.example MX", "b.example TXT"],
      refusal: undefined
    })
  })

  test("is reported once, under the name of the policy that needs it", () => {
    const lookup = lookupFrom({
      "a.example TXT": ["v=spf1 a include:c.example"],
      "b.example TXT": ["v=spf1 mx include:c.example"]
    })
    expect(describeSpfPlan({ desired: "v=spf1 include:a.example include:b.example -all", lookup })).toEqual({
      records: ["300 v=spf1 include:a.example include:b.example -all"],
      warnings: ["spf_lookup_unknown"],
      unanswered: ["a.example A", "c.example TXT", "b.example MX"],
      refusal: undefined
    })
  })

  test("counts as one lookup at least", () => {
    const desired = `v=spf1 ${times(11, (index) => `include:x${index}.example`)} -all`
    const { unanswered, warnings } = describeSpfPlan({ desired, lookup: lookupFrom({}) })
    expect([unanswered.length, warnings]).toEqual([11, ["spf_lookup_limit_exceeded", "spf_lookup_unknown"]])
  })
})

describe("a policy within the limits", () => {
  const ten = `v=spf1 ${times(10, (index) => `include:x${index}.example`)} -all`
  const eleven = ten.replace(" -all", " a -all")
  const skipped = { records: [], warnings: [], unanswered: [], refusal: "spf_merge_impossible" as const }

  test("does not exceed them for an optional record, but does for a required one", () => {
    expect(describeSpfPlan({ existing: [ten], desired: "?v=spf1 a -all" })).toEqual(skipped)
    expect(describeSpfPlan({ existing: [ten], desired: "v=spf1 a -all" })).toEqual(
      mergedPlan(`1800 ${eleven}`, "spf_record_merged", "spf_lookup_limit_exceeded")
    )
    expect(describeSpfPlan({ existing: [ten], desired: "?v=spf1 ip4:192.0.2.1 include:x1.example -all" })).toEqual(
      mergedPlan(`1800 ${ten.replace(" -all", " ip4:192.0.2.1 -all")}`, "spf_record_merged")
    )
  })

  test("does not exceed the void lookup limit for an optional record", () => {
    const lookup = lookupFrom({ "a.example A": [], "b.example A": [], "c.example A": [] })
    expect(
      describeSpfPlan({ existing: ["v=spf1 a:a.example a:b.example -all"], desired: "?v=spf1 a:c.example", lookup })
    ).toEqual(skipped)
  })

  test("rejects an optional record while lookups are unanswered", () => {
    const lookup = lookupFrom({ "example.com A": ["192.0.2.1"] })
    expect(describeSpfPlan({ existing: [ten], desired: "?v=spf1 a -all", lookup })).toEqual({
      ...skipped,
      unanswered: times(10, (index) => `x${index}.example`)
        .split(" ")
        .map((name) => `${name} TXT`)
    })
  })

  test("does not result from several, broken, excessive or missing records", () => {
    const limited = "spf_lookup_limit_exceeded"
    expect(describeSpfPlan({ existing: [eleven], desired: "?v=spf1 mx -all" })).toEqual(
      mergedPlan(`1800 ${eleven.replace(" -all", " mx -all")}`, "spf_record_merged", limited)
    )
    expect(describeSpfPlan({ existing: [ten, "v=spf1 a -all"], desired: "?v=spf1 a -all" })).toEqual(
      mergedPlan(
        `1800 ${eleven.replace("include:x0", "a include:x0").replace(" a -all", " ~all")}`,
        "spf_policy_replaced",
        "spf_duplicates_collapsed",
        limited
      )
    )
    expect(describeSpfPlan({ existing: [`${ten} !`], desired: "?v=spf1 a" }).warnings).toEqual([
      "spf_record_merged",
      "spf_policy_replaced",
      limited,
      "spf_existing_invalid_replaced"
    ])
    expect(describeSpfPlan({ desired: `?${eleven}` })).toEqual(mergedPlan(`300 ${eleven}`, limited))
  })

  test("stays unchanged if it already has the desired terms", () => {
    expect(describeSpfPlan({ existing: [eleven], desired: `?${eleven}` })).toEqual(
      mergedPlan(`1800 ${eleven}`, "spf_lookup_limit_exceeded")
    )
  })
})
