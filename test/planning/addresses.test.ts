import { expect, test } from "bun:test"
import { describePlan, desiredRecords, zoneOf } from "../support/planFixtures.ts"

test("an A record replaces the address and removes those of the other family", () => {
  const zone = zoneOf("bar 300 A 192.0.2.9", "bar 300 AAAA 2001:db8::9", "bar 300 TXT hello")
  expect(describePlan({ zone, desired: desiredRecords("bar 600 A 203.0.113.2") })).toEqual({
    changes: ["update! | bar 300 A 192.0.2.9 | bar 600 A 203.0.113.2", "delete! | bar 300 AAAA 2001:db8::9"],
    effective: ["bar 600 A 203.0.113.2"],
    warnings: ["address_records_replaced", "website_replaced"]
  })
})

test("an address RRset replaces the old one member by member and keeps its TTL while one member stays", () => {
  const zone = zoneOf("www 900 A 192.0.2.1", "www 300 A 192.0.2.2", "www 300 A 192.0.2.3")
  const desired = desiredRecords("www 60 A 192.0.2.1", "www 60 A 192.0.2.5", "www 30 A 192.0.2.6")
  expect(describePlan({ zone, desired })).toEqual({
    changes: [
      "create | www 900 A 192.0.2.5",
      "create | www 900 A 192.0.2.6",
      "delete! | www 300 A 192.0.2.3",
      "delete! | www 300 A 192.0.2.2"
    ],
    effective: ["www 900 A 192.0.2.1", "www 900 A 192.0.2.5", "www 900 A 192.0.2.6"],
    warnings: ["address_records_replaced", "website_replaced", "ttl_adjusted"]
  })
})

test("a new RRset takes the lowest desired TTL, which the plan says", () => {
  expect(
    describePlan({ zone: zoneOf(), desired: desiredRecords("www 600 A 192.0.2.1", "www 300 A 192.0.2.2") })
  ).toEqual({
    changes: ["create | www 300 A 192.0.2.1", "create | www 300 A 192.0.2.2"],
    effective: ["www 300 A 192.0.2.1", "www 300 A 192.0.2.2"],
    warnings: ["ttl_adjusted"]
  })
})

test("an address change removes HTTPS and SVCB records, unless they follow the addresses of their host", () => {
  const zone = zoneOf(
    "www 300 A 192.0.2.1",
    'www 300 HTTPS 1 . alpn="h3,h2" port=8443',
    'www 300 HTTPS 1 . alpn="h3" ipv4hint=192.0.2.1',
    "www 300 HTTPS 1 . ech=AEX+",
    "www 300 HTTPS 0 cdn.example.net.",
    "www 300 SVCB 1 . key6=2001:db8::1"
  )
  expect(describePlan({ zone, desired: desiredRecords("www 300 A 192.0.2.2") })).toEqual({
    changes: [
      "update! | www 300 A 192.0.2.1 | www 300 A 192.0.2.2",
      "delete! | www 300 SVCB 1 . ipv6hint=2001:db8::1",
      "delete! | www 300 HTTPS 1 . ech=AEX+",
      "delete! | www 300 HTTPS 1 . alpn=h3 ipv4hint=192.0.2.1",
      "delete! | www 300 HTTPS 0 cdn.example.net"
    ],
    effective: ["www 300 A 192.0.2.2"],
    warnings: ["address_records_replaced", "website_replaced"]
  })
})

test("a changed address that live MX, SRV or NS records point to gives a warning", () => {
  const zone = zoneOf(
    "mail 300 A 192.0.2.1",
    "voice 300 A 192.0.2.1",
    "ns1 300 A 192.0.2.1",
    "www 300 A 192.0.2.1",
    "@ 300 MX 10 Mail.Example.COM.",
    "_sip._tcp 300 SRV 0 1 5060 voice.example.com",
    "@ 300 NS ns1.example.com"
  )
  const plans = ["mail", "voice", "ns1", "www"].map((host) =>
    describePlan({ zone, desired: desiredRecords(`${host} 300 AAAA 2001:db8::1`, `${host} 300 A 192.0.2.1`) })
  )
  expect(plans.map(({ changes, warnings }) => [...changes, ...warnings])).toEqual([
    ["create! | mail 300 AAAA 2001:db8::1", "mail_target_changed"],
    ["create! | voice 300 AAAA 2001:db8::1", "mail_target_changed"],
    ["create! | ns1 300 AAAA 2001:db8::1", "ns_target_changed"],
    ["create | www 300 AAAA 2001:db8::1"]
  ])
})
