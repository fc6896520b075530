import { expect, test } from "bun:test"
import { describePlan, desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

test("the same text with another TTL needs no change, but another letter case does", () => {
  const zone = zoneOf("@ 1800 TXT Hello World")
  expect(
    ["Hello World", "Hello WORLD"].map((value) => describePlan({ zone, desired: desiredRecords(`@ 600 TXT ${value}`) }))
  ).toEqual([
    { changes: [], effective: ["@ 1800 TXT Hello World"], warnings: [] },
    { changes: ["create | @ 1800 TXT Hello WORLD"], effective: ["@ 1800 TXT Hello WORLD"], warnings: ["ttl_adjusted"] }
  ])
})

test("a text of more than 255 bytes equals the same text in several strings", () => {
  const text = "ä".repeat(205)
  const desired = desiredRecords(`s1._domainkey 300 TXT ${text}`)
  expect([
    describePlan({ zone: zoneOf(), desired }),
    describePlan({ zone: zoneOf(`s1._domainkey 60 TXT ${text}`), desired })
  ]).toEqual([
    {
      changes: [`create | s1._domainkey 300 TXT ${text}`],
      effective: [`s1._domainkey 300 TXT ${text}`],
      warnings: ["txt_value_split"]
    },
    { changes: [], effective: [`s1._domainkey 60 TXT ${text}`], warnings: [] }
  ])
})

test("DKIM, MTA-STS, TLS-RPT and BIMI records replace the existing ones", () => {
  const zone = zoneOf(
    "s1._domainkey 300 TXT v=DKIM1; p=old",
    "_mta-sts 300 TXT v=STSv1; id=1",
    "_mta-sts 900 TXT note",
    "_smtp._tls 300 TXT v=TLSRPTv1; rua=mailto:a@example.com",
    "default._bimi 300 TXT v=BIMI1; l="
  )
  const desired = desiredRecords(
    "s1._domainkey 600 TXT v=DKIM1; p=new",
    "_mta-sts 600 TXT v=STSv1; id=2",
    "_smtp._tls 600 TXT v=TLSRPTv1; rua=mailto:b@example.com",
    "default._bimi 600 TXT v=BIMI1; l=https://example.com/logo.svg"
  )
  expect(describePlan({ zone, desired })).toEqual({
    changes: [
      "update! | _mta-sts 300 TXT v=STSv1; id=1 | _mta-sts 900 TXT v=STSv1; id=2",
      "update! | _smtp._tls 300 TXT v=TLSRPTv1; rua=mailto:a@example.com | _smtp._tls 600 TXT v=TLSRPTv1; rua=mailto:b@example.com",
      "update! | default._bimi 300 TXT v=BIMI1; l= | default._bimi 600 TXT v=BIMI1; l=https://example.com/logo.svg",
      "update! | s1._domainkey 300 TXT v=DKIM1; p=old | s1._domainkey 600 TXT v=DKIM1; p=new"
    ],
    effective: [
      "s1._domainkey 600 TXT v=DKIM1; p=new",
      "_mta-sts 900 TXT v=STSv1; id=2",
      "_smtp._tls 600 TXT v=TLSRPTv1; rua=mailto:b@example.com",
      "default._bimi 600 TXT v=BIMI1; l=https://example.com/logo.svg"
    ],
    warnings: ["dkim_key_replaced", "service_record_replaced", "ttl_adjusted"]
  })
})

/** The plan for a DKIM key at a host that serves these texts. */
const planKey = (...served: ReadonlyArray<string>) =>
  describePlan({
    zone: zoneOf(...served.map((value) => `s1._domainkey 900 TXT ${value}`)),
    desired: desiredRecords("s1._domainkey 300 TXT v=DKIM1;k=rsa;p=AAAABBBB")
  })

test("a DKIM key that is served in another spelling stays as it is", () => {
  for (const served of ["v=DKIM1; k=rsa; p=AAAABBBB", "v=DKIM1;k=rsa;p=AAAABBBB;", "v=DKIM1; p=AAAA BBBB ; k = rsa"])
    expect(planKey(served)).toEqual({ changes: [], effective: [`s1._domainkey 900 TXT ${served}`], warnings: [] })
  expect(planKey("v=DKIM1; k=rsa; p=AAAAbbbb").warnings).toEqual(["dkim_key_replaced"])
  expect(planKey("v=DKIM1; k=rsa; p=AAAABBBB", "v=DKIM1; p=old").changes).toEqual([
    "delete! | s1._domainkey 900 TXT v=DKIM1; p=old"
  ])
})

test("a DKIM key behind an alias or at a wildcard may be served in another spelling", () => {
  const desired = desiredRecords("s1._domainkey 300 TXT v=DKIM1;k=rsa;p=AAAA")
  expect([
    describePlan({
      zone: zoneOf("s1._domainkey 900 CNAME s1.dkim.example.net"),
      desired,
      answers: { "s1.dkim.example.net TXT": ["v=DKIM1; k=rsa; p=AAAA"] }
    }),
    describePlan({ zone: zoneOf("*._domainkey 900 TXT v=DKIM1; k=rsa; p=AAAA"), desired })
  ]).toEqual([
    { changes: [], effective: ["s1._domainkey 900 CNAME s1.dkim.example.net"], warnings: [] },
    {
      changes: ["create | s1._domainkey 300 TXT v=DKIM1; k=rsa; p=AAAA"],
      effective: ["s1._domainkey 300 TXT v=DKIM1; k=rsa; p=AAAA"],
      warnings: []
    }
  ])
})

test("a policy that refers to another policy of the same intent resolves it", () => {
  const desired = desiredRecords(
    "@ 300 TXT v=spf1 include:_spf.example.com -all",
    "_spf 300 TXT v=spf1 ip4:192.0.2.1 -all"
  )
  expect(planOrThrow({ zone: zoneOf(), desired }).warnings).toEqual([])
})

test("a surplus SPF record is removed and a new text at its host is added", () => {
  const zone = zoneOf("@ 300 TXT v=spf1 a -all", "@ 300 TXT v=spf1 mx ~all")
  expect(
    describePlan({ zone, desired: desiredRecords("@ 300 TXT v=spf1 a -all", "@ 300 TXT verification=1") }).changes
  ).toEqual([
    "update! | @ 300 TXT v=spf1 a -all | @ 300 TXT v=spf1 a mx ~all",
    "create | @ 300 TXT verification=1",
    "delete! | @ 300 TXT v=spf1 mx ~all"
  ])
})

test("a new text at the host of an SPF record takes its TTL", () => {
  const zone = zoneOf("@ 1800 TXT v=spf1 include:a.example.net -all")
  const desired = desiredRecords("@ 300 TXT v=spf1 include:b.example.net -all", "@ 300 TXT verification=1")
  expect(describePlan({ zone, desired }).effective).toEqual([
    "@ 1800 TXT v=spf1 include:a.example.net include:b.example.net -all",
    "@ 1800 TXT verification=1"
  ])
})

test("a text by which a domain takes DMARC reports about another one is no policy", () => {
  const desired = desiredRecords("shop.example.net._report._dmarc 300 TXT v=DMARC1;")
  expect(describePlan({ zone: zoneOf("_dmarc 300 TXT v=DMARC1; p=reject"), desired })).toEqual({
    changes: ["create | shop.example.net._report._dmarc 300 TXT v=DMARC1;"],
    effective: ["shop.example.net._report._dmarc 300 TXT v=DMARC1;"],
    warnings: []
  })
})
