import { describe, expect, test } from "bun:test"
import { describePlan, desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

test("a wildcard leaves explicit names alone", () => {
  const zone = zoneOf("app 300 A 192.0.2.1")
  expect(describePlan({ zone, desired: desiredRecords("* 300 CNAME edge.example.net") })).toEqual({
    changes: ["create | * 300 CNAME edge.example.net"],
    effective: ["* 300 CNAME edge.example.net"],
    warnings: []
  })
})

test("a new name loses the answers of a live wildcard, unless the intent contains all of them", () => {
  const zone = zoneOf("* 300 A 192.0.2.1", "* 300 RRSIG A …", "app 300 A 192.0.2.1")
  const at = (...lines: ReadonlyArray<string>) => describePlan({ zone, desired: desiredRecords(...lines) })
  expect([
    at("new 300 TXT hello"),
    at("new 300 TXT hello", "new 300 A 192.0.2.2"),
    at("app 300 TXT hello"),
    at("x.new 300 A 192.0.2.2"),
    at("x.app 300 TXT hello")
  ]).toEqual([
    { changes: ["create! | new 300 TXT hello"], effective: ["new 300 TXT hello"], warnings: ["wildcard_hidden"] },
    {
      changes: ["create! | new 300 A 192.0.2.2", "create | new 300 TXT hello"],
      effective: ["new 300 TXT hello", "new 300 A 192.0.2.2"],
      warnings: ["website_replaced"]
    },
    { changes: ["create | app 300 TXT hello"], effective: ["app 300 TXT hello"], warnings: [] },
    {
      changes: ["create! | x.new 300 A 192.0.2.2"],
      effective: ["x.new 300 A 192.0.2.2"],
      warnings: ["website_replaced", "wildcard_hidden"]
    },
    { changes: ["create | x.app 300 TXT hello"], effective: ["x.app 300 TXT hello"], warnings: [] }
  ])
})

const warningsOf = (live: string, ...desired: ReadonlyArray<string>) =>
  planOrThrow({ zone: zoneOf(live), desired: desiredRecords(...desired) }).warnings

describe("a DKIM key in place of another that a wildcard answers with", () => {
  const key = "*._domainkey 300 TXT v=DKIM1; p=abcd"
  const alias = "*._domainkey 300 CNAME k1.example.net"

  test("is replaced, as a key or as the alias to one", () => {
    expect(warningsOf(key, "s._domainkey 300 TXT v=DKIM1; p=efgh")).toEqual(["dkim_key_replaced"])
    expect(warningsOf(alias, "s._domainkey 300 CNAME k2.example.net")).toEqual(["dkim_key_replaced"])
    expect(warningsOf(key.replace("*._domainkey", "*"), "s._domainkey 300 TXT v=DKIM1; p=efgh")).toContain(
      "dkim_key_replaced"
    )
  })

  test("is the same one, or the wildcard serves something else", () => {
    expect(warningsOf(key, "s._domainkey 300 TXT v=DKIM1; p=abcd")).toEqual([])
    expect(warningsOf(alias, "s._domainkey 300 CNAME k1.example.net")).toEqual([])
    expect(warningsOf("* 300 CNAME web.example.net", "s._domainkey 300 CNAME k2.example.net")).not.toContain(
      "dkim_key_replaced"
    )
    expect(warningsOf("* 300 TXT v=DMARC1; p=reject", "s._domainkey 300 TXT v=DKIM1; p=efgh")).not.toContain(
      "dkim_key_replaced"
    )
  })
})

test("a policy that only a wildcard answers with is missed when a CNAME takes the wildcard's place", () => {
  const lines = ["* 300 TXT v=DMARC1; p=quarantine"]
  const desired = desiredRecords("* 300 CNAME edge.example.net")
  const answers = { "_dmarc.example.org TXT": ["v=DMARC1; p=quarantine"], "edge.example.net TXT": [], "org TXT": [] }
  const warningsIn = (zone: ReturnType<typeof zoneOf>) => describePlan({ zone, desired, answers }).warnings
  expect(warningsIn(zoneOf(...lines))).toContain("dmarc_policy_weakened")
  expect(warningsIn({ ...zoneOf(...lines), basis: "public_dns" })).toContain("dmarc_policy_weakened")
})

test("a first SPF record at a wildcard with addresses leaves the mail of its names acceptable", () => {
  const zone = zoneOf("* 300 A 192.0.2.1")
  const answers = { "_spf.example.net TXT": ["v=spf1 ip4:198.51.100.1 -all"] }
  expect(
    describePlan({ zone, desired: desiredRecords("* 300 TXT v=spf1 include:_spf.example.net -all"), answers })
  ).toEqual({
    changes: ["create | * 300 TXT v=spf1 include:_spf.example.net ~all"],
    effective: ["* 300 TXT v=spf1 include:_spf.example.net ~all"],
    warnings: ["spf_excludes_existing_mail"]
  })
})

const warningsIn = (lines: ReadonlyArray<string>, desired: string) =>
  describePlan({ zone: zoneOf(...lines), desired: desiredRecords(desired), answers: { "org TXT": [] } }).warnings

test("a CNAME at a wildcard brings the policy behind it, and ends those of the names below", () => {
  expect(
    warningsIn(["_dmarc 300 TXT v=DMARC1; p=reject", "a 300 TXT v=DMARC1; p=none"], "*.b 300 CNAME a.example.com")
  ).toContain("dmarc_policy_weakened")
  expect(
    warningsIn(
      ["_dmarc.a 300 TXT v=DMARC1; p=reject", "*.a 300 TXT v=DMARC1; p=none"],
      "*.a 300 CNAME edge.example.com"
    )
  ).toContain("dmarc_policy_strengthened")
})
