import { expect, test } from "bun:test"
import { Either } from "effect"
import {
  capabilities,
  describePlan,
  describeRefusal,
  desiredRecords,
  planInputOf,
  zoneOf
} from "../support/planFixtures.ts"
import { planZone } from "../support/planZone.ts"

test("a CNAME at the apex needs a provider that is known to flatten it", () => {
  const zone = zoneOf("@ 300 A 192.0.2.1")
  const desired = desiredRecords("@ 300 CNAME edge.example.net")
  const by = (able: "supported" | "unsupported" | "manual" | "unknown") =>
    describeRefusal({ zone, desired, capabilities: capabilities("supported", { cnameFlattening: able }) })
  expect([by("unsupported"), by("unknown"), by("manual"), by("supported")]).toEqual([
    "CNAME @ apex_cname_unsupported",
    "CNAME @ apex_cname_unsupported",
    "CNAME @ apex_cname_unsupported",
    "planned"
  ])
})

test("name servers of the zone itself need a provider that can change them, unless nothing changes", () => {
  const zone = zoneOf("@ 300 NS ns1.example.net", "@ 300 NS ns2.example.net")
  const able = capabilities("supported", { rootNSModification: "unsupported" })
  const of = (...lines: ReadonlyArray<string>) =>
    describeRefusal({ zone, desired: desiredRecords(...lines), capabilities: able })
  expect([
    of("@ 300 NS ns1.example.net"),
    of("@ 300 NS ns2.example.net", "@ 300 NS ns1.example.net"),
    of("sub 300 NS ns1.example.net")
  ]).toEqual(["NS @ record_type_unsupported", "planned", "planned"])
})

test("a delegated host cannot be planned, nor can hosts below it", () => {
  const zone = zoneOf("@ 300 NS ns1.example.net", "foo 300 NS ns1.example.net", "old 300 DNAME new.example.net")
  const of = (line: string) => describeRefusal({ zone, desired: desiredRecords(line) })
  expect([
    of("foo 300 A 192.0.2.1"),
    of("a.b.foo 300 TXT hello"),
    of("sub.foo 300 NS ns1.example.org"),
    of("www.old 300 A 192.0.2.1"),
    of("old 300 A 192.0.2.1"),
    of("food 300 A 192.0.2.1"),
    of("foo 300 NS ns1.example.org"),
    of("@ 300 A 192.0.2.1")
  ]).toEqual([
    "A foo host_delegated_elsewhere",
    "TXT a.b.foo host_delegated_elsewhere",
    "NS sub.foo host_delegated_elsewhere",
    "A www.old host_delegated_elsewhere",
    "planned",
    "planned",
    "planned",
    "planned"
  ])
})

test("hosts below a DNAME can be planned if the intent replaces the DNAME", () => {
  const zone = zoneOf("old 300 DNAME new.example.net")
  expect(
    describeRefusal({ zone, desired: desiredRecords("old 300 CNAME new.example.net", "www.old 300 A 192.0.2.1") })
  ).toBe("planned")
})

test("CAA cannot exist at a CNAME, unless another record replaces the CNAME or it is flattened", () => {
  const zone = zoneOf("shop 300 CNAME edge.example.net", "@ 300 CNAME edge.example.net")
  const caa = 'shop 300 CAA 0 issue "ca.test"'
  expect([
    describeRefusal({ zone, desired: desiredRecords(caa) }),
    describeRefusal({ zone, desired: desiredRecords(caa, "shop 300 A 192.0.2.1") }),
    describeRefusal({ zone, desired: desiredRecords('@ 300 CAA 0 issue "ca.test"') })
  ]).toEqual(["CAA shop caa_host_is_cname", "planned", "planned"])
})

test("an optional record that cannot be planned is left out and reported", () => {
  const zone = zoneOf("foo 300 NS ns1.example.net", "shop 300 CNAME edge.example.net")
  const desired = desiredRecords(
    "?@ 300 CNAME edge.example.net",
    "www 300 A 192.0.2.1",
    "?www.foo 300 A 192.0.2.1",
    '?shop 300 CAA 0 issue "ca.test"'
  )
  expect(describePlan({ zone, desired, capabilities: capabilities("unknown") })).toEqual({
    changes: ["create | www 300 A 192.0.2.1"],
    effective: ["www 300 A 192.0.2.1"],
    warnings: ["optional_record_skipped"],
    optionalFailures: [
      "CNAME @ apex_cname_unsupported",
      "A www.foo host_delegated_elsewhere",
      "CAA shop caa_host_is_cname"
    ]
  })
})

test("a refusal names the index of the record in the intent and the rule", () => {
  const desired = desiredRecords("@ 300 A 192.0.2.1", "www 300 A 192.0.2.1")
  const planned = planZone(planInputOf({ zone: zoneOf("www 300 NS ns1.example.net"), desired }))
  expect(Either.flip(planned)).toMatchObject(
    Either.right({
      code: "host_delegated_elsewhere",
      pointer: "/intent/records/1",
      host: "www",
      type: "A",
      rule: "NS or DNAME records give this host to other name servers: a record here would never be served"
    })
  )
})

test("unchanged CAA records at a CNAME do not remove it", () => {
  const desired = desiredRecords('foo 300 CAA 0 issue "ca.test"', "?foo 300 TXT v=spf1 include:a.example -all")
  const able = capabilities("supported", { spfRecords: "unsupported" })
  const situation = { zone: zoneOf("foo 300 CNAME edge.example.net"), desired, capabilities: able }
  expect(describeRefusal({ ...situation, policy: { validateCAA: false } })).toBe("CAA foo caa_host_is_cname")
})
