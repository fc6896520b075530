import { expect, test } from "bun:test"
import { describePlan, desiredRecords, exampleCom, planOrThrow, zoneOf } from "../support/planFixtures.ts"

test("a plan contains the records before and after each change, and the effective intent with the resulting TTLs", () => {
  const desired = desiredRecords("www 600 A 203.0.113.2", "?@ 600 MX 5 mx.example.net")
  const zone = zoneOf("www 300 A 192.0.2.9", "@ 1800 MX 10 mx.example.net")
  const { changes, effectiveIntent } = planOrThrow({ zone, desired })
  expect(changes).toEqual([
    {
      action: "update",
      before: { host: "www", type: "A", value: "192.0.2.9", ttl: 300, optional: false },
      after: { host: "www", type: "A", value: "203.0.113.2", ttl: 600, optional: false },
      destructive: true
    },
    {
      action: "update",
      before: { host: "@", type: "MX", value: "mx.example.net", ttl: 1800, priority: 10, optional: false },
      after: { host: "@", type: "MX", value: "mx.example.net", ttl: 600, priority: 5, optional: true },
      destructive: false
    }
  ])
  expect({ ...effectiveIntent }).toEqual({ domain: exampleCom, records: [...desired] })
})

test("a plan compares and shows live records in normal form, without duplicates", () => {
  const zone = zoneOf(
    "WWW 300 CNAME Edge.Example.NET.",
    "v6 300 AAAA 2001:DB8:0:0::1",
    "v6 60 AAAA 2001:db8::1",
    "shop 300 DNAME Old.Example.NET.",
    "shop 99999999999 MX 10 Mail_.-.Example.NET.",
    "shop 300 TXT \ud800"
  )
  const desired = desiredRecords(
    "www 60 CNAME edge.example.net",
    "v6 300 AAAA 2001:db8::1",
    "shop 300 CNAME edge.example.net"
  )
  expect(describePlan({ zone, desired })).toEqual({
    changes: [
      "delete! | shop 300 DNAME old.example.net",
      "delete! | shop 300 TXT \ufffd",
      "delete! | shop 0 MX 10 mail_.-.example.net",
      "create | shop 300 CNAME edge.example.net"
    ],
    effective: ["www 300 CNAME edge.example.net", "v6 60 AAAA 2001:db8::1", "shop 300 CNAME edge.example.net"],
    warnings: ["cname_replaces_records", "mail_records_removed", "lookup_unknown"]
  })
})

test("a plan ignores the priority that a provider adds to a record type without one", () => {
  const zone = {
    name: exampleCom,
    basis: "provider" as const,
    records: [{ host: "www", type: "A", value: "192.0.2.1", ttl: 300, priority: 0 }]
  }
  expect(planOrThrow({ zone, desired: desiredRecords("www 300 A 192.0.2.1") }).changes).toEqual([])
})
