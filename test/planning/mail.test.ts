import { expect, test } from "bun:test"
import { describePlan, desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

test("an MX RRset replaces the old one", () => {
  const zone = zoneOf("@ 300 MX 4 mx1.example.net", "@ 300 MX 10 mx2.example.net", "@ 300 TXT hello")
  const answers = { "_25._tcp.mx1.example.net TLSA": [], "_25._tcp.mx2.example.net TLSA": [] }
  expect(describePlan({ zone, desired: desiredRecords("@ 600 MX 5 newmx.example.org"), answers })).toEqual({
    changes: [
      "create | @ 600 MX 5 newmx.example.org",
      "delete! | @ 300 MX 4 mx1.example.net",
      "delete! | @ 300 MX 10 mx2.example.net"
    ],
    effective: ["@ 600 MX 5 newmx.example.org"],
    warnings: ["mx_replaced"]
  })
})

test("a new priority of the same MX is a non-destructive update", () => {
  const zone = zoneOf("@ 900 MX 10 mx1.example.net", "@ 900 MX 20 mx2.example.net")
  expect(
    describePlan({ zone, desired: desiredRecords("@ 300 MX 5 mx1.example.net", "@ 300 MX 20 mx2.example.net") })
  ).toEqual({
    changes: ["update | @ 900 MX 10 mx1.example.net | @ 900 MX 5 mx1.example.net"],
    effective: ["@ 900 MX 5 mx1.example.net", "@ 900 MX 20 mx2.example.net"],
    warnings: ["ttl_adjusted"]
  })
})

test("mail servers that swap priorities are updated, which replaces the one that mail goes to first", () => {
  const zone = zoneOf("@ 900 MX 10 mx1.example.net", "@ 900 MX 20 mx2.example.net")
  expect(
    describePlan({ zone, desired: desiredRecords("@ 300 MX 20 mx1.example.net", "@ 300 MX 10 mx2.example.net") })
  ).toEqual({
    changes: [
      "update | @ 900 MX 10 mx1.example.net | @ 300 MX 20 mx1.example.net",
      "update | @ 900 MX 20 mx2.example.net | @ 300 MX 10 mx2.example.net"
    ],
    effective: ["@ 300 MX 20 mx1.example.net", "@ 300 MX 10 mx2.example.net"],
    warnings: ["mx_replaced"]
  })
})

test("an SRV RRset replaces only the records of its own service and protocol", () => {
  const zone = zoneOf("_sip._tcp 300 SRV 10 5 5060 old.example.net", "_sip._udp 300 SRV 10 5 5060 old.example.net")
  expect(describePlan({ zone, desired: desiredRecords("_sip._tcp 300 SRV 0 5 5060 new.example.net") })).toEqual({
    changes: ["update! | _sip._tcp 300 SRV 10 5 5060 old.example.net | _sip._tcp 300 SRV 0 5 5060 new.example.net"],
    effective: ["_sip._tcp 300 SRV 0 5 5060 new.example.net"],
    warnings: ["service_record_replaced"]
  })
})

test("a first SPF record stays strict if the intent itself contains the existing MX", () => {
  const desired = desiredRecords("@ 300 MX 10 mx.example.net", "@ 300 TXT v=spf1 mx -all")
  const answers = { "mx.example.net A": ["192.0.2.1"] }
  expect(describePlan({ zone: zoneOf("@ 300 MX 10 mx.example.net"), desired, answers })).toEqual({
    changes: ["create | @ 300 TXT v=spf1 mx -all"],
    effective: ["@ 300 MX 10 mx.example.net", "@ 300 TXT v=spf1 mx -all"],
    warnings: []
  })
})

test("a first SPF record stays strict if the intent contains the existing MX with another priority", () => {
  const desired = desiredRecords("@ 300 MX 5 mx.example.net", "@ 300 TXT v=spf1 mx -all")
  const answers = { "mx.example.net A": ["192.0.2.1"] }
  expect(describePlan({ zone: zoneOf("@ 300 MX 10 mx.example.net"), desired, answers }).warnings).toEqual([])
})

const moved = desiredRecords("srv 300 A 192.0.2.2")

test.each([
  ["MX through an alias", ["@ 300 MX 10 mail.example.com"], ["mail 300 CNAME srv.example.com"], moved],
  ["SPF through an alias", ["@ 300 TXT v=spf1 a:mail.example.com -all"], ["mail 300 CNAME srv.example.com"], moved],
  ["SPF with the domain as a macro", ["@ 300 TXT v=spf1 a:srv.%{d} -all"], [], moved],
  [
    "MX answered by a wildcard",
    ["@ 300 MX 10 x.example.com"],
    ["* 300 A 192.0.2.1"],
    desiredRecords("* 300 A 192.0.2.2")
  ],
  [
    "MX no longer answered by a wildcard",
    ["@ 300 MX 10 x.example.com"],
    ["* 300 A 192.0.2.1"],
    desiredRecords("x 300 TXT hello")
  ],
  [
    "MX below a new delegation",
    ["@ 300 MX 10 m.foo.example.com"],
    ["m.foo 300 A 192.0.2.1"],
    desiredRecords("foo 300 NS ns1.example.net")
  ]
])("a change to an address that mail depends on gives a warning: %s", (_, pointer, way, desired) => {
  const zone = zoneOf(...pointer, ...way, "srv 300 A 192.0.2.1")
  const { changes, warnings } = planOrThrow({ zone, desired })
  expect(warnings).toContain("mail_target_changed")
  expect(changes.some(({ destructive }) => destructive)).toBe(true)
})

test("a change that does not affect mail gives no mail warning", () => {
  const zone = zoneOf(
    "@ 300 MX 10 mail.example.com",
    "mail 300 A 192.0.2.1",
    "srv 300 A 192.0.2.1",
    "srv 300 MX 10 mx.example.net"
  )
  expect(planOrThrow({ zone, desired: moved }).warnings).toEqual(["address_records_replaced", "website_replaced"])
})
