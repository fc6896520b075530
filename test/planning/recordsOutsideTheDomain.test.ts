import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { DomainName, toRelativeHost } from "../../src/domain/names/DomainName.ts"
import { makeZoneContextFinder } from "../../src/planning/zone/zoneContext.ts"
import { desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

const name = DomainName.make("example.com")

/** The warnings of a plan for a domain of the zone `example.com`, whose records have absolute names. */
const warningsOf = (domain: string, desired: ReadonlyArray<string>, lines: ReadonlyArray<string>) => {
  const asDomain = DomainName.make(domain)
  const finder = makeZoneContextFinder({ domain: asDomain, zone: name })
  const inside = lines.flatMap((line) => {
    const [owner = "", ...rest] = line.split(" ")
    for (const { host: _, ...data } of zoneOf(line).records) finder.add(owner, data)
    return Option.toArray(toRelativeHost(owner, asDomain)).map((host) => [host, ...rest].join(" "))
  })
  const zone = { ...zoneOf(...inside), name, ...finder.find() }
  return planOrThrow({ domain: asDomain, zone, desired: desiredRecords(...desired) }).warnings
}

const server = "mail.example.com 300 A 192.0.2.9"
const moved = ["@ 300 A 203.0.113.1"]

/** The warnings of a plan that leads an alias of `mail.example.com` elsewhere. */
const warningsOfMovedPolicy = (...lines: ReadonlyArray<string>) =>
  warningsOf("mail.example.com", ["_p 300 CNAME new.example.net"], ["_p.mail.example.com 300 CNAME old.net", ...lines])

describe("the address of a domain moves", () => {
  test.each([
    ["an MX at the apex", "example.com 300 MX 10 mail.example.com", "mail_target_changed"],
    ["an MX beside the domain", "shop.example.com 300 MX 10 mail.example.com", "mail_target_changed"],
    ["an SRV", "_imap._tcp.example.com 300 SRV 5 0 993 mail.example.com", "mail_target_changed"],
    ["an SPF policy", "example.com 300 TXT v=spf1 a:mail.example.com -all", "mail_target_changed"],
    ["a delegation", "fruit.example.com 300 NS mail.example.com", "ns_target_changed"]
  ] as const)("and %s above or beside it points there", (_, pointing, warning) => {
    expect(warningsOf("mail.example.com", moved, [server])).not.toContain(warning)
    expect(warningsOf("mail.example.com", moved, [server, pointing])).toContain(warning)
  })

  test.each([
    ["an SPF record", "example.com 300 TXT v=spf1 include:_p.mail.example.com -all"],
    ["the alias of a DKIM key", "s1._domainkey.example.com 300 CNAME _p.mail.example.com"],
    ["the alias of a DMARC policy", "_dmarc.shop.example.com 300 CNAME _p.mail.example.com"]
  ])("or its alias to a policy, and %s above or beside it leads there", (_, pointing) => {
    expect(warningsOfMovedPolicy()).not.toContain("mail_target_changed")
    expect(warningsOfMovedPolicy(pointing)).toContain("mail_target_changed")
  })

  test("or the alias to a website that a sibling host has", () => {
    const site = ["_site.mail.example.com 300 CNAME old.net", "www.example.com 300 CNAME _site.mail.example.com"]
    const desired = ["_site 300 CNAME new.example.net"]
    expect(warningsOf("mail.example.com", desired, site.slice(0, 1))).not.toContain("website_replaced")
    expect(warningsOf("mail.example.com", desired, site)).toContain("website_replaced")
  })

  test("and an alias above it leads mail there", () => {
    const aliased = ["example.com 300 MX 10 mx.example.com", "mx.example.com 300 CNAME mail.example.com"]
    expect(warningsOf("mail.example.com", moved, [server, ...aliased])).toContain("mail_target_changed")
  })

  test("records that point elsewhere do not count", () => {
    const elsewhere = ["example.com 300 MX 10 mx.example.com", "example.com 300 TXT v=spf1 a -all"]
    expect(warningsOf("mail.example.com", moved, [server, ...elsewhere])).not.toContain("mail_target_changed")
  })
})

test("a mail server that only a wildcard above the domain answers for is lost with that wildcard", () => {
  const wildcard = "*.example.com 300 A 192.0.2.1"
  const token = ["_v 300 TXT token"]
  const mailTo = (target: string) =>
    warningsOf("x.fruit.example.com", token, [wildcard, `example.com 300 MX 10 ${target}`])
  expect(mailTo("x.fruit.example.com")).toContain("mail_target_changed")
  expect(mailTo("fruit.example.com")).toContain("mail_target_changed")
  expect(mailTo("y.fruit.example.com")).toContain("mail_target_changed")
  expect(mailTo("pear.example.com")).not.toContain("mail_target_changed")
})
