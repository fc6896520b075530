import { expect, test } from "bun:test"
import { describePlan, desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

test("a delegation removes the records of its host and hides those below", () => {
  const zone = zoneOf(
    "foo 300 A 192.0.2.1",
    "foo 300 MX 10 mx.example.net",
    "www.foo 300 A 192.0.2.1",
    "food 300 A 192.0.2.1"
  )
  expect(describePlan({ zone, desired: desiredRecords("foo 600 NS ns1.example.net") })).toEqual({
    changes: [
      "delete! | foo 300 A 192.0.2.1",
      "delete! | foo 300 MX 10 mx.example.net",
      "create! | foo 600 NS ns1.example.net"
    ],
    effective: ["foo 600 NS ns1.example.net"],
    warnings: ["mail_records_removed", "ns_delegation_hides_records"]
  })
})

test("a delegation hides nothing if no records are below it or only its name servers change", () => {
  const desired = desiredRecords("foo 600 NS ns1.example.net")
  const zones = [zoneOf("foo 300 TXT hello"), zoneOf("foo 300 NS ns2.example.net", "www.foo 300 A 192.0.2.1")]
  expect(zones.map((zone) => describePlan({ zone, desired }))).toEqual([
    {
      changes: ["delete! | foo 300 TXT hello", "create | foo 600 NS ns1.example.net"],
      effective: ["foo 600 NS ns1.example.net"],
      warnings: ["ns_delegation_hides_records"]
    },
    {
      changes: ["update! | foo 300 NS ns2.example.net | foo 600 NS ns1.example.net"],
      effective: ["foo 600 NS ns1.example.net"],
      warnings: ["delegation_replaced"]
    }
  ])
})

test("glue at the delegated host itself is replaced without a gap", () => {
  const zone = zoneOf("foo 300 A 192.0.2.1", "foo 300 ALIAS edge.example.net")
  const desired = desiredRecords("foo 300 NS foo.example.com", "foo 300 A 192.0.2.2", "foo 300 A 192.0.2.3")
  expect(describePlan({ zone, desired }).changes).toEqual([
    "delete! | foo 300 ALIAS edge.example.net",
    "create | foo 300 A 192.0.2.2",
    "create | foo 300 A 192.0.2.3",
    "create | foo 300 NS foo.example.com",
    "delete! | foo 300 A 192.0.2.1"
  ])
})

test("the addresses of name servers inside the delegation stay as glue", () => {
  const zone = zoneOf("foo 300 A 192.0.2.1", "ns1.foo 300 A 192.0.2.2")
  const desired = desiredRecords(
    "foo 300 NS foo.example.com",
    "foo 300 NS ns1.foo.example.com",
    "ns1.foo 300 AAAA 2001:db8::2",
    "ns1.foo 300 A 192.0.2.2"
  )
  expect(describePlan({ zone, desired })).toEqual({
    changes: [
      "create | ns1.foo 300 AAAA 2001:db8::2",
      "create | foo 300 NS foo.example.com",
      "create | foo 300 NS ns1.foo.example.com"
    ],
    effective: [
      "foo 300 NS foo.example.com",
      "foo 300 NS ns1.foo.example.com",
      "ns1.foo 300 AAAA 2001:db8::2",
      "ns1.foo 300 A 192.0.2.2"
    ],
    warnings: []
  })
})

test("DS records are removed only if the name servers change", () => {
  const zone = zoneOf("foo 300 NS ns1.example.net", "foo 300 NS ns2.example.net", "foo 300 DS 1 13 2 ab")
  expect([
    describePlan({ zone, desired: desiredRecords("foo 60 NS ns2.example.net", "foo 60 NS ns1.example.net") }),
    describePlan({ zone, desired: desiredRecords("foo 60 NS ns1.example.net", "foo 60 NS ns3.example.net") })
  ]).toEqual([
    { changes: [], effective: ["foo 300 NS ns2.example.net", "foo 300 NS ns1.example.net"], warnings: [] },
    {
      changes: ["delete! | foo 300 DS 1 13 2 ab", "update! | foo 300 NS ns2.example.net | foo 300 NS ns3.example.net"],
      effective: ["foo 300 NS ns1.example.net", "foo 300 NS ns3.example.net"],
      warnings: ["delegation_replaced", "ttl_adjusted"]
    }
  ])
})

test("an address above a delegation leaves the delegation alone", () => {
  const zone = zoneOf("foo 300 A 192.0.2.1", "foo.bar 300 NS ns1.example.net", "x.foo 300 NS ns1.example.net")
  expect(describePlan({ zone, desired: desiredRecords("foo 300 A 192.0.2.2", "bar 300 A 192.0.2.2") })).toEqual({
    changes: ["create | bar 300 A 192.0.2.2", "update! | foo 300 A 192.0.2.1 | foo 300 A 192.0.2.2"],
    effective: ["foo 300 A 192.0.2.2", "bar 300 A 192.0.2.2"],
    warnings: ["address_records_replaced", "website_replaced"]
  })
})

test("new name servers of the zone itself replace nothing else at the apex", () => {
  const zone = zoneOf(
    "@ 300 NS ns1.example.net",
    "@ 300 A 192.0.2.1",
    "@ 300 SOA ns1.example.net. …",
    "www 300 A 192.0.2.1"
  )
  expect(describePlan({ zone, desired: desiredRecords("@ 600 NS ns1.example.org") })).toEqual({
    changes: ["update! | @ 300 NS ns1.example.net | @ 600 NS ns1.example.org"],
    effective: ["@ 600 NS ns1.example.org"],
    warnings: ["delegation_replaced", "plan_large_deletion"]
  })
})

const findings = (...zone: ReadonlyArray<string>) =>
  planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords("foo 300 NS ns.example.net") }).warningDetails.flatMap(
    (detail) => detail.findings ?? []
  )

test("a delegation names what it hides by full name, and first what mail needs", () => {
  expect(findings("foo 300 TXT hi", "a.foo 300 A 192.0.2.1", "b.foo 300 MX 10 mx.example.net")).toEqual([
    "foo.example.com no longer answers with TXT.",
    "b.foo.example.com no longer answers with MX.",
    "a.foo.example.com no longer answers with A."
  ])
  const many = Array.from({ length: 20 }, (_, at) => `a${at}.foo 300 A 192.0.2.1`)
  expect(findings(...many, "z.foo 300 MX 10 mx.example.net")[0]).toBe("z.foo.example.com no longer answers with MX.")
})
