import { describe, expect, test } from "bun:test"
import { DomainName } from "../../src/domain/names/DomainName.ts"
import type { Capability } from "../../src/domain/provider/Provider.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import {
  capabilities,
  describeChange,
  describePlan,
  desiredRecords,
  exampleCom,
  planOrThrow,
  zoneOf
} from "../support/planFixtures.ts"

const apex = ["@ 300 A 192.0.2.1", "@ 300 AAAA 2001:db8::1", "@ 300 TXT hello", "@ 300 NS ns1.example.net"]

test("an apex CNAME replaces the addresses and leaves mail, text and name servers alone", () => {
  const zone = zoneOf(...apex, "@ 3600 MX 10 mx.example.net", '@ 300 HTTPS 1 . alpn="h3"', "@ 300 CAA 0 issue ca.test")
  expect(describePlan({ zone, desired: desiredRecords("@ 600 CNAME edge.example.net") })).toEqual({
    changes: [
      "delete! | @ 300 A 192.0.2.1",
      "delete! | @ 300 AAAA 2001:db8::1",
      "delete! | @ 300 HTTPS 1 . alpn=h3",
      "create | @ 600 CNAME edge.example.net"
    ],
    effective: ["@ 600 CNAME edge.example.net"],
    warnings: ["address_records_replaced", "website_replaced", "apex_cname_flattened"]
  })
})

test("an apex CNAME gives a warning if the MX points to the apex itself", () => {
  const zone = zoneOf("@ 300 A 192.0.2.1", "@ 300 MX 0 example.com")
  expect(describePlan({ zone, desired: desiredRecords("@ 300 CNAME edge.example.net") })).toEqual({
    changes: ["delete! | @ 300 A 192.0.2.1", "create! | @ 300 CNAME edge.example.net"],
    effective: ["@ 300 CNAME edge.example.net"],
    warnings: ["address_records_replaced", "website_replaced", "mail_target_changed", "apex_cname_flattened"]
  })
})

test("an ALIAS at the apex is a CNAME: the same target is no change, another one is an update", () => {
  const desired = desiredRecords("@ 300 CNAME edge.example.net")
  const at = (record: string) => describePlan({ zone: zoneOf(record), desired })
  expect([at("@ 60 ALIAS Edge.Example.NET."), at("@ 60 ANAME old.example.net")]).toEqual([
    { changes: [], effective: ["@ 60 CNAME edge.example.net"], warnings: [] },
    {
      changes: ["update! | @ 60 ANAME old.example.net | @ 300 CNAME edge.example.net"],
      effective: ["@ 300 CNAME edge.example.net"],
      warnings: ["website_replaced", "mail_target_changed", "apex_cname_flattened"]
    }
  ])
})

test("an alias at the apex stays when a TXT record is added, and an address replaces it", () => {
  const zone = zoneOf("@ 300 CNAME edge.example.net")
  expect([
    describePlan({ zone, desired: desiredRecords("@ 300 TXT hello") }),
    describePlan({ zone, desired: desiredRecords("@ 300 A 192.0.2.1") })
  ]).toEqual([
    { changes: ["create | @ 300 TXT hello"], effective: ["@ 300 TXT hello"], warnings: [] },
    {
      changes: ["delete! | @ 300 CNAME edge.example.net", "create | @ 300 A 192.0.2.1"],
      effective: ["@ 300 A 192.0.2.1"],
      warnings: ["cname_removed", "website_replaced", "mail_target_changed"]
    }
  ])
})

test("a CNAME below the apex replaces every other record", () => {
  const zone = zoneOf(
    "bar 300 A 192.0.2.1",
    "bar 300 AAAA 2001:db8::1",
    "bar 300 TXT hello",
    "bar 300 MX 10 mx.example.net",
    "bar 300 RRSIG A 13 3 300 …",
    "bar 300 NSEC baz.example.com. A",
    "bar 300 TYPE65280 \\# 0"
  )
  expect(
    describePlan({
      zone,
      desired: desiredRecords("bar 600 CNAME edge.example.net"),
      capabilities: capabilities("unknown")
    })
  ).toEqual({
    changes: [
      "delete! | bar 300 A 192.0.2.1",
      "delete! | bar 300 AAAA 2001:db8::1",
      "delete! | bar 300 TXT hello",
      "delete! | bar 300 MX 10 mx.example.net",
      "create | bar 600 CNAME edge.example.net"
    ],
    effective: ["bar 600 CNAME edge.example.net"],
    warnings: ["cname_replaces_records", "website_replaced", "mail_records_removed"]
  })
})

test("a CNAME replaces mail records and an ALIAS", () => {
  const zone = zoneOf("bar 300 TXT v=spf1 -all", "foo 300 ALIAS edge.example.net")
  const at = (host: string) => describePlan({ zone, desired: desiredRecords(`${host} 300 CNAME edge.example.net`) })
  expect([at("bar"), at("foo")]).toEqual([
    {
      changes: ["delete! | bar 300 TXT v=spf1 -all", "create | bar 300 CNAME edge.example.net"],
      effective: ["bar 300 CNAME edge.example.net"],
      warnings: ["cname_replaces_records", "mail_records_removed"]
    },
    {
      changes: ["delete! | foo 300 ALIAS edge.example.net", "create | foo 300 CNAME edge.example.net"],
      effective: ["foo 300 CNAME edge.example.net"],
      warnings: ["cname_replaces_records", "website_replaced"]
    }
  ])
})

test("a CNAME at the domain is ordinary if the zone begins above it", () => {
  const zone = { ...zoneOf("@ 300 A 192.0.2.1", "@ 300 MX 10 mx.example.net"), name: exampleCom }
  const domain = DomainName.make("app.example.com")
  expect(
    describePlan({
      zone,
      domain,
      desired: desiredRecords("@ 300 CNAME edge.example.net"),
      capabilities: capabilities("unsupported")
    })
  ).toEqual({
    changes: [
      "delete! | @ 300 A 192.0.2.1",
      "delete! | @ 300 MX 10 mx.example.net",
      "create | @ 300 CNAME edge.example.net"
    ],
    effective: ["@ 300 CNAME edge.example.net"],
    warnings: ["cname_replaces_records", "website_replaced", "mail_records_removed"]
  })
})

test("a record of another type removes the CNAME directly before it is created", () => {
  const zone = zoneOf("foo 300 CNAME edge.example.net", "bar 300 A 192.0.2.1")
  const desired = desiredRecords(
    "foo 600 TXT hello",
    'foo 600 CAA 0 issue "ca.test"',
    "bar 300 TXT hello",
    "bar 300 AAAA 2001:db8::1"
  )
  expect(
    describePlan({
      zone,
      desired,
      policy: { validateCAA: false },
      answers: { "com CAA": [], "edge.example.net CAA": [] }
    })
  ).toEqual({
    changes: [
      "create | bar 300 AAAA 2001:db8::1",
      "create | bar 300 TXT hello",
      "delete! | foo 300 CNAME edge.example.net",
      "create | foo 600 TXT hello",
      'create | foo 600 CAA 0 issue "ca.test"',
      "delete! | bar 300 A 192.0.2.1"
    ],
    effective: ["foo 600 TXT hello", 'foo 600 CAA 0 issue "ca.test"', "bar 300 TXT hello", "bar 300 AAAA 2001:db8::1"],
    warnings: ["caa_set_created", "cname_removed", "address_records_replaced", "website_replaced"]
  })
})

test("a CNAME gets its new target and removes the other records of a broken host", () => {
  const zone = zoneOf("foo 300 CNAME old.example.net", "foo 300 CNAME older.example.net", "foo 300 A 192.0.2.1")
  expect(describePlan({ zone, desired: desiredRecords("foo 600 CNAME edge.example.net") })).toEqual({
    changes: [
      "delete! | foo 300 A 192.0.2.1",
      "update! | foo 300 CNAME old.example.net | foo 600 CNAME edge.example.net",
      "delete! | foo 300 CNAME older.example.net"
    ],
    effective: ["foo 600 CNAME edge.example.net"],
    warnings: ["cname_replaces_records", "website_replaced"]
  })
})

const flattened = {
  ...zoneOf("@ 300 A 192.0.2.1", "@ 60 A 192.0.2.2", "@ 300 MX 10 mx.example.net"),
  basis: "public_dns"
} as const
const shop = desiredRecords("@ 600 CNAME shops.example.net")
const replacement = [
  "delete! | @ 300 A 192.0.2.1",
  "delete! | @ 60 A 192.0.2.2",
  "create | @ 600 CNAME shops.example.net"
]

test("in a zone read from public DNS, the target's addresses at the apex count as a flattened CNAME", () => {
  const answers = { "shops.example.net A": ["192.0.2.2", "192.0.2.1"], "shops.example.net AAAA": [] }
  expect(describePlan({ zone: flattened, desired: shop, answers })).toEqual({
    changes: [],
    effective: ["@ 60 CNAME shops.example.net"],
    warnings: []
  })
})

test.each([
  ["others", { "shops.example.net A": ["192.0.2.1"], "shops.example.net AAAA": [] }],
  ["more", { "shops.example.net A": ["192.0.2.1", "192.0.2.2"], "shops.example.net AAAA": ["2001:db8::1"] }],
  ["not known", { "shops.example.net A": ["192.0.2.1", "192.0.2.2"] }]
])("where the addresses of the target are %s, the apex is no such CNAME", (_, answers) => {
  expect(describePlan({ zone: flattened, desired: shop, answers }).changes).toEqual(replacement)
})

test("in a zone read from the provider, addresses at the apex stay addresses", () => {
  const answers = { "shops.example.net A": ["192.0.2.2", "192.0.2.1"], "shops.example.net AAAA": [] }
  expect(describePlan({ zone: { ...flattened, basis: "provider" }, desired: shop, answers }).changes).toEqual(
    replacement
  )
})

describe("at an apex whose servers answer every question with an alias", () => {
  const shown = { ...zoneOf("@ 300 CNAME cust.legacy-host.dev"), basis: "public_dns" } as const
  const addresses = { "cust.legacy-host.dev A": ["192.0.2.1"], "cust.legacy-host.dev AAAA": [] }
  const warningOf = (zone: Zone, line: string, cnameFlattening: Capability = "unknown") => {
    const { changes, warningDetails } = planOrThrow({
      zone,
      desired: desiredRecords(line, "shop 300 CNAME stores.example.net"),
      capabilities: capabilities("supported", { cnameFlattening }),
      policy: { validateCAA: false },
      answers: addresses
    })
    return {
      changes: changes.map(describeChange).filter((change) => change.includes(" @ ")),
      isShopPlanned: changes.some(({ after }) => after?.host === "shop"),
      warning: warningDetails.find(({ code }) => code === "record_not_served")
    }
  }

  for (const line of ["@ 300 TXT hello", "@ 300 MX 10 mx.example.net", '@ 300 CAA 0 issue "ca.example.net"']) {
    const [, , type] = line.split(" ")
    test(`a warning says that ${type} is not seen, and what is below is planned`, () => {
      expect(warningOf(shown, line)).toMatchObject({
        changes: [`create | ${line}`],
        isShopPlanned: true,
        warning: {
          findings: [
            `example.com answers every question with a CNAME, which hides its ${type} record: put addresses, or an alias of the provider, in the place of the CNAME.`
          ]
        }
      })
    })
  }

  for (const line of ["@ 300 A 192.0.2.9", "@ 300 AAAA 2001:db8::9"])
    test(`an address takes its place: ${line}`, () => {
      expect(warningOf(shown, line)).toEqual({
        changes: ["delete! | @ 300 CNAME cust.legacy-host.dev", `create | ${line}`],
        isShopPlanned: true,
        warning: undefined
      })
    })

  test("a text beside an address that takes its place is seen", () => {
    const desired = desiredRecords("@ 300 A 192.0.2.9", "@ 300 TXT hello")
    expect(describePlan({ zone: shown, desired }).warnings).not.toContain("record_not_served")
  })

  test("no warning where the servers show other records beside it, or the addresses of a flattened alias", () => {
    const beside = {
      ...zoneOf("@ 300 CNAME cust.legacy-host.dev", "@ 300 NS ns1.example.net"),
      basis: "public_dns"
    } as const
    const flattened = { ...zoneOf("@ 300 A 192.0.2.1", "@ 300 NS ns1.example.net"), basis: "public_dns" } as const
    for (const zone of [beside, flattened]) expect(warningOf(zone, "@ 300 TXT hello").warning).toBeUndefined()
  })

  test("in the zone at a provider, it counts where the provider is not known to flatten it", () => {
    const stored = zoneOf("@ 300 CNAME cust.legacy-host.dev")
    expect(
      (["supported", "unsupported", "unknown"] as const).map(
        (flattening) => warningOf(stored, "@ 300 TXT hello", flattening).warning === undefined
      )
    ).toEqual([true, false, false])
    for (const type of ["ALIAS", "ANAME"])
      expect(warningOf(zoneOf(`@ 300 ${type} cust.legacy-host.dev`), "@ 300 TXT hello").warning).toBeUndefined()
  })
})
