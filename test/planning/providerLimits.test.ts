import { expect, test } from "bun:test"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import {
  capabilities,
  describePlan,
  describeRefusal,
  desiredRecords,
  planOrThrow,
  zoneOf
} from "../support/planFixtures.ts"

const marked = (line: string, marks: Pick<ZoneRecord, "web" | "proxied" | "locked">): Zone => {
  const zone = zoneOf(line)
  return { ...zone, records: zone.records.map((record) => ({ ...record, ...marks })) }
}

test("a TTL outside the provider's range is adjusted to it", () => {
  const ttl = { minimum: 600, maximum: 86_400 }
  expect(
    describePlan({ zone: zoneOf(), desired: desiredRecords("www 60 A 192.0.2.1", "ftp 3600 A 192.0.2.1"), ttl })
  ).toEqual({
    changes: ["create | ftp 3600 A 192.0.2.1", "create | www 600 A 192.0.2.1"],
    effective: ["www 600 A 192.0.2.1", "ftp 3600 A 192.0.2.1"],
    warnings: ["ttl_adjusted"]
  })
  expect(describePlan({ zone: zoneOf(), desired: desiredRecords("www 604800 A 192.0.2.1"), ttl }).changes).toEqual([
    "create | www 86400 A 192.0.2.1"
  ])
})

test("a TTL that the provider's list lacks becomes the next higher one, and then stays", () => {
  const ttl = { minimum: 300, maximum: 14_400, allowed: [300, 3600, 7200, 14_400] }
  const desired = desiredRecords("a 600 A 192.0.2.1", "b 60 A 192.0.2.1", "c 86400 A 192.0.2.1", "d 3600 A 192.0.2.1")
  expect(describePlan({ zone: zoneOf(), desired, ttl })).toMatchObject({
    changes: [
      "create | a 3600 A 192.0.2.1",
      "create | b 300 A 192.0.2.1",
      "create | c 14400 A 192.0.2.1",
      "create | d 3600 A 192.0.2.1"
    ],
    warnings: ["ttl_adjusted"]
  })
  const written = zoneOf("a 3600 A 192.0.2.1", "b 300 A 192.0.2.1", "c 14400 A 192.0.2.1", "d 3600 A 192.0.2.1")
  expect(describePlan({ zone: written, desired, ttl }).changes).toEqual([])
})

test("a desired TTL gives way to that of the set, not to one that the provider could store", () => {
  const zone = zoneOf("@ 300 TXT hello")
  const ttl = { minimum: 600, maximum: 86_400 }
  expect(describePlan({ zone, desired: desiredRecords("@ 60 TXT world"), ttl })).toEqual({
    changes: ["create | @ 300 TXT world"],
    effective: ["@ 300 TXT world"],
    warnings: ["ttl_adjusted"]
  })
})

test("an automatic TTL counts as the TTL that the provider serves", () => {
  const ttl = { minimum: 60, maximum: 86_400, automatic: { written: 1, served: 300 } }
  expect(
    describePlan({ zone: zoneOf("www 1 A 192.0.2.1"), desired: desiredRecords("www 60 A 192.0.2.2"), ttl })
  ).toEqual({
    changes: ["update! | www 300 A 192.0.2.1 | www 60 A 192.0.2.2"],
    effective: ["www 60 A 192.0.2.2"],
    warnings: ["address_records_replaced", "website_replaced"]
  })
})

test("an address replaces the provider's own page", () => {
  const zone = marked("www 300 URL https://parking.example.net", { web: true })
  expect(describePlan({ zone, desired: desiredRecords("www 300 A 192.0.2.1") }).changes).toEqual([
    "delete! | www 300 URL https://parking.example.net",
    "create | www 300 A 192.0.2.1"
  ])
  expect(describePlan({ zone, desired: desiredRecords("www 300 TXT hello") }).changes).toEqual([
    "create | www 300 TXT hello"
  ])
})

test("a proxied record that stays is proxied in the effective intent, and no other is", () => {
  const zone = marked("www 300 A 192.0.2.1", { proxied: true })
  const { effectiveIntent } = planOrThrow({
    zone,
    desired: desiredRecords("www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "shop 300 A 192.0.2.1")
  })
  expect(effectiveIntent.records.map(({ proxied, value }) => [value, proxied])).toEqual([
    ["192.0.2.1", true],
    ["192.0.2.2", undefined],
    ["192.0.2.1", undefined]
  ])
})

test("a correct but proxied record is no change and gives a warning", () => {
  const zone = marked("www 300 A 192.0.2.1", { proxied: true })
  expect(describePlan({ zone, desired: desiredRecords("www 300 A 192.0.2.1") })).toEqual({
    changes: [],
    effective: ["www 300 A 192.0.2.1"],
    warnings: ["proxied_record_present"]
  })
  expect(describePlan({ zone, desired: desiredRecords("www 300 A 192.0.2.2") }).warnings).toEqual([
    "address_records_replaced",
    "website_replaced"
  ])
})

test("a record that the provider keeps until another one replaces it blocks no change", () => {
  const zone = marked("www 300 A 192.0.2.1", { locked: "overridable" })
  expect(describePlan({ zone, desired: desiredRecords("www 300 CNAME web.example.net") })).toMatchObject({
    changes: ["create | www 300 CNAME web.example.net"],
    warnings: []
  })
  expect(describePlan({ zone, desired: desiredRecords("www 300 A 192.0.2.2") }).changes).toEqual([
    "create | www 300 A 192.0.2.2"
  ])
})

test.each([
  ["caaRecords", '@ 300 CAA 0 issue "letsencrypt.org"', "CAA @ record_type_unsupported"],
  ["wildcardRecords", "* 300 A 192.0.2.1", "A * record_type_unsupported"],
  ["subdomainNSModification", "shop 300 NS ns1.example.net", "NS shop record_type_unsupported"],
  ["spfRecords", "@ 300 TXT v=spf1 -all", "TXT @ record_type_unsupported"]
] as const)("an unsupported %s refuses the record, an unknown one allows it", (capability, line, code) => {
  const desired = desiredRecords(line)
  const able = (value: "unsupported" | "unknown") => capabilities("supported", { [capability]: value })
  expect(describeRefusal({ zone: zoneOf(), desired, capabilities: able("unsupported") })).toBe(code)
  expect(describeRefusal({ zone: zoneOf(), desired, capabilities: able("unknown") })).toBe("planned")
  expect(planOrThrow({ zone: zoneOf(line), desired, capabilities: able("unsupported") }).changes).toEqual([])
})

const large = (more: number) => zoneOf(...Array.from({ length: 6 + more }, (_, at) => `h${at} 300 A 192.0.2.${at}`))
const replaced = (count: number) =>
  desiredRecords(...Array.from({ length: count }, (_, at) => `h${at} 300 A 203.0.113.${at}`))

test("a plan gives a warning if it replaces more than 30 % of a zone of ten records or more", () => {
  expect(planOrThrow({ zone: large(4), desired: replaced(4) }).warnings).toContain("plan_large_deletion")
  expect(planOrThrow({ zone: large(4), desired: replaced(3) }).warnings).not.toContain("plan_large_deletion")
  expect(planOrThrow({ zone: large(3), desired: replaced(9) }).warnings).not.toContain("plan_large_deletion")
})

test("a large deletion gives no warning if only part of the zone is known", () => {
  const zone = { ...large(4), basis: "public_dns" } as const
  expect(planOrThrow({ zone, desired: replaced(9) }).warnings).not.toContain("plan_large_deletion")
})

test("a change of the zone's own name servers counts as a large deletion", () => {
  const zone = zoneOf("@ 300 NS ns1.example.net", "@ 300 NS ns2.example.net")
  const { warnings } = planOrThrow({
    zone,
    desired: desiredRecords("@ 300 NS ns3.example.net", "@ 300 NS ns2.example.net")
  })
  expect(warnings).toContain("plan_large_deletion")
})

test("removing a record that another active connection desires gives a warning", () => {
  const zone = zoneOf("www 300 A 192.0.2.1")
  const others = [{ host: "www", type: "A", value: "192.0.2.1" }]
  const desired = desiredRecords("www 300 A 203.0.113.1")
  expect(planOrThrow({ zone, desired, others }).warnings).toContain("other_connection_affected")
  expect(
    planOrThrow({ zone, desired, others: [{ host: "ftp", type: "A", value: "192.0.2.1" }] }).warnings
  ).not.toContain("other_connection_affected")
})

test("so does removing an alias at the apex that the provider stores as a type of its own", () => {
  const others = [{ host: "@", type: "CNAME", value: "web.example.net" }]
  const desired = desiredRecords("@ 300 A 203.0.113.1")
  for (const type of ["ALIAS", "ANAME", "CNAME"]) {
    const zone = zoneOf(`@ 300 ${type} web.example.net`)
    expect(planOrThrow({ zone, desired, others }).warnings).toContain("other_connection_affected")
  }
})
