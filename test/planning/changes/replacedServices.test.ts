import { describe, expect, test } from "bun:test"
import { desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const plan = (zone: ReadonlyArray<string>, ...desired: ReadonlyArray<string>) =>
  planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords(...desired) })

const has = (warning: string, zone: ReadonlyArray<string>, ...desired: ReadonlyArray<string>): boolean => {
  const { warnings }: { readonly warnings: ReadonlyArray<string> } = plan(zone, ...desired)
  return warnings.includes(warning)
}

describe("a website is replaced", () => {
  test("if an address or CNAME at the apex, at www or at any host becomes another one", () => {
    expect(has("website_replaced", ["@ 300 A 192.0.2.1"], "@ 300 A 192.0.2.2")).toBe(true)
    expect(has("website_replaced", ["www 300 CNAME a.example.net"], "www 300 CNAME b.example.net")).toBe(true)
    expect(has("website_replaced", ["shop 300 CNAME a.example.net"], "shop 300 A 192.0.2.1")).toBe(true)
    expect(has("website_replaced", ["shop 300 A 192.0.2.1"], "shop 300 CNAME a.example.net")).toBe(true)
    expect(has("website_replaced", ["@ 300 ALIAS a.example.net"], "@ 300 CNAME b.example.net")).toBe(true)
  })

  test("if an HTTPS record alone led to it (RFC 9460)", () => {
    expect(has("website_replaced", ["shop 300 HTTPS 0 a.example.net"], "shop 300 CNAME b.example.net")).toBe(true)
    expect(has("website_replaced", ["shop 300 HTTPS 1 . alpn=h2"], "shop 300 CNAME b.example.net")).toBe(false)
  })

  test("if a wildcard answered at the host", () => {
    expect(has("website_replaced", ["* 300 A 192.0.2.1"], "shop 300 A 192.0.2.2")).toBe(true)
    expect(has("website_replaced", ["* 300 A 192.0.2.1"], "shop 300 CNAME a.example.net")).toBe(true)
    expect(has("website_replaced", ["* 300 A 192.0.2.1"], "shop 300 A 192.0.2.1")).toBe(false)
  })

  test("not if its addresses stay, or the record is the first, or nobody visits the host", () => {
    expect(has("website_replaced", ["@ 300 A 192.0.2.1"], "@ 300 A 192.0.2.1", "@ 300 A 192.0.2.2")).toBe(false)
    expect(has("website_replaced", ["@ 300 TXT hello"], "@ 300 A 192.0.2.1")).toBe(false)
    expect(has("website_replaced", ["www 300 A 192.0.2.1"], "www 60 A 192.0.2.1")).toBe(false)
    expect(has("website_replaced", ["_x 300 CNAME a.example.net"], "_x 300 CNAME b.example.net")).toBe(false)
  })
})

describe("a mail server is replaced", () => {
  const servers = ["@ 300 MX 10 a.example.net", "@ 300 MX 20 b.example.net"]

  test("if the preferences swap, or a new one has the lowest preference", () => {
    expect(has("mx_replaced", servers, "@ 300 MX 20 a.example.net", "@ 300 MX 10 b.example.net")).toBe(true)
    const more = ["@ 300 MX 10 a.example.net", "@ 300 MX 20 b.example.net"]
    expect(has("mx_replaced", servers, ...more, "@ 300 MX 5 c.example.net")).toBe(true)
    expect(has("mx_replaced", servers, ...more, "@ 300 MX 10 c.example.net")).toBe(true)
    expect(has("mx_replaced", servers, ...more, "@ 300 MX 30 c.example.net")).toBe(false)
    expect(has("mx_replaced", servers, "@ 300 MX 5 a.example.net", "@ 300 MX 20 b.example.net")).toBe(false)
  })

  test("by a first MX at a host that receives mail at its address or by a wildcard", () => {
    expect(has("mx_replaced", ["@ 300 A 192.0.2.1"], "@ 300 MX 10 a.example.net")).toBe(true)
    expect(has("mx_replaced", ["@ 300 AAAA 2001:db8::1"], "@ 300 MX 0 .")).toBe(true)
    expect(has("mx_replaced", ["* 300 MX 10 a.example.net"], "send 300 MX 0 .")).toBe(true)
    expect(has("mx_replaced", [], "send 300 MX 0 .")).toBe(false)
    expect(has("mx_replaced", ["@ 300 A 192.0.2.1"], "@ 300 MX 10 example.com")).toBe(false)
    expect(has("mx_replaced", ["* 300 MX 10 a.example.net"], "send 300 MX 10 b.example.net")).toBe(true)
    expect(has("mx_replaced", ["* 300 MX 10 a.example.net"], "send 300 MX 10 a.example.net")).toBe(false)
    expect(has("mx_replaced", [], "send 300 MX 10 a.example.net")).toBe(false)
  })

  test("if the address moves of a host without an MX that mail is plausible for: the apex, and those with SPF", () => {
    expect(has("mail_target_changed", ["@ 300 A 192.0.2.1"], "@ 300 A 192.0.2.2")).toBe(true)
    expect(has("mail_target_changed", ["@ 300 A 192.0.2.1", ...servers], "@ 300 A 192.0.2.2")).toBe(false)
    for (const host of ["www", "shop", "mail"]) {
      const moves = [[`${host} 300 A 192.0.2.1`], `${host} 300 A 192.0.2.2`] as const
      expect(has("mail_target_changed", ...moves)).toBe(false)
      expect(has("mail_target_changed", [...moves[0], "@ 300 TXT v=spf1 mx -all"], moves[1])).toBe(false)
      expect(has("mail_target_changed", [...moves[0], `${host} 300 TXT v=spf1 ip4:192.0.2.9 -all`], moves[1])).toBe(
        true
      )
      expect(has("mail_target_changed", [...moves[0], `@ 300 MX 10 ${host}.example.com`], moves[1])).toBe(true)
    }
    expect(has("mail_target_changed", [], "@ 300 A 192.0.2.2")).toBe(false)
  })

  test("so a first SPF record at a host that receives mail at its address does not reject other senders", () => {
    const { changes, warnings } = plan(["@ 300 A 192.0.2.1"], "@ 300 TXT v=spf1 ip4:192.0.2.9 -all")
    expect(warnings).toEqual(["spf_excludes_existing_mail"])
    expect(changes.map(({ after }) => after?.value)).toEqual(["v=spf1 ip4:192.0.2.9 ~all"])
    expect(has("spf_excludes_existing_mail", ["@ 300 A 192.0.2.1", "@ 300 MX 0 ."], "@ 300 TXT v=spf1 -all")).toBe(
      false
    )
  })
})

describe("what a wildcard serves is the existing record of a host", () => {
  test("of which the SPF record is merged", () => {
    const { changes, warnings } = plan(
      ["* 300 TXT v=spf1 ip4:192.0.2.1 ~all"],
      "send 300 TXT v=spf1 ip4:192.0.2.2 -all"
    )
    expect(changes.map(({ after }) => after?.value)).toEqual(["v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ~all"])
    expect(warnings).toEqual(["spf_record_merged"])
  })

  test("of which the DMARC policy is kept", () => {
    const { effectiveIntent, warnings } = plan(["* 300 TXT v=DMARC1; p=reject"], "_dmarc 300 TXT v=DMARC1; p=none")
    expect(effectiveIntent.records.map(({ value }) => value)).toEqual(["v=DMARC1; p=reject"])
    expect(warnings).toEqual(["dmarc_existing_preserved"])
  })

  test("of which other texts are hidden", () => {
    const zone = ["* 300 TXT v=spf1 ip4:192.0.2.1 ~all", "* 300 TXT hello"]
    expect(has("wildcard_hidden", zone, "send 300 TXT v=spf1 ip4:192.0.2.2 -all")).toBe(true)
    expect(has("mail_records_removed", zone, "send 300 TXT hello")).toBe(true)
    expect(has("mail_records_removed", zone, "send 300 TXT v=spf1 ip4:192.0.2.2 -all")).toBe(false)
  })
})

describe("a DKIM key is replaced", () => {
  const selector = "s1._domainkey 300"

  test("by another key or alias, whatever it was", () => {
    const keys = [`${selector} TXT v=DKIM1; p=old`, `${selector} CNAME old.example.net`]
    for (const key of keys) expect(has("dkim_key_replaced", [key], `${selector} CNAME new.example.net`)).toBe(true)
    expect(has("dkim_key_replaced", keys.slice(0, 1), `${selector} TXT v=DKIM1; p=new`)).toBe(true)
    expect(has("dkim_key_replaced", keys.slice(1), `${selector} CNAME old.example.net`)).toBe(false)
    expect(has("dkim_key_replaced", keys.slice(1), "s2._domainkey 300 CNAME new.example.net")).toBe(false)
  })

  test("or removed, if nothing takes its place", () => {
    expect(has("dkim_key_removed", [`${selector} TXT v=DKIM1; p=old`], `${selector} NS ns1.example.net`)).toBe(true)
    expect(has("dkim_key_replaced", [`${selector} TXT v=DKIM1; p=old`], `${selector} NS ns1.example.net`)).toBe(false)
    expect(has("dkim_key_removed", [`${selector} TXT v=DKIM1; p=old`], `${selector} TXT v=DKIM1; p=new`)).toBe(false)
  })
})

describe("HTTPS and SVCB records", () => {
  const https = "www 300 HTTPS 1 . ech=AEX+ ipv4hint=192.0.2.1"

  test("stay while the addresses of their host stay", () => {
    expect(plan(["www 300 A 192.0.2.1", https], "www 300 A 192.0.2.1").changes).toEqual([])
    expect(plan(["www 300 A 192.0.2.1", "www 300 SVCB 0 cdn.example.net"], "www 60 A 192.0.2.1").changes).toEqual([])
    expect(
      plan(["@ 300 ALIAS a.example.net", "@ 300 HTTPS 1 . ech=AEX+"], "@ 300 CNAME a.example.net").changes
    ).toEqual([])
  })

  test("go with an address", () => {
    const types = plan(["www 300 A 192.0.2.1", https], "www 300 A 192.0.2.2").changes.map(({ before }) => before?.type)
    expect(types).toEqual(["A", "HTTPS"])
    const family = plan(["www 300 A 192.0.2.1", "www 300 AAAA 2001:db8::1", https], "www 300 A 192.0.2.1")
    expect(family.changes.map(({ before }) => before?.type)).toEqual(["HTTPS", "AAAA"])
  })
})

/** Whether the plan for an MX that replaces one at another operator warns of a mismatch, and what it asks for. */
const replacing = (answers: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const { unanswered, warnings } = planOrThrow({
    zone: zoneOf("@ 300 MX 10 mx.example.net"),
    desired: desiredRecords("@ 300 MX 10 mx.example.org"),
    answers: { ...reachable("mx.example.org"), ...answers }
  })
  return { unanswered, isMismatch: warnings.includes("tls_policy_mismatch") }
}

/** What the DNS answers about a mail server with an address. */
const reachable = (name: string) => ({ [`${name} CNAME`]: [], [`${name} A`]: ["192.0.2.1"], [`${name} AAAA`]: [] })

const tlsa = (name: string) => ({ name: `_25._tcp.${name}`, type: "TLSA" as const })
/** Whether a plan from the public DNS warns of a mismatch, and what it asks for. */
const planFromPublicDns = (
  answers: Readonly<Record<string, ReadonlyArray<string>>>,
  ...desired: ReadonlyArray<string>
) => {
  const { unanswered, warnings } = planOrThrow({
    zone: {
      ...zoneOf("@ 300 MX 10 mail.example.com", "@ 300 A 192.0.2.1", "mail 300 A 192.0.2.1", "www 300 A 192.0.2.1"),
      basis: "public_dns"
    },
    desired: desiredRecords(...desired),
    answers: { "_mta-sts.example.com TXT": [], ...reachable("mx.example.net"), ...answers }
  })
  return { unanswered, isMismatch: warnings.includes("tls_policy_mismatch") }
}

describe("a policy for encrypted mail no longer fits", () => {
  const policy = ["@ 300 MX 10 a.example.net", "_mta-sts 300 TXT v=STSv1; id=1"]

  test("an MX that the MTA-STS policy cannot list yet", () => {
    expect(has("tls_policy_mismatch", policy, "@ 300 MX 10 b.example.net")).toBe(true)
    expect(has("tls_policy_mismatch", policy, "@ 300 MX 10 b.example.net", "_mta-sts 300 TXT v=STSv1; id=2")).toBe(
      false
    )
    expect(has("tls_policy_mismatch", policy, "@ 300 MX 5 a.example.net")).toBe(false)
    expect(has("tls_policy_mismatch", policy, "sub 300 MX 10 b.example.net")).toBe(false)
  })

  test("a CNAME over the MX, by which mail goes to servers that the MTA-STS policy cannot list", () => {
    const shop = ["shop 300 MX 10 a.example.net", "_mta-sts.shop 300 TXT v=STSv1; id=1"]
    const alias = "shop 300 CNAME shops.example.net"
    const { changes, warningDetails } = plan(shop, alias)
    const { changes: places } = warningDetails.find(({ code }) => code === "tls_policy_mismatch") ?? {}
    expect(places?.map((place) => changes[place]?.before?.type)).toEqual(["MX", undefined])
    expect(has("tls_policy_mismatch", shop, alias, "_mta-sts.shop 300 TXT v=STSv1; id=2")).toBe(false)
    expect(has("tls_policy_mismatch", shop.slice(0, 1), alias)).toBe(false)
    expect(has("tls_policy_mismatch", shop.slice(1), alias)).toBe(false)
    expect(has("tls_policy_mismatch", ["shop 300 MX 0 .", ...shop.slice(1)], alias)).toBe(false)
  })

  test("an MX in place of the addresses that receive the mail while there is none", () => {
    const implicit = ["@ 300 A 192.0.2.1", "_mta-sts 300 TXT v=STSv1; id=1"]
    expect(has("tls_policy_mismatch", implicit, "@ 300 MX 10 b.example.net")).toBe(true)
    expect(has("tls_policy_mismatch", implicit, "@ 300 MX 10 example.com")).toBe(false)
    expect(has("tls_policy_mismatch", ["_mta-sts 300 TXT v=STSv1; id=1"], "@ 300 MX 10 b.example.net")).toBe(false)
    expect(has("tls_policy_mismatch", ["@ 300 A 192.0.2.1"], "@ 300 MX 10 b.example.net")).toBe(false)
  })

  test("an MX that replaces one with a TLSA record by one without", () => {
    const zone = ["@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.1", "_25._tcp.mail 300 TLSA 3 1 1 ab"]
    expect(has("tls_policy_mismatch", zone, "@ 300 MX 10 a.example.net")).toBe(true)
    expect(has("tls_policy_mismatch", zone, "@ 300 MX 5 mail.example.com")).toBe(false)
  })

  describe("as seen from the public DNS,", () => {
    const pinned = { "_25._tcp.mail.example.com TLSA": ["3 1 1 ab"] }
    const free = { "_25._tcp.mail.example.com TLSA": [] }

    test("the TLSA record of a mail server in the zone is queried", () => {
      expect(planFromPublicDns({}, "mail 300 A 192.0.2.2")).toEqual({
        unanswered: [tlsa("mail.example.com")],
        isMismatch: false
      })
      expect(planFromPublicDns(pinned, "mail 300 A 192.0.2.2")).toEqual({ unanswered: [], isMismatch: true })
      expect(planFromPublicDns(free, "mail 300 A 192.0.2.2")).toEqual({ unanswered: [], isMismatch: false })
      expect(planFromPublicDns({}, "www 300 A 192.0.2.2")).toEqual({ unanswered: [], isMismatch: false })
    })

    test("and that of the one that follows it, wherever that is", () => {
      const moves = "@ 300 MX 10 mx.example.net"
      expect(planFromPublicDns({}, moves)).toEqual({ unanswered: [tlsa("mail.example.com")], isMismatch: false })
      expect(planFromPublicDns(free, moves)).toEqual({ unanswered: [], isMismatch: false })
      expect(planFromPublicDns(pinned, moves)).toEqual({ unanswered: [tlsa("mx.example.net")], isMismatch: true })
      expect(planFromPublicDns({ ...pinned, "_25._tcp.mx.example.net TLSA": [] }, moves).isMismatch).toBe(true)
      expect(planFromPublicDns({ ...pinned, "_25._tcp.mx.example.net TLSA": ["3 1 1 cd"] }, moves)).toEqual({
        unanswered: [],
        isMismatch: false
      })
    })
  })

  test("an MX outside the zone with a TLSA record, replaced by one without", () => {
    const pinned = { "_25._tcp.mx.example.net TLSA": ["3 1 1 ab"] }
    expect(replacing({})).toEqual({ unanswered: [tlsa("mx.example.net")], isMismatch: false })
    expect(replacing({ "_25._tcp.mx.example.net TLSA": [] })).toEqual({ unanswered: [], isMismatch: false })
    expect(replacing({ ...pinned, "_25._tcp.mx.example.org TLSA": [] })).toEqual({ unanswered: [], isMismatch: true })
    expect(replacing({ ...pinned, "_25._tcp.mx.example.org TLSA": ["3 1 1 cd"] }).isMismatch).toBe(false)
  })

  test("but not a null MX, which is no server", () => {
    const zone = zoneOf("@ 300 MX 0 .")
    const desired = desiredRecords("@ 300 MX 10 mx.example.org")
    const { unanswered, warnings } = planOrThrow({ zone, desired, answers: reachable("mx.example.org") })
    expect(unanswered).toEqual([])
    expect(warnings).not.toContain("tls_policy_mismatch")
  })

  test("another address where aliases lead from a host with a TLSA record", () => {
    const zone = [
      "_443._tcp.www 300 TLSA 3 1 1 ab",
      "www 300 CNAME shop.example.com",
      "shop 300 CNAME web.example.com",
      "web 300 A 192.0.2.1",
      "other 300 A 192.0.2.1"
    ]
    expect(has("tls_policy_mismatch", zone, "web 300 A 192.0.2.2")).toBe(true)
    expect(has("tls_policy_mismatch", zone, "shop 300 CNAME edge.example.net")).toBe(true)
    expect(has("tls_policy_mismatch", zone, "other 300 A 192.0.2.2")).toBe(false)
  })

  test("another address of a host with a TLSA record", () => {
    const zone = ["mail 300 A 192.0.2.1", "_25._tcp.mail 300 TLSA 3 1 1 ab", "www 300 A 192.0.2.1"]
    expect(has("tls_policy_mismatch", zone, "mail 300 A 192.0.2.2")).toBe(true)
    expect(has("tls_policy_mismatch", zone, "mail 300 A 192.0.2.1")).toBe(false)
    expect(has("tls_policy_mismatch", zone, "www 300 A 192.0.2.2")).toBe(false)
    expect(has("tls_policy_mismatch", ["@ 300 A 192.0.2.1", "_443._tcp 300 TLSA 3 1 1 ab"], "@ 300 A 192.0.2.2")).toBe(
      true
    )
  })
})

test("a website is replaced where an alias leads to a host with an underscore that moves", () => {
  for (const host of ["www", "@"]) {
    const alias = `${host} 300 CNAME _w.example.com`
    const zone = (served: string) => [alias, `_w 300 ${served}`]
    expect(has("website_replaced", zone("CNAME site.old.net"), "_w 300 CNAME site.new.net")).toBe(true)
    expect(has("website_replaced", zone("A 192.0.2.1"), "_w 300 A 192.0.2.9")).toBe(true)
  }
  expect(has("website_replaced", ["_w 300 CNAME site.old.net"], "_w 300 CNAME site.new.net")).toBe(false)
})
