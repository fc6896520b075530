import { describe, expect, test } from "bun:test"
import type { ZoneRecord } from "../../src/domain/DnsRecord.ts"
import type { Zone } from "../../src/domain/Zone.ts"
import { describePlan, describeRefusal, desiredRecords, zoneOf } from "../support/planFixtures.ts"

/** The zone with the aliases below the apex proxied, or flattened by their own setting. */
const served = (by: Partial<ZoneRecord>, ...lines: ReadonlyArray<string>): Zone => {
  const zone = zoneOf(...lines)
  return { ...zone, records: zone.records.map((record) => (record.type === "CNAME" ? { ...record, ...by } : record)) }
}

const alias = "scan 300 CNAME d2.cdn.example"
const mx = "scan 3600 MX 10 inbound.mail.example"

const besideAnAlias = [
  ["TXT", "scan 300 TXT platform-verify=1"],
  ["MX", mx],
  ["SRV", "scan 300 SRV 10 5 443 server.example.net"],
  ["CAA", '0 issue "ca.example.net"']
] as const

const lineOf = ([type, line]: (typeof besideAnAlias)[number]) => (type === "CAA" ? `scan 300 CAA ${line}` : line)

for (const [what, by] of [
  ["proxied", { proxied: true }],
  ["flattened", { flattened: true }]
] as const)
  describe(`an alias that its provider serves as addresses (${what})`, () => {
    for (const entry of besideAnAlias) {
      const [type] = entry
      test(`stays where ${type} is added`, () => {
        expect(
          describePlan({
            zone: served(by, alias),
            desired: desiredRecords(lineOf(entry)),
            policy: { validateCAA: false }
          })
        ).toMatchObject({ changes: [`create | ${lineOf(entry)}`] })
      })

      test(`that is desired itself leaves ${type} beside it`, () => {
        expect(describePlan({ zone: served(by, alias, lineOf(entry)), desired: desiredRecords(alias) })).toMatchObject({
          changes: [],
          effective: [alias]
        })
      })

      test(`gives way to another alias, and so does ${type} beside it`, () => {
        const other = "scan 300 CNAME shops.example.net"
        expect(
          describePlan({ zone: served(by, alias, lineOf(entry)), desired: desiredRecords(other) }).changes
        ).toEqual([`delete! | ${lineOf(entry)}`, `update! | ${alias} | ${other}`])
      })
    }

    test("gives way to an address", () => {
      const { changes, warnings } = describePlan({
        zone: served(by, alias, mx),
        desired: desiredRecords("scan 300 A 192.0.2.1")
      })
      expect(changes).toEqual([`delete! | ${alias}`, "create | scan 300 A 192.0.2.1"])
      expect(warnings).toContain("cname_removed")
    })

    test("gives way to a delegation, and so does everything beside it", () => {
      expect(
        describePlan({ zone: served(by, alias, mx), desired: desiredRecords("scan 300 NS ns1.example.net") }).changes
      ).toEqual([`delete! | ${alias}`, `delete! | ${mx}`, "create | scan 300 NS ns1.example.net"])
    })

    test("says nothing of the apex", () => {
      const { warnings } = describePlan({
        zone: served(by, alias),
        desired: desiredRecords(alias, "scan 300 TXT hello".replace("scan", "www"))
      })
      expect(warnings).not.toContain("apex_cname_flattened")
    })

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
