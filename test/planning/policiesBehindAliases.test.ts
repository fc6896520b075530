import { describe, expect, test } from "bun:test"
import { describePlan, describeRefusal, desiredRecords, zoneOf } from "../support/planFixtures.ts"

const hosted = zoneOf("_dmarc 600 CNAME example.dmarc.example.net")
const policy = "v=DMARC1; p=reject; rua=mailto:r@example.net"
const answers = { "example.dmarc.example.net TXT": [policy] }

test("a DMARC policy behind a CNAME stays there", () => {
  expect(describePlan({ zone: hosted, desired: desiredRecords("_dmarc 300 TXT v=DMARC1; p=none"), answers })).toEqual({
    changes: [],
    effective: ["_dmarc 600 CNAME example.dmarc.example.net"],
    warnings: ["dmarc_existing_preserved"]
  })
})

test("DMARC options apply to the policy behind a CNAME, and the result replaces the CNAME", () => {
  const dmarcOptions = { overrideTags: { p: "quarantine" } }
  expect(
    describePlan({ zone: hosted, desired: desiredRecords("_dmarc 300 TXT v=DMARC1; p=none"), answers, dmarcOptions })
  ).toEqual({
    changes: [
      "delete! | _dmarc 600 CNAME example.dmarc.example.net",
      "create | _dmarc 600 TXT v=DMARC1; p=quarantine; rua=mailto:r@example.net"
    ],
    effective: ["_dmarc 600 TXT v=DMARC1; p=quarantine; rua=mailto:r@example.net"],
    warnings: ["dmarc_policy_weakened", "cname_removed"]
  })
})

test("a CNAME stays if the policy behind it already satisfies the options", () => {
  const dmarcOptions = { overrideTags: { p: "reject" } }
  const desired = desiredRecords("_dmarc 300 TXT v=DMARC1; p=none")
  expect(describePlan({ zone: hosted, desired, answers, dmarcOptions }).changes).toEqual([])
})

test("a CNAME without a policy behind it is replaced", () => {
  const desired = desiredRecords("_dmarc 300 TXT v=DMARC1; p=none")
  expect(
    describePlan({ zone: hosted, desired, answers: { "example.dmarc.example.net TXT": [], "_dmarc.com TXT": [] } })
      .changes
  ).toEqual(["delete! | _dmarc 600 CNAME example.dmarc.example.net", "create | _dmarc 300 TXT v=DMARC1; p=none"])
})

test("a CNAME is not removed while its target is unknown", () => {
  expect(describeRefusal({ zone: hosted, desired: desiredRecords("_dmarc 300 TXT v=DMARC1; p=none") })).toBe(
    "TXT _dmarc discovery_timeout"
  )
  expect(describePlan({ zone: hosted, desired: desiredRecords("?_dmarc 300 TXT v=DMARC1; p=none") })).toEqual({
    changes: [],
    effective: [],
    warnings: ["optional_record_skipped"],
    optionalFailures: ["TXT _dmarc discovery_timeout"]
  })
})

const keyed = zoneOf("s1._domainkey 600 CNAME s1.mail.example.net")
const key = "v=DKIM1; k=rsa; p=MIGf"

test("a DKIM key behind a CNAME counts as the key of the selector", () => {
  const desired = desiredRecords(`s1._domainkey 300 TXT ${key}`)
  expect(describePlan({ zone: keyed, desired, answers: { "s1.mail.example.net TXT": [key] } })).toEqual({
    changes: [],
    effective: ["s1._domainkey 600 CNAME s1.mail.example.net"],
    warnings: []
  })
  expect(describePlan({ zone: keyed, desired, answers: { "s1.mail.example.net TXT": ["v=DKIM1; p=other"] } })).toEqual({
    changes: ["delete! | s1._domainkey 600 CNAME s1.mail.example.net", `create | s1._domainkey 300 TXT ${key}`],
    effective: [`s1._domainkey 300 TXT ${key}`],
    warnings: ["dkim_key_replaced", "cname_removed"]
  })
})

test("a policy that moves behind a CNAME is compared with the one there", () => {
  const zone = zoneOf("_dmarc 600 TXT v=DMARC1; p=none")
  const desired = desiredRecords("_dmarc 300 CNAME example.dmarc.example.net")
  const warningsWith = (text: string) =>
    describePlan({ zone, desired, answers: { "example.dmarc.example.net TXT": [text], "_dmarc.com TXT": [] } }).warnings
  expect(warningsWith(policy)).toContain("dmarc_policy_strengthened")
  expect(warningsWith("v=DMARC1; p=none")).not.toContain("dmarc_policy_strengthened")
  expect(
    describePlan({
      zone: zoneOf(`_dmarc 600 TXT ${policy}`),
      desired,
      answers: { "example.dmarc.example.net TXT": [], "_dmarc.com TXT": [] }
    }).warnings
  ).toContain("dmarc_policy_weakened")
})

test("an alias within the zone is resolved from the zone", () => {
  const zone = zoneOf("_dmarc 600 CNAME policy.example.com", `policy 300 TXT ${policy}`)
  expect(describePlan({ zone, desired: desiredRecords("_dmarc 300 TXT v=DMARC1; p=none") }).changes).toEqual([])
})

test("a policy behind a CNAME is kept even if other records are desired at its host", () => {
  const desired = desiredRecords("_dmarc 300 TXT v=DMARC1; p=none", "_dmarc 300 TXT verification=1")
  expect(describePlan({ zone: hosted, desired, answers })).toEqual({
    changes: [
      "delete! | _dmarc 600 CNAME example.dmarc.example.net",
      `create | _dmarc 300 TXT ${policy}`,
      "create | _dmarc 300 TXT verification=1"
    ],
    effective: [`_dmarc 300 TXT ${policy}`, "_dmarc 300 TXT verification=1"],
    warnings: ["dmarc_existing_preserved", "cname_removed", "ttl_adjusted"]
  })
  expect(describeRefusal({ zone: hosted, desired })).toBe("TXT _dmarc discovery_timeout")
})

const warningsIn = (zone: ReadonlyArray<string>, desired: string) =>
  describePlan({ zone: zoneOf(...zone), desired: desiredRecords(desired) }).warnings

describe("a policy that mail depends on under another name", () => {
  test("is missed when the alias that leads to it is replaced", () => {
    for (const term of ["include", "redirect"])
      expect(
        warningsIn(
          [`@ 300 TXT v=spf1 ${term}${term === "include" ? ":" : "="}_spf.example.com`, "_spf 300 CNAME spf.old.net"],
          "_spf 300 CNAME spf.new.net"
        )
      ).toContain("mail_target_changed")
    expect(
      warningsIn(
        ["@ 300 TXT v=spf1 include:i.example.com -all", "i 300 CNAME _j.example.com", "_j 300 CNAME spf.old.net"],
        "_j 300 CNAME spf.new.net"
      )
    ).toContain("mail_target_changed")
    expect(
      warningsIn(["_dmarc 300 CNAME _d.example.com", "_d 300 CNAME d.old.net"], "_d 300 CNAME d.new.net")
    ).toContain("mail_target_changed")
    expect(
      warningsIn(["k._domainkey 300 CNAME _k.example.com", "_k 300 CNAME k.old.net"], "_k 300 CNAME k.new.net")
    ).toContain("mail_target_changed")
  })

  test("is missed when a second DMARC policy or DKIM key is added at its host", () => {
    expect(
      warningsIn(["_dmarc 300 CNAME d.example.com", "d 300 TXT v=DMARC1; p=reject"], "d 300 TXT v=DMARC1; p=none")
    ).toContain("mail_target_changed")
    expect(
      warningsIn(["k._domainkey 300 CNAME dk.example.com", "dk 300 TXT v=DKIM1; p=aaaa"], "dk 300 TXT v=DKIM1; p=bbbb")
    ).toContain("mail_target_changed")
    expect(
      warningsIn(["k._domainkey 300 CNAME dk.example.com", "dk 300 TXT k=rsa; p=aaaa"], "dk 300 TXT k=rsa; p=bbbb")
    ).toContain("mail_target_changed")
  })

  test("is not missed when only its TTL changes, or an alias changes that no mail depends on", () => {
    const policy = "@ 300 TXT v=spf1 include:_spf.example.com -all"
    expect(warningsIn([policy, "_spf 300 CNAME spf.old.net"], "_spf 60 CNAME spf.old.net")).toEqual([])
    expect(warningsIn([policy, "_other 300 CNAME old.net"], "_other 300 CNAME new.net")).toEqual([])
  })
})

const warningsAtHosted = (desired: string) =>
  describePlan({ zone: hosted, desired: desiredRecords(desired), answers: { ...answers, "_dmarc.com TXT": [] } })
    .warnings

test("a DMARC policy behind a CNAME that gives way to anything else is lost with a word about it", () => {
  expect(warningsAtHosted("_dmarc 300 TXT hello")).toEqual(["dmarc_policy_weakened", "cname_removed"])
  expect(warningsAtHosted("_dmarc 300 A 192.0.2.1")).toEqual(["dmarc_policy_weakened", "cname_removed"])
})

test("a CNAME to a loose DMARC policy that gives way leaves the stricter policy above it", () => {
  const zone = zoneOf("_dmarc 300 TXT v=DMARC1; p=reject", "_dmarc.app 300 CNAME p.example.net")
  expect(
    describePlan({
      zone,
      desired: desiredRecords("_dmarc.app 300 A 192.0.2.1"),
      answers: { "p.example.net TXT": ["v=DMARC1; p=none"], "_dmarc.com TXT": [] }
    }).warnings
  ).toEqual(["dmarc_policy_strengthened", "cname_removed"])
})

const policyAt = (host: string, policy: string) => `${host} 300 TXT v=DMARC1; p=${policy}`

test("a DMARC policy behind an alias is compared when the name changes that the alias leads to", () => {
  const answers = { "_dmarc.com TXT": [] }
  const alias = "_dmarc 300 CNAME x.app.example.com"
  const warningsOf = (live: ReadonlyArray<string>, desired: string) =>
    describePlan({ zone: zoneOf(alias, ...live), desired: desiredRecords(desired), answers }).warnings
  expect(warningsOf([policyAt("*", "reject")], policyAt("app", "reject"))).toContain("dmarc_policy_weakened")
  expect(warningsOf([], policyAt("*.app", "reject"))).toContain("dmarc_policy_strengthened")
  expect(warningsOf([], policyAt("x.app", "reject"))).toContain("dmarc_policy_strengthened")
  expect(warningsOf([], "other 300 A 192.0.2.1")).toEqual([])
})
