import { describe, expect, test } from "bun:test"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { makeWildcardAboveFinder, type Zone } from "../../../src/domain/plan/Zone.ts"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const name = DomainName.make("example.org")

/** A zone `example.org` with absolute names, as a connection of `domain` sees it. */
const zoneOfDomain = (domain: DomainName, ...lines: ReadonlyArray<string>): Zone => {
  const finder = makeWildcardAboveFinder({ domain, zone: name })
  const hosts = lines.map((line) => {
    const [owner = "", ttl = "", type = "", ...rest] = line.split(" ")
    finder.add(owner, { type, value: rest.join(" "), ttl: Number(ttl) })
    if (owner === domain) return `@ ${line.slice(owner.length + 1)}`
    return owner.endsWith(`.${domain}`) ? line.replace(`.${domain} `, " ") : ""
  })
  return { ...zoneOf(...hosts.filter((line) => line !== "")), name, wildcardAbove: finder.find() }
}

const warningsOf = (domain: string, desired: ReadonlyArray<string>, zone: ReadonlyArray<string>) => {
  const asDomain = DomainName.make(domain)
  const plan = planOrThrow({
    domain: asDomain,
    zone: zoneOfDomain(asDomain, ...zone),
    desired: desiredRecords(...desired),
    answers: { "_dmarc.fruit.example.org TXT": [], "_dmarc.example.org TXT": [] }
  })
  const findings = plan.warningDetails.flatMap((detail) => detail.findings ?? [])
  return { warnings: plan.warnings, findings, destructive: plan.changes.map(({ destructive }) => destructive) }
}

const web = "*.fruit.example.org 300 A 192.0.2.1"

const hidden = (name: string) => ({
  warnings: ["wildcard_hidden" as const],
  findings: expect.arrayContaining([`${name} no longer answers with A.`]),
  destructive: [true]
})

describe("a first record at or below a domain that only a wildcard above answers for", () => {
  test("hides the wildcard for the domain, in every spelling of domain and host", () => {
    expect(warningsOf("x.fruit.example.org", ["_v 300 TXT hello"], [web])).toEqual(hidden("x.fruit.example.org"))
    expect(warningsOf("x.fruit.example.org", ["@ 300 TXT hello"], [web])).toEqual(hidden("x.fruit.example.org"))
    expect(warningsOf("fruit.example.org", ["_v.x 300 TXT hello"], [web.replace("*.fruit.", "*.")])).toEqual(
      hidden("x.fruit.example.org")
    )
    expect(warningsOf("_v.x.fruit.example.org", ["@ 300 TXT hello"], [web])).toEqual(hidden("x.fruit.example.org"))
  })

  test("hides the wildcard for the names between it and the domain too", () => {
    const { findings, warnings } = warningsOf(
      "x.fruit.example.org",
      ["@ 300 A 192.0.2.1"],
      ["*.example.org 300 A 192.0.2.1"]
    )
    expect(warnings).toEqual(["wildcard_hidden"])
    expect(findings).toEqual(["fruit.example.org no longer answers with A."])
  })

  test("hides nothing where the domain exists, or another name between cuts the wildcard off", () => {
    const desired = ["_v 300 TXT hello"]
    expect(warningsOf("x.fruit.example.org", desired, [web, "x.fruit.example.org 300 TXT hi"]).warnings).toEqual([])
    expect(warningsOf("x.fruit.example.org", desired, [web, "a.b.x.fruit.example.org 300 TXT hi"]).warnings).toEqual([])
    expect(
      warningsOf("x.fruit.example.org", desired, ["*.example.org 300 A 192.0.2.1", "a.fruit.example.org 300 TXT hi"])
        .warnings
    ).toEqual([])
  })

  test("hides the wildcard only for the other names where the intent brings what it served", () => {
    const desired = ["@ 300 A 192.0.2.1", "v 300 TXT hello"]
    expect(warningsOf("x.fruit.example.org", desired, [web]).findings).toEqual([
      "v.x.fruit.example.org no longer answers with A."
    ])
    const ofService = ["@ 300 A 192.0.2.1", "_v 300 TXT hello"]
    expect(warningsOf("x.fruit.example.org", ofService, [web]).findings).toEqual([])
    expect(warningsOf("x.fruit.example.org", desired.slice(0, 1), [web]).warnings).toEqual([])
  })

  test("hides no address where an alias replaces it, since a website that is replaced is told", () => {
    const { findings, warnings } = warningsOf(
      "fruit.example.org",
      ["www 300 CNAME shops.example.net"],
      ["fruit.example.org 300 A 192.0.2.1", web]
    )
    expect([findings, warnings]).toEqual([[], ["website_replaced"]])
  })

  test("hides mail records, which are named", () => {
    const zone = ["*.example.org 300 MX mx.example.net", "*.example.org 300 TXT v=spf1 -all"]
    const { findings, warnings } = warningsOf("fruit.example.org", ["_v 300 TXT hello"], zone)
    expect(warnings).toEqual(["mail_records_removed", "wildcard_hidden"])
    expect(findings).toEqual([
      "_v.fruit.example.org no longer answers with MX, SPF.",
      "fruit.example.org no longer answers with MX, SPF."
    ])
  })
})
