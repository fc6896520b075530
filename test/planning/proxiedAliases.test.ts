import { describe, expect, test } from "bun:test"
import { DateTime } from "effect"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { anyTtl } from "../../src/domain/provider/Provider.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import { emptyPlanContext } from "../../src/planning/PlanContext.ts"
import {
  capabilities,
  describeChange,
  describePlan,
  describeRefusal,
  desiredRecords,
  exampleCom,
  intentFor,
  planOrThrow,
  zoneOf
} from "../support/planFixtures.ts"
import { planZoneRestore } from "../support/planZone.ts"

/** The zone with the aliases below the apex proxied, or flattened by their own setting. */
const served = (by: Partial<ZoneRecord>, ...lines: ReadonlyArray<string>): Zone => {
  const zone = zoneOf(...lines)
  return { ...zone, records: zone.records.map((record) => (record.type === "CNAME" ? { ...record, ...by } : record)) }
}

const zoneWith = (flattenedAliases: Zone["flattenedAliases"], ...lines: ReadonlyArray<string>): Zone => ({
  ...zoneOf(...lines),
  flattenedAliases
})

const alias = "scan 300 CNAME d2.cdn.example"
const mx = "scan 3600 MX 10 inbound.mail.example"

const besideAnAlias = [
  ["TXT", "scan 300 TXT platform-verify=1"],
  ["MX", mx],
  ["SRV", "scan 300 SRV 10 5 443 server.example.net"],
  ["CAA", '0 issue "ca.example.net"']
] as const

const lineOf = ([type, line]: (typeof besideAnAlias)[number]) => (type === "CAA" ? `scan 300 CAA ${line}` : line)

const inZone = "scan 300 CNAME web.example.com"
const another = "scan 300 CNAME shops.example.net"

const kinds: ReadonlyArray<readonly [what: string, alias: string, serve: (...lines: ReadonlyArray<string>) => Zone]> = [
  ["proxied", alias, (...lines) => served({ proxied: true }, ...lines)],
  ["flattened", alias, (...lines) => served({ flattened: true }, ...lines)],
  ["flattened with all others of its zone", alias, (...lines) => zoneWith("all", ...lines)],
  ["its target is in the zone", inZone, (...lines) => zoneWith("in_zone", ...lines)]
]

for (const [what, alias, serve] of kinds)
  describe(`an alias that its provider serves as addresses (${what})`, () => {
    for (const entry of besideAnAlias) {
      const [type] = entry
      test(`stays where ${type} is added`, () => {
        expect(
          describePlan({
            zone: serve(alias),
            desired: desiredRecords(lineOf(entry)),
            policy: { validateCAA: false }
          })
        ).toMatchObject({ changes: [`create | ${lineOf(entry)}`] })
      })

      test(`that is desired itself leaves ${type} beside it`, () => {
        expect(describePlan({ zone: serve(alias, lineOf(entry)), desired: desiredRecords(alias) })).toMatchObject({
          changes: [],
          effective: [alias]
        })
      })

      test(`gives way to another alias, which leaves ${type} beside it only if it is served so, too`, () => {
        const zone = serve(alias, lineOf(entry))
        expect(describePlan({ zone, desired: desiredRecords(another) }).changes).toEqual([
          ...(zone.flattenedAliases === "all" ? [] : [`delete! | ${lineOf(entry)}`]),
          `update! | ${alias} | ${another}`
        ])
      })
    }

    test("gives way to an address", () => {
      const { changes, warnings } = describePlan({
        zone: serve(alias, mx),
        desired: desiredRecords("scan 300 A 192.0.2.1")
      })
      expect(changes).toEqual([`delete! | ${alias}`, "create | scan 300 A 192.0.2.1"])
      expect(warnings).toContain("cname_removed")
    })

    test("gives way to a delegation, and so does everything beside it", () => {
      expect(
        describePlan({ zone: serve(alias, mx), desired: desiredRecords("scan 300 NS ns1.example.net") }).changes
      ).toEqual([`delete! | ${alias}`, `delete! | ${mx}`, "create | scan 300 NS ns1.example.net"])
    })

    test("says nothing of the apex", () => {
      const { warnings } = describePlan({
        zone: serve(alias),
        desired: desiredRecords(alias, "scan 300 TXT hello".replace("scan", "www"))
      })
      expect(warnings).not.toContain("apex_cname_flattened")
    })
  })

for (const [what, by] of [
  ["proxied", { proxied: true }],
  ["flattened", { flattened: true }]
] as const)
  describe(`an alias that its provider serves as addresses by its own setting (${what})`, () => {
    test("does not answer with the texts of its target", () => {
      const zone = served(by, "s1._domainkey 300 CNAME s1.esp.example")
      expect(
        describePlan({
          zone,
          desired: desiredRecords("s1._domainkey 300 TXT v=DKIM1; p=AAAA"),
          answers: { "s1.esp.example TXT": ["v=DKIM1; p=AAAA"] }
        }).changes
      ).toEqual(["create | s1._domainkey 300 TXT v=DKIM1; p=AAAA"])
    })
  })

describe("in a zone that flattens aliases", () => {
  for (const [flattenedAliases, desired] of [
    ["all", alias],
    ["in_zone", inZone]
  ] as const)
    test(`a new alias leaves a mail server beside it: ${flattenedAliases}`, () => {
      const zone = zoneWith(flattenedAliases, mx, "scan 300 A 192.0.2.1")
      expect(describePlan({ zone, desired: desiredRecords(desired) }).changes).toEqual([
        "delete! | scan 300 A 192.0.2.1",
        `create | ${desired}`
      ])
    })

  test("only for targets in the zone, another alias is served as such", () => {
    const token = "scan 300 TXT platform-verify=1"
    expect(describePlan({ zone: zoneWith("in_zone", alias), desired: desiredRecords(token) }).changes).toEqual([
      `delete! | ${alias}`,
      `create | ${token}`
    ])
    expect(describePlan({ zone: zoneWith("in_zone", alias), desired: desiredRecords(inZone) }).changes).toEqual([
      `update! | ${alias} | ${inZone}`
    ])
  })

  const key = "s1._domainkey 300 CNAME s1.esp.example"

  test("the alias of a key takes the place of a key, and a warning says that it is not served", () => {
    const { changes, warningDetails } = planOrThrow({
      zone: zoneWith("all", "s1._domainkey 300 TXT v=DKIM1; p=AAAA"),
      desired: desiredRecords(key),
      answers: { "s1.esp.example TXT": ["v=DKIM1; p=BBBB"] }
    })
    expect(changes.map(describeChange)).toEqual(["delete! | s1._domainkey 300 TXT v=DKIM1; p=AAAA", `create | ${key}`])
    expect(warningDetails).toContainEqual({
      code: "record_not_served",
      changes: [1],
      findings: [
        "s1._domainkey.example.com hides what its target says: turn off the flattening of all CNAMEs at the provider."
      ]
    })
  })

  test("for targets in the zone only, the alias of a key is served", () => {
    expect(describePlan({ zone: zoneWith("in_zone"), desired: desiredRecords(key) }).warnings).not.toContain(
      "record_not_served"
    )
  })

  test("what was replaced comes back beside the records of the customer", () => {
    const zone = zoneWith("all", "scan 300 A 192.0.2.1", mx)
    const intent = intentFor(exampleCom, desiredRecords("scan 300 A 192.0.2.1"))
    const restored = planZoneRestore({
      zone,
      domain: exampleCom,
      journal: [
        {
          connectionId: ConnectionId.make("con_a"),
          domain: exampleCom,
          change: {
            action: "update",
            before: { host: "scan", type: "CNAME", value: "d2.cdn.example", ttl: 300, optional: false },
            after: { host: "scan", type: "A", value: "192.0.2.1", ttl: 300, optional: false },
            destructive: true
          },
          writtenAt: DateTime.unsafeMake(0)
        }
      ],
      leaving: { id: ConnectionId.make("con_a"), intent },
      others: [],
      limits: { capabilities: capabilities("supported"), ttl: anyTtl },
      context: emptyPlanContext,
      now: DateTime.unsafeMake(0),
      putBack: []
    })
    expect(restored.changes.map(describeChange)).toEqual(["delete! | scan 300 A 192.0.2.1", `create | ${alias}`])
  })
})

test("a proxied alias at the apex is updated to another target", () => {
  expect(
    describePlan({
      zone: served({ proxied: true }, "@ 300 CNAME d2.cdn.example"),
      desired: desiredRecords("@ 300 CNAME shops.example.net")
    }).changes
  ).toEqual(["update! | @ 300 CNAME d2.cdn.example | @ 300 CNAME shops.example.net"])
})

describe("an alias that is served as such", () => {
  for (const entry of besideAnAlias.filter(([type]) => type !== "CAA"))
    test(`gives way to ${entry[0]}, which could not be served beside it`, () => {
      const { changes, warnings } = describePlan({ zone: zoneOf(alias), desired: desiredRecords(lineOf(entry)) })
      expect(changes).toEqual([`delete! | ${alias}`, `create | ${lineOf(entry)}`])
      expect(warnings).toContain("cname_removed")
    })

  test("has no CAA record beside it", () => {
    expect(
      describeRefusal({ zone: zoneOf(alias), desired: desiredRecords('scan 300 CAA 0 issue "ca.example.net"') })
    ).toBe("CAA scan caa_host_is_cname")
  })

  test("replaces an MX beside it", () => {
    expect(describePlan({ zone: zoneOf(mx), desired: desiredRecords(alias) }).changes).toEqual([
      `delete! | ${mx}`,
      `create | ${alias}`
    ])
  })
})
