import { describe, expect, test } from "bun:test"
import { describeSpfPlan, type DnsAnswers, lookupFrom, mergedPlan } from "./describeSpfPlan.ts"

describe("a first SPF record", () => {
  const desired = "v=spf1 include:u1.wl.sendgrid.net -all"

  test("is created verbatim", () => {
    expect(describeSpfPlan({ desired })).toEqual(mergedPlan(`300 ${desired}`))
    expect(describeSpfPlan({ desired: "V=SPF1  MX exp=x.example   ?ALL" })).toEqual(
      mergedPlan("300 V=SPF1  MX exp=x.example   ?ALL")
    )
  })

  test("does not reject mail of an existing mail service", () => {
    expect(describeSpfPlan({ desired, hasOtherMailServer: true })).toEqual(
      mergedPlan("300 v=spf1 include:u1.wl.sendgrid.net ~all", "spf_excludes_existing_mail")
    )
    expect(describeSpfPlan({ desired: "v=spf1 -ALL -all", hasOtherMailServer: true })).toEqual(
      mergedPlan("300 v=spf1 ~ALL -all", "spf_excludes_existing_mail")
    )
    expect(describeSpfPlan({ desired: "v=spf1 -ip4:192.0.2.1 mx ~all", hasOtherMailServer: true })).toEqual(
      mergedPlan("300 v=spf1 ~ip4:192.0.2.1 mx ~all", "spf_excludes_existing_mail")
    )
  })

  test("is created verbatim for a host with a mail service if it rejects no mail", () => {
    for (const lenient of ["v=spf1 mx ~all", "v=spf1 mx ?all", "v=spf1 mx", "v=spf1 redirect=a.example"]) {
      expect(
        describeSpfPlan({
          desired: lenient,
          hasOtherMailServer: true,
          lookup: lookupFrom({ "a.example TXT": ["v=spf1 ~all"], "example.com MX": ["mx.example"] })
        })
      ).toEqual(mergedPlan(`300 ${lenient}`))
    }
  })

  test("by a redirect counts as what the redirect ends in", () => {
    const desired = "v=spf1 ip4:192.0.2.1 redirect=a.example"
    const beside = (answers: DnsAnswers) =>
      describeSpfPlan({ desired, hasOtherMailServer: true, lookup: lookupFrom(answers) }).records
    expect([
      beside({ "a.example TXT": ["v=spf1 ip4:192.0.2.2 -all"] }),
      beside({ "a.example TXT": ["v=spf1 redirect=b.example"], "b.example TXT": ["v=spf1 -all"] }),
      beside({}),
      beside({ "a.example TXT": ["v=spf1 ip4:192.0.2.2 ?all"] }),
      beside({ "a.example TXT": ["v=spf1 ip4:192.0.2.2"] })
    ]).toEqual([
      ["300 v=spf1 ip4:192.0.2.1 include:a.example ~all"],
      ["300 v=spf1 ip4:192.0.2.1 include:a.example ~all"],
      ["300 v=spf1 ip4:192.0.2.1 include:a.example ~all"],
      [`300 ${desired}`],
      [`300 ${desired}`]
    ])
    expect(describeSpfPlan({ desired }).records).toEqual([`300 ${desired}`])
  })
})

describe("an existing SPF record", () => {
  test("has the mechanisms of its own name with and without that name, and gets none of them twice", () => {
    const existing = ["v=spf1 a:Example.com mx:example.com. a:example.com/24//64 ptr:example.com -all"]
    for (const desired of ["v=spf1 a mx a/24//64 ptr ~all", "v=spf1 a:%{d} mx:%{d} a:%{d}/24//64 ptr:%{D} ~all"])
      expect(describeSpfPlan({ desired, existing })).toEqual(
        mergedPlan(`1800 ${existing[0]}`, "spf_existing_sufficient")
      )
    expect(describeSpfPlan({ desired: existing[0] ?? "", existing: ["v=spf1 ~a mx/24 ~all"] }).records).toEqual([
      "1800 v=spf1 a mx/24 mx:example.com. a:example.com/24//64 ptr:example.com ~all"
    ])
  })

  test("gets missing mechanisms before its terminal part, in the desired order", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 include:mailgun.org ~all"], desired: "v=spf1 include:_spf.google.com ~all" })
    ).toEqual(mergedPlan("1800 v=spf1 include:mailgun.org include:_spf.google.com ~all", "spf_record_merged"))
    expect(
      describeSpfPlan({ existing: ["v=spf1 MX  ra=x -all exp=e.example"], desired: "v=spf1 ip4:192.0.2.1 a ptr ~all" })
    ).toEqual(mergedPlan("1800 v=spf1 MX ip4:192.0.2.1 a ptr ra=x -all exp=e.example", "spf_record_merged"))
  })

  test("keeps its terminal, whether it is stricter or looser than the desired one", () => {
    const added = "include:u8.wl.sendgrid.net"
    expect(
      describeSpfPlan({ existing: ["v=spf1 a mx include:_spf.google.com -all"], desired: `v=spf1 a mx ${added} ~all` })
    ).toEqual(mergedPlan(`1800 v=spf1 a mx include:_spf.google.com ${added} -all`, "spf_record_merged"))
    expect(
      describeSpfPlan({ existing: ["v=spf1 a mx include:_spf.google.com ~all"], desired: `v=spf1 a mx ${added} -all` })
    ).toEqual(mergedPlan(`1800 v=spf1 a mx include:_spf.google.com ${added} ~all`, "spf_record_merged"))
    expect(
      describeSpfPlan({ existing: ["v=spf1 a mx ~all"], desired: "v=spf1 mx -all", hasOtherMailServer: true })
    ).toEqual(mergedPlan("1800 v=spf1 a mx ~all", "spf_existing_sufficient"))
  })

  test("that has the desired senders says why none is added, unless it is the desired one", () => {
    const existing = ["v=spf1 a include:x.example ~all"]
    expect(describeSpfPlan({ existing, desired: "v=spf1 include:x.example -all" }).warnings).toEqual([
      "spf_existing_sufficient"
    ])
    expect(describeSpfPlan({ existing, desired: "v=spf1 A include:X.example ~all" }).warnings).toEqual([])
  })

  test("stays without a terminal if it has none", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a"], desired: "v=spf1 mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 a mx", "spf_record_merged")
    )
    expect(describeSpfPlan({ existing: ["v=spf1"], desired: "v=spf1 -all" })).toEqual(
      mergedPlan("1800 v=spf1", "spf_existing_sufficient")
    )
  })

  test("does not match a name that only contains the desired one", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 include:spf.a.com.au -all"], desired: "v=spf1 include:spf.a.com -all" })
    ).toEqual(mergedPlan("1800 v=spf1 include:spf.a.com.au include:spf.a.com -all", "spf_record_merged"))
  })

  test("is not rewritten for the same terms in another spelling, spacing or order", () => {
    const existing = [
      "V=SPF1  +A MX:Mail.Example.COM. ip4:192.0.2.0/24   ip6:2001:DB8:0::/32 exists:%{i}.X.example  -ALL "
    ]
    const desired =
      "v=spf1 ip6:2001:db8::1/32 ip4:192.0.2.77/24 mx:mail.example.com/32 a//128 exists:%{i}.x.example ~all"
    expect(describeSpfPlan({ existing, desired })).toEqual(mergedPlan(`1800 ${existing[0]}`, "spf_existing_sufficient"))
  })

  test("keeps its TTL, or the lowest of several", () => {
    expect(describeSpfPlan({ existing: ["1800 v=spf1 a -all"], desired: "v=spf1 mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 a mx -all", "spf_record_merged")
    )
    expect(describeSpfPlan({ existing: ["60 v=spf1 a -all", "20 v=spf1 A -all"], desired: "v=spf1 a -all" })).toEqual(
      mergedPlan("20 v=spf1 A ~all", "spf_policy_replaced", "spf_duplicates_collapsed")
    )
  })

  test("keeps a mechanism once, with the less restrictive qualifier, in its place", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 ~include:a.example ?MX -all"], desired: "v=spf1 mx include:a.example -all" })
    ).toEqual(mergedPlan("1800 v=spf1 include:a.example MX -all", "spf_record_merged"))
    expect(describeSpfPlan({ existing: ["v=spf1 -a mx ~a -all"], desired: "v=spf1 ?a ~all" })).toEqual(
      mergedPlan("1800 v=spf1 ?a mx -all", "spf_record_merged")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 a mx -all"], desired: "v=spf1 ~a ?mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 a mx -all", "spf_existing_sufficient")
    )
  })

  test("gets no mechanism that treats a sender worse than the end of the record does", () => {
    const lookup = lookupFrom({ "a.example TXT": ["v=spf1 ip4:192.0.2.1 -all"], "b.example TXT": ["v=spf1 -all"] })
    const desired = "v=spf1 -ip4:192.0.2.0/24 ?ip4:192.0.2.9 include:b.example -all"
    const merged = (existing: string) => describeSpfPlan({ existing: [existing], desired, lookup }).records
    expect([
      merged("v=spf1 redirect=a.example"),
      merged("v=spf1 a +all"),
      merged("v=spf1 a ~all"),
      merged("v=spf1 a -all"),
      merged("v=spf1 a")
    ]).toEqual([
      ["1800 v=spf1 include:b.example redirect=a.example"],
      ["1800 v=spf1 a include:b.example +all"],
      ["1800 v=spf1 a ?ip4:192.0.2.9 include:b.example ~all"],
      ["1800 v=spf1 a -ip4:192.0.2.0/24 ?ip4:192.0.2.9 include:b.example -all"],
      ["1800 v=spf1 a ?ip4:192.0.2.9 include:b.example"]
    ])
  })

  test("gets a repeated desired mechanism once, with its first qualifier", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 -all"], desired: "v=spf1 ~A mx a -all" })).toEqual(
      mergedPlan("1800 v=spf1 ~A mx -all", "spf_record_merged")
    )
  })

  test("keeps mechanisms after `all`, which do not count as present", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a -all mx redirect=x.example"], desired: "v=spf1 mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 a mx -all mx redirect=x.example", "spf_record_merged")
    )
  })

  test("gets no mechanism that follows `all` in the desired record", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a -all"], desired: "v=spf1 a -all mx redirect=x.example" })).toEqual(
      mergedPlan("1800 v=spf1 a -all", "spf_existing_sufficient")
    )
  })

  test("keeps its redirect and gets no `all`", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 redirect=_spf.corp.example"], desired: "v=spf1 include:x.example -all" })
    ).toEqual(mergedPlan("1800 v=spf1 include:x.example redirect=_spf.corp.example", "spf_record_merged"))
    expect(describeSpfPlan({ existing: ["v=spf1 redirect=_spf.corp.example a"], desired: "v=spf1 mx" })).toEqual(
      mergedPlan("1800 v=spf1 redirect=_spf.corp.example a mx", "spf_record_merged")
    )
  })

  test("gets a desired redirect as an include, unless it already redirects there", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a -all"], desired: "v=spf1 mx Redirect=_SPF.x.example" })).toEqual(
      mergedPlan("1800 v=spf1 a mx include:_SPF.x.example -all", "spf_record_merged")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 redirect=a.example"], desired: "v=spf1 redirect=b.example" })).toEqual(
      mergedPlan("1800 v=spf1 include:b.example redirect=a.example", "spf_record_merged")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 redirect=X.example."], desired: "v=spf1 redirect=x.example" })).toEqual(
      mergedPlan("1800 v=spf1 redirect=X.example.")
    )
    expect(
      describeSpfPlan({ existing: ["v=spf1 -all redirect=x.example"], desired: "v=spf1 redirect=x.example" })
    ).toEqual(mergedPlan("1800 v=spf1 include:x.example -all redirect=x.example", "spf_record_merged"))
  })

  test("does not get as an include what it redirects to already", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 redirect=x.example"], desired: "v=spf1 include:X.example mx ~all" })
    ).toEqual(mergedPlan("1800 v=spf1 mx redirect=x.example", "spf_record_merged"))
    expect(
      describeSpfPlan({ existing: ["v=spf1 redirect=x.example"], desired: "v=spf1 include:x.example ~all" })
    ).toEqual(mergedPlan("1800 v=spf1 redirect=x.example", "spf_existing_sufficient"))
  })

  test("keeps its explanation and unknown modifiers, and gets no new ones", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 a -all exp=a.example"], desired: "v=spf1 mx ra=x -all exp=b.example" })
    ).toEqual(mergedPlan("1800 v=spf1 a mx -all exp=a.example", "spf_record_merged"))
    expect(describeSpfPlan({ existing: ["v=spf1 a -all"], desired: "v=spf1 a ra=x -all exp=b.example" })).toEqual(
      mergedPlan("1800 v=spf1 a -all", "spf_existing_sufficient")
    )
  })

  test("that permits every sender stays unchanged, with a warning", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a +all"], desired: "v=spf1 mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 a mx +all", "spf_record_merged", "spf_allows_all")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 a all"], desired: "v=spf1 a -all" })).toEqual(
      mergedPlan("1800 v=spf1 a all", "spf_existing_sufficient", "spf_allows_all")
    )
  })
})

/** The terminal of two merged records, and whether it replaces a policy. */
const terminalOf = (...terminals: ReadonlyArray<string>) => {
  const existing = terminals.map((terminal, index) => `v=spf1 ip4:192.0.2.${index} ${terminal}`)
  const { records, warnings } = describeSpfPlan({ existing, desired: "v=spf1 ip4:192.0.2.0 -all" })
  const others = (records[0] ?? "").split(" ").filter((term) => !/^(1800|v=spf1|ip4:.*)$/.test(term))
  return [others.join(" "), warnings.includes("spf_policy_replaced")]
}

describe("several existing SPF records", () => {
  test("become one record that permits every sender that any of them permitted", () => {
    expect(
      describeSpfPlan({
        existing: ["v=spf1 include:b.example.net ~all", "v=spf1 include:a.example.net -all"],
        desired: "v=spf1 include:a.example.net -all"
      })
    ).toEqual(
      mergedPlan(
        "1800 v=spf1 include:a.example.net include:b.example.net ~all",
        "spf_policy_replaced",
        "spf_duplicates_collapsed"
      )
    )
  })

  test("are merged in byte order of their normal form, with the desired mechanisms added", () => {
    expect(
      describeSpfPlan({
        existing: ["v=spf1 MX ~a -all", "v=spf1 include:z.example -all", "v=spf1 a -all"],
        desired: "v=spf1 ptr -all"
      })
    ).toEqual(
      mergedPlan(
        "1800 v=spf1 a include:z.example MX ptr ~all",
        "spf_record_merged",
        "spf_policy_replaced",
        "spf_duplicates_collapsed"
      )
    )
  })

  test("leave the record that has all mechanisms unchanged", () => {
    expect(describeSpfPlan({ existing: ["v=spf1  MX A ~all", "v=spf1 mx ~all"], desired: "v=spf1 a -all" })).toEqual(
      mergedPlan("1800 v=spf1  MX A ~all", "spf_duplicates_collapsed")
    )
  })

  test("with the same text count as one", () => {
    expect(describeSpfPlan({ existing: ["60 v=spf1 a -all", "300 v=spf1 a -all"], desired: "v=spf1 a -all" })).toEqual(
      mergedPlan("60 v=spf1 a -all")
    )
  })

  test("get the least restrictive of their terminals, never `-all` or `+all`", () => {
    expect([
      terminalOf("-all", "-all"),
      terminalOf("-all", "~all"),
      terminalOf("~all", "?all"),
      terminalOf("?all", "+all"),
      terminalOf("-all", ""),
      terminalOf("", "?all"),
      terminalOf("", "")
    ]).toEqual([
      ["~all", true],
      ["~all", true],
      ["?all", true],
      ["?all", true],
      ["", true],
      ["?all", false],
      ["", false]
    ])
  })

  test("keep a redirect that ends in `-all` as an include of its target", () => {
    expect([
      terminalOf("redirect=a.example", "redirect=A.example."),
      terminalOf("redirect=a.example", "-all"),
      terminalOf("redirect=a.example", "~all"),
      terminalOf("redirect=a.example", ""),
      terminalOf("redirect=a.example", "redirect=b.example")
    ]).toEqual([
      ["include:a.example ~all", true],
      ["include:a.example ~all", true],
      ["include:a.example ~all", true],
      ["include:a.example", true],
      ["include:b.example include:a.example ~all", true]
    ])
  })

  test("keep each modifier once with the explanation last, and mechanisms after `all`", () => {
    expect(
      describeSpfPlan({
        existing: ["v=spf1 a ra=x -all ptr exp=b.example", "v=spf1 mx exp=c.example RA=x -all ptr"],
        desired: "v=spf1 a"
      })
    ).toEqual(
      mergedPlan("1800 v=spf1 a mx ra=x ~all ptr exp=b.example", "spf_policy_replaced", "spf_duplicates_collapsed")
    )
    expect(
      describeSpfPlan({ existing: ["v=spf1 a -all ptr redirect=x.example", "v=spf1 mx"], desired: "v=spf1 a" })
    ).toEqual(mergedPlan("1800 v=spf1 a mx", "spf_policy_replaced", "spf_duplicates_collapsed"))
  })
})

const repaired = (existing: string, answers: DnsAnswers = {}) =>
  describeSpfPlan({ existing: [existing], desired: "v=spf1 ip4:192.0.2.1", lookup: lookupFrom(answers) }).records

describe("a broken existing SPF record", () => {
  test("loses only malformed terms, and is no stricter than softfail", () => {
    expect(
      describeSpfPlan({
        existing: ["v=spf1 A ip4:192.0.2 mx: include:x.example -all foo bar=1"],
        desired: "v=spf1 a -all"
      })
    ).toEqual(
      mergedPlan("1800 v=spf1 A include:x.example ~all bar=1", "spf_policy_replaced", "spf_existing_invalid_replaced")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 a b ?all"], desired: "v=spf1 mx -all" })).toEqual(
      mergedPlan("1800 v=spf1 a mx ?all", "spf_record_merged", "spf_existing_invalid_replaced")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 a -al"], desired: "v=spf1 a -all" })).toEqual(
      mergedPlan("1800 v=spf1 a", "spf_existing_invalid_replaced")
    )
  })

  test("keeps the first of two redirects or explanations", () => {
    expect(
      describeSpfPlan({ existing: ["v=spf1 redirect=a.example a redirect=b.example"], desired: "v=spf1 a" })
    ).toEqual(
      mergedPlan("1800 v=spf1 a include:a.example ~all", "spf_policy_replaced", "spf_existing_invalid_replaced")
    )
    expect(describeSpfPlan({ existing: ["v=spf1 a -all exp=a.example exp=a.example"], desired: "v=spf1 a" })).toEqual(
      mergedPlan("1800 v=spf1 a ~all exp=a.example", "spf_policy_replaced", "spf_existing_invalid_replaced")
    )
  })

  test("becomes neither strict nor open to everybody by its redirect or its terminal", () => {
    expect([
      repaired("v=spf1 ! redirect=a.example", { "a.example TXT": ["v=spf1 -all"] }),
      repaired("v=spf1 ! redirect=a.example", { "a.example TXT": ["v=spf1 ~all"] }),
      repaired("v=spf1 ! redirect=a.example", { "a.example TXT": ["v=spf1 +all"] }),
      repaired("v=spf1 ! +all"),
      repaired("v=spf1 ! ?all")
    ]).toEqual([
      ["1800 v=spf1 include:a.example ip4:192.0.2.1 ~all"],
      ["1800 v=spf1 ip4:192.0.2.1 redirect=a.example"],
      ["1800 v=spf1 ip4:192.0.2.1 ?all"],
      ["1800 v=spf1 ip4:192.0.2.1 ?all"],
      ["1800 v=spf1 ip4:192.0.2.1 ?all"]
    ])
  })

  test("is also split at white space that receivers reject", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a\tmx\r\n~all\n"], desired: "v=spf1 a" })).toEqual(
      mergedPlan("1800 v=spf1 a mx ~all", "spf_existing_invalid_replaced")
    )
  })

  test("limits another valid record at its host to softfail", () => {
    expect(describeSpfPlan({ existing: ["v=spf1 a ! -all", "v=spf1 mx -all"], desired: "v=spf1 a" })).toEqual(
      mergedPlan(
        "1800 v=spf1 a mx ~all",
        "spf_policy_replaced",
        "spf_duplicates_collapsed",
        "spf_existing_invalid_replaced"
      )
    )
  })

  test("without valid terms is replaced by the desired record without its terminal", () => {
    for (const value of [`v=spf1 ${"\ud800".repeat(65_536)}`, "v=spf1 \u0000\u0007", "v=spf1 include: ip4:x"]) {
      expect(describeSpfPlan({ existing: [value], desired: "v=spf1 a -all" })).toEqual(
        mergedPlan("1800 v=spf1 a", "spf_record_merged", "spf_existing_invalid_replaced")
      )
    }
  })
})
