import { describe, expect, test } from "bun:test"
import type { Warning } from "../../src/domain/plan/Warning.ts"
import { describeChange, desiredRecords, planOrThrow, zoneOf } from "../support/planFixtures.ts"

type Scenario = Omit<Parameters<typeof planOrThrow>[0], "desired" | "zone">

/** The changes that a warning is about, without their TTLs; undefined without that warning. */
const changesOf = (
  code: Warning,
  zone: ReadonlyArray<string>,
  desired: ReadonlyArray<string>,
  options: Scenario = {}
): ReadonlyArray<string> | undefined => {
  const { changes, warningDetails } = planOrThrow({
    ...options,
    zone: zoneOf(...zone),
    desired: desiredRecords(...desired)
  })
  const detail = warningDetails.find((each) => each.code === code)
  return detail?.changes.map((place) => (changes[place] === undefined ? "" : describeChange(changes[place])))
}

describe("a warning names the changes that it is about, and no others of their types:", () => {
  const other = "other 300 A 192.0.2.9"
  const otherMoves = "other 300 A 192.0.2.8"

  const cases: ReadonlyArray<readonly [Warning, ReadonlyArray<string>, ReadonlyArray<string>, ReadonlyArray<string>]> =
    [
      [
        "website_replaced",
        ["www 300 CNAME a.example.net", "_x 300 CNAME a.example.net"],
        ["www 300 CNAME b.example.net", "_x 300 CNAME b.example.net"],
        ["update! | www 300 CNAME a.example.net | www 300 CNAME b.example.net"]
      ],
      ["website_replaced", ["* 300 A 192.0.2.1"], ["new 300 A 192.0.2.2"], ["create! | new 300 A 192.0.2.2"]],
      [
        "mx_replaced",
        ["* 300 MX 10 a.example.net"],
        ["send 300 MX 10 b.example.net", "x.other 300 MX 10 a.example.net"],
        ["create! | send 300 MX 10 b.example.net"]
      ],
      ["mx_replaced", ["@ 300 A 192.0.2.1"], ["@ 300 MX 10 a.example.net"], ["create | @ 300 MX 10 a.example.net"]],
      [
        "mail_target_changed",
        ["@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.1", other, "other 300 MX 0 ."],
        ["mail 300 A 192.0.2.2", otherMoves],
        ["update! | mail 300 A 192.0.2.1 | mail 300 A 192.0.2.2"]
      ],
      [
        "tls_policy_mismatch",
        ["@ 300 MX 10 a.example.net", "_mta-sts 300 TXT v=STSv1; id=1", "sub 300 MX 10 a.example.net"],
        ["@ 300 MX 10 b.example.net", "sub 300 MX 10 b.example.net"],
        ["update! | @ 300 MX 10 a.example.net | @ 300 MX 10 b.example.net"]
      ],
      [
        "spf_record_merged",
        ["@ 300 TXT v=spf1 ip4:192.0.2.1 -all"],
        ["@ 300 TXT v=spf1 ip4:192.0.2.2 -all", "send 300 TXT v=spf1 ip4:192.0.2.2 -all"],
        ["update | @ 300 TXT v=spf1 ip4:192.0.2.1 -all | @ 300 TXT v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 -all"]
      ],
      [
        "dmarc_policy_strengthened",
        [],
        ["_dmarc.a 300 TXT v=DMARC1; p=none", "_dmarc.b 300 TXT v=DMARC1; p=reject"],
        ["create | _dmarc.b 300 TXT v=DMARC1; p=reject"]
      ],
      [
        "dkim_key_replaced",
        ["s1._domainkey 300 CNAME a.example.net"],
        ["s1._domainkey 300 CNAME b.example.net", "s2._domainkey 300 CNAME b.example.net"],
        ["update! | s1._domainkey 300 CNAME a.example.net | s1._domainkey 300 CNAME b.example.net"]
      ],
      [
        "cname_removed",
        ["foo 300 CNAME a.example.net", "bar 300 CNAME a.example.net"],
        ["foo 300 TXT hello", "bar 300 CNAME b.example.net"],
        ["delete! | foo 300 CNAME a.example.net"]
      ],
      [
        "wildcard_hidden",
        ["*.fruit 300 A 192.0.2.1"],
        ["_v.x.fruit 300 TXT hello", "app 300 TXT hello"],
        ["create! | _v.x.fruit 300 TXT hello"]
      ],
      [
        "ns_delegation_hides_records",
        ["a.foo 300 A 192.0.2.1"],
        ["foo 300 NS ns.example.net", "bar 300 NS ns.example.net"],
        ["create! | foo 300 NS ns.example.net"]
      ],
      [
        "txt_value_split",
        [],
        [`a 300 TXT ${"x".repeat(300)}`, "b 300 TXT hello"],
        [`create | a 300 TXT ${"x".repeat(300)}`]
      ],
      ["host_repeats_domain", [], ["example 300 TXT hello", "app 300 TXT hello"], ["create | example 300 TXT hello"]]
    ]
  for (const [code, zone, desired, expected] of cases) {
    test(`${code}: ${expected.join(", ")}`, () => expect(changesOf(code, zone, desired)).toEqual(expected))
  }

  test("ttl_adjusted", () => {
    const ttl = { minimum: 300, maximum: 86_400 }
    expect(changesOf("ttl_adjusted", [], ["a 60 A 192.0.2.1", "b 600 A 192.0.2.1"], { ttl })).toEqual([
      "create | a 300 A 192.0.2.1"
    ])
  })

  test("a warning that a CAA record is not added names each", () => {
    const { warningDetails } = planOrThrow({
      answers: { "com CAA": [] },
      zone: zoneOf('b 300 CAA 0 issue "letsencrypt.org"'),
      desired: desiredRecords(
        'a 300 CAA 0 issue "letsencrypt.org"',
        'b 300 CAA 0 issuewild "letsencrypt.org"',
        'c 300 CAA 0 issue "digicert.com"'
      )
    })
    expect(warningDetails).toEqual([
      {
        code: "caa_existing_sufficient",
        changes: [],
        findings: ['b.example.com: 0 issuewild "letsencrypt.org" is not added.']
      },
      {
        code: "caa_not_needed",
        changes: [],
        findings: [
          'a.example.com: 0 issue "letsencrypt.org" is not added.',
          'c.example.com: 0 issue "digicert.com" is not added.'
        ]
      }
    ])
  })

  test("caa_not_needed and caa_existing_sufficient, which add nothing", () => {
    const options = { answers: { "com CAA": [] } }
    expect(
      changesOf("caa_not_needed", [], ['@ 300 CAA 0 issue "le.org"', '@ 300 CAA 0 iodef "mailto:a@b.c"'], options)
    ).toEqual([])
    expect(
      changesOf(
        "caa_existing_sufficient",
        ['@ 300 CAA 0 issue "letsencrypt.org"'],
        ['@ 300 CAA 0 issuewild "letsencrypt.org"', '@ 300 CAA 0 issue "digicert.com"'],
        options
      )
    ).toEqual([])
  })

  test("caa_blocks_issuance", () => {
    const zone = ["blocked 300 CAA 128 tbs unknown", 'free 300 CAA 0 iodef "mailto:a@example.com"']
    const desired = ['blocked 300 CAA 0 issue "ca.example.net"', 'free 300 CAA 0 issue "ca.example.net"']
    expect(changesOf("caa_blocks_issuance", zone, desired, { policy: { validateCAA: false } })).toEqual([
      'create | blocked 300 CAA 0 issue "ca.example.net"'
    ])
  })

  test("proxied_record_present", () => {
    const proxied = { host: "www", type: "A", value: "192.0.2.1", ttl: 300, proxied: true }
    const { changes, warningDetails } = planOrThrow({
      zone: { ...zoneOf(), records: [proxied] },
      desired: desiredRecords("www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "www 300 TXT hello")
    })
    expect(changes.map(({ after }) => after?.value)).toEqual(["192.0.2.2", "hello"])
    expect(warningDetails).toEqual([{ code: "proxied_record_present", changes: [0] }])
  })

  test("none where a policy stays as it is", () => {
    const record = "_dmarc 300 TXT v=DMARC1; p=none"
    expect(changesOf("dmarc_existing_preserved", [record], ["_dmarc 300 TXT v=DMARC1; p=reject"])).toEqual([])
  })
})

test("each change is named once, however often it gives a warning", () => {
  const zone = Array.from({ length: 5 }, (_, at) => `a${at} 300 A 192.0.2.1`)
  const desired = Array.from({ length: 5 }, (_, at) => `a${at} 300 CNAME x.example.net`)
  const { warningDetails } = planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords(...desired) })
  const places = warningDetails.find(({ code }) => code === "website_replaced")?.changes ?? []
  expect(places).toHaveLength(10)
  expect(places).toEqual([...new Set(places)].toSorted((one, two) => one - two))
})

test("a warning says what was found out about this plan", () => {
  const { warningDetails } = planOrThrow({
    zone: zoneOf("* 300 A 192.0.2.1", "* 300 MX 10 mx.example.net"),
    desired: desiredRecords("fruit 300 TXT v=spf1 include:gone.example.net -all"),
    answers: { "gone.example.net TXT": [] }
  })
  expect(warningDetails.flatMap(({ code, findings }) => (findings ?? []).map((finding) => [code, finding]))).toEqual([
    [
      "spf_include_broken",
      "gone.example.net, which the SPF record at fruit points to, has no valid SPF record; the platform requests it."
    ],
    ["wildcard_hidden", "fruit.example.com no longer answers with A, MX."]
  ])
})

const senders = Array.from({ length: 10 }, (_, at) => `x${at}.example.net`)

/** The warnings of a plan that skips an optional SPF record. */
const warningsWithout = (value: string, ...zone: ReadonlyArray<string>) =>
  planOrThrow({
    zone: zoneOf(...zone),
    desired: desiredRecords(`?@ 300 TXT ${value}`),
    answers: Object.fromEntries([
      ["gone.example.net TXT", []],
      ...senders.map((sender) => [`${sender} TXT`, ["v=spf1 -all"]])
    ])
  }).warningDetails

const skipped = (finding: string) => [{ code: "optional_record_skipped" as const, changes: [], findings: [finding] }]

test("an optional SPF record that is skipped says why", () => {
  expect(warningsWithout("v=spf1 include:gone.example.net -all")).toEqual(
    skipped("gone.example.net, which the SPF record at @ points to, has no valid SPF record; the platform requests it.")
  )
  const full = `@ 300 TXT v=spf1 ${senders.map((sender) => `include:${sender}`).join(" ")} -all`
  expect(warningsWithout("v=spf1 a -all", full)).toEqual(
    skipped("With the desired senders, the SPF record at @ would pass a limit of receivers (RFC 7208 section 4.6.4).")
  )
})

const describeAt = (zone: ReadonlyArray<string>, ...desired: ReadonlyArray<string>) =>
  planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords(...desired) }).changes.map(describeChange)

describe("what a creation takes from a wildcard is destructive,", () => {
  test("of a set that is replaced, and of a policy that becomes another one", () => {
    expect(describeAt(["* 300 A 192.0.2.1"], "new 300 A 192.0.2.2")).toEqual(["create! | new 300 A 192.0.2.2"])
    expect(describeAt(["* 300 TXT v=DMARC1; p=reject"], "_dmarc 300 TXT v=DMARC1; p=none")).toEqual([
      "create | _dmarc 300 TXT v=DMARC1; p=reject"
    ])
    expect(describeAt(["* 300 TXT v=spf1 -all", "* 300 TXT v=spf1 a -all"], "send 300 TXT v=spf1 mx -all")).toEqual([
      "create! | send 300 TXT v=spf1 a mx ~all"
    ])
  })

  test("not where all of its answers stay", () => {
    expect(describeAt(["* 300 A 192.0.2.1"], "new 300 A 192.0.2.1", "new 300 A 192.0.2.2")).toEqual([
      "create | new 300 A 192.0.2.1",
      "create | new 300 A 192.0.2.2"
    ])
    expect(describeAt(["* 300 TXT v=spf1 a -all"], "send 300 TXT v=spf1 mx -all")).toEqual([
      "create | send 300 TXT v=spf1 a mx -all"
    ])
  })
})

const severityAt = (zone: ReadonlyArray<string>, desired: string) =>
  planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords(desired) }).warningDetails.flatMap(
    ({ code, severity = "as its code" }) => (/hid/.test(code) ? [`${code}: ${severity}`] : [])
  )

const warningsAtSend = (...zone: ReadonlyArray<string>) =>
  planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords("send 300 TXT v=spf1 ip4:192.0.2.3 ~all") }).warnings

test("the SPF of a wildcard permits the address of each name, which a new name hides", () => {
  const address = "* 300 A 192.0.2.2"
  expect(warningsAtSend(address, "* 300 TXT v=spf1 a ~all")).toContain("mail_target_changed")
  expect(warningsAtSend(address, "* 300 TXT v=spf1 ip4:192.0.2.2 ~all")).not.toContain("mail_target_changed")
  expect(warningsAtSend("* 300 TXT v=spf1 a ~all")).not.toContain("mail_target_changed")
})

describe("what is hidden is serious where a website or mail may need it,", () => {
  test("of a wildcard", () => {
    const needed = ["A 192.0.2.1", "CNAME a.example.net", "MX 10 a.example.net", "TXT v=spf1 -all"]
    for (const record of needed) {
      expect(severityAt([`*.x 300 ${record}`], "_v.a.x 300 TXT hello")).toEqual(["wildcard_hidden: as its code"])
    }
    for (const record of ["TXT hi", 'CAA 0 issue "ca.example.net"', "SRV 1 1 1 a.example.net"]) {
      expect(severityAt([`*.x 300 ${record}`], "_v.a.x 300 TXT hello")).toEqual(["wildcard_hidden: caution"])
    }
    expect(severityAt(["*.x 300 TXT hi", "*.x 300 A 192.0.2.1"], "a.x 300 TXT hello")).toEqual([
      "wildcard_hidden: as its code"
    ])
  })

  test("of a delegation", () => {
    const delegation = "foo 300 NS ns.example.net"
    const code = "ns_delegation_hides_records"
    expect(severityAt(["a.foo 300 A 192.0.2.1"], delegation)).toEqual([`${code}: as its code`])
    expect(severityAt(["foo 300 MX 10 a.example.net"], delegation)).toEqual([`${code}: as its code`])
    expect(severityAt(["a.foo 300 TXT hi"], delegation)).toEqual([`${code}: caution`])
    expect(severityAt(["foo 300 TXT hi"], delegation)).toEqual([`${code}: caution`])
  })
})
