import { describe, expect, test } from "bun:test"
import { describeSpfPlan, lookupFrom } from "./describeSpfPlan.ts"

describe("a policy of another name that permits every sender", () => {
  const lookup = lookupFrom({
    "plus.example TXT": ["v=spf1 +all"],
    "via.example TXT": ["v=spf1 redirect=plus.example"],
    "list.example TXT": ["v=spf1 ip4:192.0.2.1 -all"]
  })
  const warningsOf = (desired: string, ...existing: ReadonlyArray<string>) =>
    describeSpfPlan({ desired, existing, lookup }).warnings.filter((warning) => warning === "spf_allows_all")

  test("is reported where a first record redirects to it", () => {
    expect([
      warningsOf("v=spf1 redirect=plus.example"),
      warningsOf("v=spf1 ip4:192.0.2.1 redirect=via.example"),
      warningsOf("v=spf1 redirect=list.example")
    ]).toEqual([["spf_allows_all"], ["spf_allows_all"], []])
  })

  test("is reported where an existing record redirects to it", () => {
    expect([
      warningsOf("v=spf1 ip4:192.0.2.1 -all", "v=spf1 redirect=plus.example"),
      warningsOf("v=spf1 ip4:192.0.2.1 -all", "v=spf1 redirect=list.example")
    ]).toEqual([["spf_allows_all"], []])
  })

  test("is reported at any depth, and where every address is permitted", () => {
    const deep = lookupFrom({
      "one.example TXT": ["v=spf1 include:two.example -all"],
      "two.example TXT": ["v=spf1 include:one.example redirect=three.example"],
      "three.example TXT": ["v=spf1 ip4:0.0.0.0/0 -all"],
      "not.example TXT": ["v=spf1 -include:three.example ?ip6:::/0 ip4:0.0.0.0/1 a/10 mx//128 ~all"]
    })
    const isReported = (desired: string) =>
      describeSpfPlan({ desired, existing: [], lookup: deep }).warnings.includes("spf_allows_all")
    expect(
      [
        "include:one.example -all",
        "redirect=two.example",
        "ip4:0.0.0.0/0 -all",
        "ip6:0:0::0/0 ~all",
        "a/0 -all",
        "mx:x.example//0 -all"
      ].filter((terms) => !isReported(`v=spf1 ${terms}`))
    ).toEqual([])
    expect(isReported("v=spf1 include:not.example -all")).toBe(false)
  })

  test("is reported where a record includes it, also in place of a redirect", () => {
    expect([
      warningsOf("v=spf1 redirect=plus.example", "v=spf1 ip4:192.0.2.1 -all"),
      warningsOf("v=spf1 include:via.example -all"),
      warningsOf("v=spf1 include:list.example ?include:plus.example -all include:plus.example")
    ]).toEqual([["spf_allows_all"], ["spf_allows_all"], []])
  })
})
