import { expect, test } from "bun:test"
import { capabilities, describePlan, describeRefusal, desiredRecords, zoneOf } from "../support/planFixtures.ts"

// One example for each rule of docs/mail-records.md and of the decisions 12 and 17.

/** Answers for all included names, so that no query stays unanswered. */
const answers = Object.fromEntries(
  [
    "u1.wl.sendgrid.net",
    "u8.wl.sendgrid.net",
    "mailgun.org",
    "_spf.google.com",
    "spf.a.com.au",
    "spf.a.com",
    "a.example.net",
    "b.example.net",
    "_spf.corp.example",
    "x"
  ].map((name) => [`${name} TXT`, ["v=spf1 ip4:198.51.100.0/24 -all"]])
)

/** Plans for the zone `example.com`; `com` has neither CAA nor DMARC records. */
const plan = (
  zone: ReadonlyArray<string>,
  desired: ReadonlyArray<string>,
  more: Partial<Parameters<typeof describePlan>[0]> = {}
) =>
  describePlan({
    zone: zoneOf(...zone),
    desired: desiredRecords(...desired),
    answers: { ...answers, "com CAA": [], "_dmarc.com TXT": [] },
    ...more
  })

const planChanges = (...input: Parameters<typeof plan>) => {
  const { changes, warnings } = plan(...input)
  return { changes, warnings }
}

test("a first SPF record is created verbatim", () => {
  expect(planChanges([], ["@ 300 TXT v=spf1 include:u1.wl.sendgrid.net -all"])).toEqual({
    changes: ["create | @ 300 TXT v=spf1 include:u1.wl.sendgrid.net -all"],
    warnings: []
  })
})

test("a first SPF record at a host with a foreign MX is created with ~all", () => {
  expect(planChanges(["@ 300 MX 10 mx.example.net"], ["@ 300 TXT v=spf1 include:u1.wl.sendgrid.net -all"])).toEqual({
    changes: ["create | @ 300 TXT v=spf1 include:u1.wl.sendgrid.net ~all"],
    warnings: ["spf_excludes_existing_mail"]
  })
})

test("an include is added to the existing SPF record", () => {
  expect(
    planChanges(["@ 300 TXT v=spf1 include:mailgun.org ~all"], ["@ 300 TXT v=spf1 include:_spf.google.com ~all"])
  ).toEqual({
    changes: [
      "update | @ 300 TXT v=spf1 include:mailgun.org ~all | @ 300 TXT v=spf1 include:mailgun.org include:_spf.google.com ~all"
    ],
    warnings: ["spf_record_merged"]
  })
})

test("an existing mechanism is not added twice, and the existing terminal stays", () => {
  const answersOfHost = { ...answers, "com CAA": [] }
  expect(
    planChanges(
      ["@ 300 A 192.0.2.1", "@ 300 MX 10 mx.example.net", "@ 300 TXT v=spf1 a mx include:_spf.google.com -all"],
      ["@ 300 TXT v=spf1 a mx include:u8.wl.sendgrid.net ~all"],
      { answers: answersOfHost }
    )
  ).toEqual({
    changes: [
      "update | @ 300 TXT v=spf1 a mx include:_spf.google.com -all | @ 300 TXT v=spf1 a mx include:_spf.google.com include:u8.wl.sendgrid.net -all"
    ],
    warnings: ["spf_record_merged"]
  })
})

test("a stricter desired terminal does not replace an existing one", () => {
  expect(
    planChanges(["@ 300 TXT v=spf1 include:_spf.google.com ~all"], ["@ 300 TXT v=spf1 include:u8.wl.sendgrid.net -all"])
  ).toEqual({
    changes: [
      "update | @ 300 TXT v=spf1 include:_spf.google.com ~all | @ 300 TXT v=spf1 include:_spf.google.com include:u8.wl.sendgrid.net ~all"
    ],
    warnings: ["spf_record_merged"]
  })
})

test("an include does not match a longer name that begins with it", () => {
  expect(
    planChanges(["@ 300 TXT v=spf1 include:spf.a.com.au -all"], ["@ 300 TXT v=spf1 include:spf.a.com -all"])
  ).toEqual({
    changes: [
      "update | @ 300 TXT v=spf1 include:spf.a.com.au -all | @ 300 TXT v=spf1 include:spf.a.com.au include:spf.a.com -all"
    ],
    warnings: ["spf_record_merged"]
  })
})

test("two SPF records become one, with the less restrictive terminal", () => {
  expect(
    planChanges(
      ["@ 300 TXT v=spf1 include:a.example.net -all", "@ 300 TXT v=spf1 include:b.example.net ~all"],
      ["@ 300 TXT v=spf1 include:a.example.net -all"]
    )
  ).toEqual({
    changes: [
      "update! | @ 300 TXT v=spf1 include:a.example.net -all | @ 300 TXT v=spf1 include:a.example.net include:b.example.net ~all",
      "delete! | @ 300 TXT v=spf1 include:b.example.net ~all"
    ],
    warnings: ["spf_policy_replaced", "spf_duplicates_collapsed"]
  })
})

test("an include goes in front of a redirect, which stays", () => {
  expect(
    planChanges(["@ 300 TXT v=spf1 redirect=_spf.corp.example"], ["@ 300 TXT v=spf1 include:x.example.net ~all"], {
      answers: { ...answers, "x.example.net TXT": ["v=spf1 -all"] }
    }).changes
  ).toEqual([
    "update | @ 300 TXT v=spf1 redirect=_spf.corp.example | @ 300 TXT v=spf1 include:x.example.net redirect=_spf.corp.example"
  ])
})

test("an SPF record keeps its TTL", () => {
  expect(
    planChanges(["@ 1800 TXT v=spf1 include:mailgun.org ~all"], ["@ 300 TXT v=spf1 include:_spf.google.com ~all"])
      .changes
  ).toEqual([
    "update | @ 1800 TXT v=spf1 include:mailgun.org ~all | @ 1800 TXT v=spf1 include:mailgun.org include:_spf.google.com ~all"
  ])
})

const report = "rua=mailto:r@example.com"

test("a DMARC tag is overridden", () => {
  expect(
    planChanges([`_dmarc 300 TXT v=DMARC1; p=none; ${report}`], ["_dmarc 300 TXT v=DMARC1; p=none"], {
      dmarcOptions: { overrideTags: { p: "quarantine" } }
    })
  ).toEqual({
    changes: [
      `update! | _dmarc 300 TXT v=DMARC1; p=none; ${report} | _dmarc 300 TXT v=DMARC1; p=quarantine; ${report}`
    ],
    warnings: ["dmarc_policy_strengthened"]
  })
})

test("a DMARC tag is added if it does not exist, and only then", () => {
  const more = { dmarcOptions: { addTagsIfNotExist: { pct: "50" } } }
  const desired = ["_dmarc 300 TXT v=DMARC1; p=none"]
  const added = planChanges([`_dmarc 300 TXT v=DMARC1; p=reject; ${report}`], desired, more)
  expect({ ...added, changes: added.changes.map((change) => change.replace("update! ", "update ")) }).toEqual({
    changes: [
      `update | _dmarc 300 TXT v=DMARC1; p=reject; ${report} | _dmarc 300 TXT v=DMARC1; p=reject; ${report}; pct=50`
    ],
    warnings: ["dmarc_policy_weakened", "dmarc_tag_deprecated"]
  })
  expect(planChanges([`_dmarc 300 TXT v=DMARC1; p=reject; ${report}; pct=100`], desired, more).changes).toEqual([])
})

test("a DMARC tag is removed", () => {
  expect(
    planChanges(
      ["_dmarc 300 TXT v=DMARC1; p=none; pct=100; rua=mailto:a@example.com"],
      ["_dmarc 300 TXT v=DMARC1; p=none"],
      {
        dmarcOptions: { removeTags: ["pct"] }
      }
    ).changes
  ).toEqual([
    "update! | _dmarc 300 TXT v=DMARC1; p=none; pct=100; rua=mailto:a@example.com | _dmarc 300 TXT v=DMARC1; p=none; rua=mailto:a@example.com"
  ])
})

test("a missing p means none, and the desired value replaces an invalid record", () => {
  const more = { dmarcOptions: { overrideTags: { p: "quarantine" } } }
  expect(
    planChanges(["_dmarc 300 TXT v=DMARC1; rua=mailto:x@example.com"], ["_dmarc 300 TXT v=DMARC1; p=none"], more)
      .changes
  ).toEqual([
    "update! | _dmarc 300 TXT v=DMARC1; rua=mailto:x@example.com | _dmarc 300 TXT v=DMARC1; p=quarantine; rua=mailto:x@example.com"
  ])
  const invalid = planChanges(
    ["_dmarc 300 TXT v=DMARC1; p=block"],
    ["_dmarc 300 TXT v=DMARC1; p=none; rua=mailto:new@example.org"],
    more
  )
  expect(invalid.changes).toEqual([
    "update! | _dmarc 300 TXT v=DMARC1; p=block | _dmarc 300 TXT v=DMARC1; p=quarantine; rua=mailto:new@example.org"
  ])
  expect(invalid.warnings).toContain("dmarc_existing_invalid_replaced")
})

test("the root's policy is inherited, with its sp as p", () => {
  expect(
    planChanges(
      ["_dmarc 300 TXT v=DMARC1; p=reject; sp=quarantine; rua=mailto:r@example.com"],
      ["_dmarc.mail 300 TXT v=DMARC1; p=none"],
      { dmarcOptions: { inheritRootDmarc: true } }
    )
  ).toEqual({
    changes: ["create | _dmarc.mail 300 TXT v=DMARC1; p=quarantine; rua=mailto:r@example.com"],
    warnings: ["dmarc_inherited_from_root"]
  })
})

test("a CAA is added to the existing one", () => {
  expect(planChanges(['@ 300 CAA 0 issue "digicert.com"'], ['@ 300 CAA 0 issue "letsencrypt.org"']).changes).toEqual([
    'create | @ 300 CAA 0 issue "letsencrypt.org"'
  ])
})

test("a CAA is not added if none restricts issuance, unless validateCAA is off", () => {
  const desired = ['@ 300 CAA 0 issue "letsencrypt.org"']
  expect(planChanges([], desired).changes).toEqual([])
  expect(planChanges([], desired, { policy: { validateCAA: false } })).toEqual({
    changes: ['create | @ 300 CAA 0 issue "letsencrypt.org"'],
    warnings: ["caa_set_created"]
  })
})

const apex = ["@ 300 A 192.0.2.1", "@ 300 AAAA 2001:db8::1", "@ 300 TXT hello"]

test("a CNAME at the apex is flattened and replaces the addresses only", () => {
  const desired = ["@ 300 CNAME shops.example.net"]
  expect(planChanges([...apex, "@ 300 MX 10 mx.example.net"], desired)).toEqual({
    changes: [
      "delete! | @ 300 A 192.0.2.1",
      "delete! | @ 300 AAAA 2001:db8::1",
      "create | @ 300 CNAME shops.example.net"
    ],
    warnings: ["address_records_replaced", "website_replaced", "apex_cname_flattened"]
  })
  expect(planChanges([...apex, "@ 300 MX 0 example.com"], desired).warnings).toEqual([
    "address_records_replaced",
    "website_replaced",
    "mail_target_changed",
    "apex_cname_flattened"
  ])
})

test("a CNAME at the apex that the provider cannot flatten is a failure, or skipped if optional", () => {
  const more = { zone: zoneOf(...apex), capabilities: capabilities("supported", { cnameFlattening: "unsupported" }) }
  expect(describeRefusal({ ...more, desired: desiredRecords("@ 300 CNAME shops.example.net") })).toBe(
    "CNAME @ apex_cname_unsupported"
  )
  expect(describePlan({ ...more, desired: desiredRecords("?@ 300 CNAME shops.example.net") })).toEqual({
    changes: [],
    effective: [],
    warnings: ["optional_record_skipped"],
    optionalFailures: ["CNAME @ apex_cname_unsupported"]
  })
})

test("a CNAME replaces every other record of its host", () => {
  const { changes, warnings } = planChanges(
    ["bar 300 A 192.0.2.1", "bar 300 AAAA 2001:db8::1", "bar 300 TXT hello", "bar 300 MX 10 mx.example.net"],
    ["bar 300 CNAME edge.example.net"]
  )
  expect(changes.toSorted()).toEqual([
    "create | bar 300 CNAME edge.example.net",
    "delete! | bar 300 A 192.0.2.1",
    "delete! | bar 300 AAAA 2001:db8::1",
    "delete! | bar 300 MX 10 mx.example.net",
    "delete! | bar 300 TXT hello"
  ])
  expect(warnings).toEqual(["cname_replaces_records", "website_replaced", "mail_records_removed"])
})

test("an A record replaces the addresses of both families", () => {
  expect(planChanges(["bar 300 A 192.0.2.9", "bar 300 AAAA 2001:db8::9"], ["bar 300 A 203.0.113.2"])).toEqual({
    changes: ["update! | bar 300 A 192.0.2.9 | bar 300 A 203.0.113.2", "delete! | bar 300 AAAA 2001:db8::9"],
    warnings: ["address_records_replaced", "website_replaced"]
  })
})

test("a CNAME makes room for a TXT record", () => {
  expect(planChanges(["foo 300 CNAME edge.example.net"], ["foo 300 TXT hello"])).toEqual({
    changes: ["delete! | foo 300 CNAME edge.example.net", "create | foo 300 TXT hello"],
    warnings: ["cname_removed"]
  })
})

test("an MX replaces the other MX", () => {
  expect(
    planChanges(["@ 300 MX 4 mx1.example.net", "@ 300 MX 10 mx2.example.net"], ["@ 300 MX 5 newmx.example.net"], {
      answers: { "_25._tcp.mx1.example.net TLSA": [], "_25._tcp.mx2.example.net TLSA": [] }
    })
  ).toEqual({
    changes: [
      "create | @ 300 MX 5 newmx.example.net",
      "delete! | @ 300 MX 4 mx1.example.net",
      "delete! | @ 300 MX 10 mx2.example.net"
    ],
    warnings: ["mx_replaced"]
  })
})

test("the same text with another TTL is no change, and text is case-sensitive", () => {
  expect(planChanges(["@ 1800 TXT Hello World"], ["@ 600 TXT Hello World"]).changes).toEqual([])
  expect(planChanges(["@ 1800 TXT Hello World"], ["@ 600 TXT Hello WORLD"]).changes).toEqual([
    "create | @ 1800 TXT Hello WORLD"
  ])
})

test("a delegation removes the records of its host and hides those below", () => {
  expect(planChanges(["foo 300 A 192.0.2.1", "www.foo 300 A 192.0.2.2"], ["foo 300 NS ns1.example.net"])).toEqual({
    changes: ["delete! | foo 300 A 192.0.2.1", "create! | foo 300 NS ns1.example.net"],
    warnings: ["ns_delegation_hides_records"]
  })
  expect(planChanges(["foo.bar 300 NS ns1.example.net"], ["foo 300 A 192.0.2.1"]).changes).toEqual([
    "create | foo 300 A 192.0.2.1"
  ])
})

test("a long text equals the same text served as several strings", () => {
  const text = "x".repeat(410)
  expect(planChanges([`@ 300 TXT ${text}`], [`@ 300 TXT ${text}`]).changes).toEqual([])
})

test("a wildcard does not apply to explicit names, and a new name hides it", () => {
  expect(planChanges(["app 300 A 192.0.2.1"], ["* 300 CNAME edge.example.net"]).changes).toEqual([
    "create | * 300 CNAME edge.example.net"
  ])
  expect(planChanges(["* 300 A 192.0.2.1"], ["app 300 TXT hello"])).toEqual({
    changes: ["create! | app 300 TXT hello"],
    warnings: ["wildcard_hidden"]
  })
})
