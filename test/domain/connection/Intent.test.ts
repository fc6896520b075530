import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc, Schema } from "effect"
import { IntentRequest, resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { recordTypeNames } from "../../../src/domain/records/recordTypes.ts"

describe("a valid intent", () => {
  test("is kept as sent with defaults filled in, and resolved to its normal form", () => {
    const request = intent(
      { host: "WWW", type: "CNAME", value: "Target.Example.NET." },
      { host: "Bücher.Example", type: "MX", value: "mail.example.net" },
      { host: "_sip._tcp", type: "SRV", value: "05 5060 sip.example.net" },
      { host: "none", type: "MX", value: "." }
    )
    const { domain, effectiveIntent, intent: requested } = Either.getOrThrow(resolveIntent(request))
    const defaults = { ttl: 3_600, optional: false }
    expect(`${domain}`).toBe("xn--bcher-kva.example")
    expect(toJson(requested)).toEqual({
      domain: "Bücher.Example",
      records: [
        { ...request.records[0], ...defaults },
        { ...request.records[1], ...defaults, priority: 10 },
        { ...request.records[2], ...defaults, priority: 10 },
        { ...request.records[3], ...defaults, priority: 0 }
      ],
      existingRecordPolicy: { validateDmarc: true, validateCAA: true }
    })
    expect(toJson(effectiveIntent)).toEqual({
      domain: "xn--bcher-kva.example",
      records: [
        { host: "www", type: "CNAME", value: "target.example.net", ...defaults },
        { host: "@", type: "MX", value: "mail.example.net", ...defaults, priority: 10 },
        { host: "_sip._tcp", type: "SRV", value: "5 5060 sip.example.net", ...defaults, priority: 10 },
        { host: "none", type: "MX", value: ".", ...defaults, priority: 0 }
      ]
    })
  })

  test("keeps sent values instead of defaults", () => {
    const advancedDmarcOptions = { inheritRootDmarc: true, overrideTags: { p: "none" }, removeTags: ["pct"] }
    const record = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", ttl: 0, optional: true } as const
    const request: IntentRequest = {
      domain: "example.com",
      records: [
        { ...record, advancedDmarcOptions },
        { host: "@", type: "MX", value: "mail.example.net", priority: 65_535, ttl: 2 ** 31 - 1 }
      ],
      existingRecordPolicy: { validateCAA: false }
    }
    const { effectiveIntent, intent } = Either.getOrThrow(resolveIntent(request))
    expect(toJson(intent)).toEqual({
      domain: "example.com",
      records: [
        { ...record, advancedDmarcOptions },
        { ...request.records[1], optional: false }
      ],
      existingRecordPolicy: { validateDmarc: true, validateCAA: false }
    })
    expect(toJson(effectiveIntent.records[0])).toEqual(record)
  })

  test("has a stable normal form, and the issues of an invalid one point into the request", () =>
    fc.assert(
      fc.property(requestArbitrary, (request) =>
        Either.match(resolveIntent(request), {
          onLeft: (issues) =>
            issues.forEach(({ pointer }) => expect(valueAt({ intent: request }, pointer)).toBeDefined()),
          onRight: ({ effectiveIntent }) => {
            const again = Either.getOrThrow(resolveIntent(effectiveIntent))
            expect(again.effectiveIntent).toEqual(effectiveIntent)
          }
        })
      ),
      { numRuns: 500 }
    ))
})

describe("an invalid intent", () => {
  test("reports an invalid domain together with every fault that no domain would cure", () => {
    expect(issuesOf({ domain: "co.uk", records: [{ host: "a..b", type: "A", value: "x" }] })).toEqual([
      "/intent/domain domain_is_public_suffix",
      "/intent/records/0/value value_is_no_ipv4_address"
    ])
  })

  test("reports all invalid hosts, values, priorities and options in order", () => {
    const advancedDmarcOptions = { removeTags: ["p"] }
    expect(
      issuesOf(
        intent(
          { host: "a..b", type: "A", value: "x", priority: 1, advancedDmarcOptions },
          { host: "www", type: "A", value: "192.0.2.1" },
          { host: "@", type: "MX", value: ".", priority: 5 },
          { host: "www.example.net.", type: "TXT", value: "" },
          { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", advancedDmarcOptions }
        )
      )
    ).toEqual([
      "/intent/records/0/host host_has_empty_label",
      "/intent/records/0/value value_is_no_ipv4_address",
      "/intent/records/0/priority priority_not_applicable",
      "/intent/records/0/advancedDmarcOptions dmarc_options_elsewhere",
      "/intent/records/2/priority null_mx_priority",
      "/intent/records/3/host host_outside_domain",
      "/intent/records/3/value value_is_empty",
      "/intent/records/4/advancedDmarcOptions/removeTags/0 dmarc_tag_required"
    ])
  })

  test("reports an SPF mechanism written as a modifier, and a text at a DMARC host, with a suggestion", () => {
    expect([
      refusalOf({ host: "@", type: "TXT", value: "v=spf1 include=mail.example.net ~all" }),
      refusalOf({ host: "@", type: "TXT", value: "v=spf1 ip4=192.0.2.0/24 ~all" }),
      refusalOf({ host: "@", type: "TXT", value: "v=spf1 include= ~all" }),
      refusalOf({ host: "@", type: "TXT", value: "v=spf1 all= include:mail.example.net" }),
      refusalOf({ host: "@", type: "TXT", value: "v=spf1 x=y ra=postmaster ~all" }),
      refusalOf({ host: "_dmarc", type: "TXT", value: "p=none" }),
      refusalOf({ host: "_dmarc.shop", type: "TXT", value: "p=reject; rua=mailto:a@example.net" }),
      refusalOf({ host: "_dmarc", type: "TXT", value: "v=dmarc1; p=none" }),
      refusalOf({ host: "_dmarc", type: "TXT", value: "v=DMARC2; p=none; v=DMARC1" }),
      refusalOf({ host: "_dmarc", type: "TXT", value: "hello" }),
      refusalOf({ host: "_dmarc", type: "TXT", value: "v=spf1 -all" }),
      refusalOf({ host: "example.net._report._dmarc", type: "TXT", value: "v=DMARC1;" })
    ]).toEqual([
      ["spf_term_malformed", "v=spf1 include:mail.example.net ~all"],
      ["spf_term_malformed", "v=spf1 ip4:192.0.2.0/24 ~all"],
      ["spf_term_malformed", undefined],
      ["spf_term_malformed", undefined],
      "accepted",
      ["value_is_no_dmarc", "v=DMARC1; p=none"],
      ["value_is_no_dmarc", "v=DMARC1; p=reject; rua=mailto:a@example.net"],
      ["value_is_no_dmarc", "v=DMARC1; p=none"],
      ["value_is_no_dmarc", "v=DMARC1; p=none"],
      ["value_is_no_dmarc", undefined],
      ["value_is_no_dmarc", undefined],
      "accepted"
    ])
  })

  test("suggests the right spelling of an SPF or DMARC text with other separators, signs or names", () => {
    const texts = {
      "v=spf1 -include=mail.example.net ~all": "v=spf1 -include:mail.example.net ~all",
      "v=spf1 redirect:mail.example.net": "v=spf1 redirect=mail.example.net",
      "v=spf1 +redirect=mail.example.net": "v=spf1 redirect=mail.example.net",
      "v=spf1 exp:why.example.net -all": "v=spf1 exp=why.example.net -all",
      "v=spf1 ipv4:192.0.2.1 ~all": "v=spf1 ip4:192.0.2.1 ~all",
      "v=spf1 ?ipv6=2001:db8::1 ~all": "v=spf1 ?ip6:2001:db8::1 ~all",
      "v=spf1 a=mail.example.net ip4=192.0.2.1 ipv6:2001:db8::1 ~all":
        "v=spf1 a:mail.example.net ip4:192.0.2.1 ip6:2001:db8::1 ~all",
      "v=spf1 include=mail.example.net ip4=hello ~all": undefined,
      "v=spf1 include=mail.example.net +all": "v=spf1 include:mail.example.net ~all",
      "v=spf1 includes:mail.example.net ~all": "v=spf1 include:mail.example.net ~all"
    }
    expect(suggestionsAt("@", texts)).toEqual(texts)
    const policies = {
      "v=DMARC1 p=none": "v=DMARC1; p=none",
      "v=DMARC1: p=reject; rua=mailto:a@example.net": "v=DMARC1; p=reject; rua=mailto:a@example.net",
      "v=dmarc1, p=none": "v=DMARC1; p=none",
      "DMARC1; p=none": "v=DMARC1; p=none",
      "v=DMARC1 hello": undefined
    }
    expect(suggestionsAt("_dmarc", policies)).toEqual(policies)
  })

  for (const type of ["A", "AAAA", "CNAME", "TXT", "NS", "CAA"] as const) {
    test(`reports a priority on a record of type ${type}`, () => {
      const value = sample[type]
      expect(issuesOf(intent({ host: "www", type, value, priority: 10 }))).toEqual([
        "/intent/records/0/priority priority_not_applicable"
      ])
    })
  }
})

describe("a variable without a value", () => {
  test("is reported in each name and value that a program wrote with it", () => {
    const codes = {
      domain: ["undefined", "null", "[object Object]", "undefined.example.com", "NaN.shop.example.co.uk"],
      host: ["undefined", "null", "NaN", "None", "[object Object]", "_acme.undefined", "undefined._domainkey"],
      CNAME: ["undefined", "null", "[object Object]", "undefined.shops.example.net", "eu.null.example.net"],
      A: ["undefined", "null"],
      TXT: ["undefined", "null", "[object Object]", "verify=undefined", "v=spf1 include:undefined ~all", "k=a; p=null"],
      SRV: ["1 443 undefined", "1 443 undefined.example.net"],
      HTTPS: ["1 undefined alpn=h2"],
      CAA: ['0 issue "undefined"', '0 issue "ca.example; account=undefined"']
    }
    expect(
      Object.entries(codes).map(([place, texts]) => [
        place,
        texts.filter((text) => !issuesOf(withText(place, text))[0]?.endsWith("_is_unset"))
      ])
    ).toEqual(Object.keys(codes).map((place) => [place, []]))
  })

  test("is no name that is spelled like it, nor one that ends in a dot", () => {
    const accepted = {
      domain: ["undefined.com", "null.co.uk", "undefined.example.com.", "nan.example.com"],
      host: ["nan", "none", "nullable", "undefined-shop", "null.xn--bcher-kva.example."],
      CNAME: ["undefined.com", "null.example.net.", "none.example.net", "undefined-shop.example.net"],
      TXT: ["an undefined word", "null and void", "v=spf1 include:_spf.none.example.net ~all", "nothing=nullable"]
    }
    expect(
      Object.entries(accepted).flatMap(([place, texts]) => texts.flatMap((text) => issuesOf(withText(place, text))))
    ).toEqual([])
  })
})

describe("DMARC options", () => {
  test("belong on a TXT record at a `_dmarc` host in any spelling", () => {
    for (const host of [
      "_dmarc",
      "_DMARC",
      "_dmarc.mail",
      "_dmarc.Bücher.example",
      "_dmarc.mail.xn--bcher-kva.example."
    ])
      expect(withOptions(host, {})).toEqual([])
    const elsewhere = "/intent/records/0/advancedDmarcOptions dmarc_options_elsewhere"
    for (const host of ["mail", "x_dmarc", "_dmarcs"]) expect(withOptions(host, {})).toEqual([elsewhere])
    for (const host of ["@", "mail._dmarc"]) expect(withOptions(host, {})).toContain(elsewhere)
    expect(withOptions("_dmarc", {}, "CNAME")).toContain(elsewhere)
  })

  test("cannot remove the version or the policy, nor a tag that they also set", () => {
    expect(
      withOptions("_dmarc", {
        removeTags: ["v", "pct", "p", "sp", "rua"],
        overrideTags: { sp: "none" },
        addTagsIfNotExist: { rua: "mailto:me@example.com" }
      })
    ).toEqual([
      `${removeTags}/0 dmarc_tag_required`,
      `${removeTags}/2 dmarc_tag_required`,
      `${removeTags}/3 dmarc_tag_contradicted`,
      `${removeTags}/4 dmarc_tag_contradicted`
    ])
  })

  test("accept tag names that are also properties of every object", () => {
    expect(withOptions("_dmarc", { removeTags: ["constructor", "tostring"], overrideTags: {} })).toEqual([])
  })
})

describe("the schema of an intent", () => {
  const record = { host: "www", type: "TXT", value: "a" }
  const withRecord = (fields: object) => ({ domain: "example.com", records: [{ ...record, ...fields }] })
  const withRecords = (count: number) => ({
    domain: "example.com",
    records: Array.from({ length: count }, () => record)
  })

  test("accepts 1 to 200 records and values of up to 4,096 bytes", () => {
    expect([0, 1, 200, 201].map((count) => isAccepted(withRecords(count)))).toEqual([false, true, true, false])
    expect(["a".repeat(4_096), "ü".repeat(2_048)].map((value) => isAccepted(withRecord({ value })))).toEqual([
      true,
      true
    ])
    expect(["a".repeat(4_097), `${"ü".repeat(2_048)}a`].map((value) => isAccepted(withRecord({ value })))).toEqual([
      false,
      false
    ])
  })

  test("accepts a TTL of 0 to 2^31 - 1 whole seconds and a 16-bit priority", () => {
    const invalid = [-1, 1.5, 2 ** 31, Infinity, NaN, "60", null]
    expect([0, 2 ** 31 - 1].map((ttl) => isAccepted(withRecord({ ttl })))).toEqual([true, true])
    expect(invalid.filter((ttl) => isAccepted(withRecord({ ttl })))).toEqual([])
    expect([0, 65_535].map((priority) => isAccepted(withRecord({ priority })))).toEqual([true, true])
    expect([...invalid, 65_536].filter((priority) => isAccepted(withRecord({ priority })))).toEqual([])
  })

  test("accepts the types of the table and no null fields", () => {
    const types = "A AAAA CNAME MX TXT NS SRV CAA HTTPS SVCB DS NAPTR SSHFP TLSA".split(" ")
    expect(types.filter((type) => !isAccepted(withRecord({ type })))).toEqual([])
    expect(["a", "SOA", "PTR", "ANY", "", 1].filter((type) => isAccepted(withRecord({ type })))).toEqual([])
    for (const field of ["host", "type", "value", "ttl", "priority", "optional", "advancedDmarcOptions"]) {
      expect(isAccepted(withRecord({ [field]: null }))).toBe(false)
    }
  })
})

const sample = {
  A: "192.0.2.1",
  AAAA: "2001:db8::1",
  CNAME: "a.example.net",
  TXT: "a",
  NS: "ns.example.net",
  CAA: '0 issue ";"'
}

function intent(...records: IntentRequest["records"]): IntentRequest {
  return { domain: "Bücher.Example", records }
}

const recordArbitrary = fc.record(
  {
    host: fc.constantFrom(
      "@",
      "WWW",
      "*",
      "*.app",
      "_dmarc",
      "s1._domainkey",
      "app.example.com",
      "ü",
      "a..b",
      "x.org."
    ),
    type: fc.constantFrom(...recordTypeNames),
    value: fc.constantFrom(
      ...Object.values(sample),
      "A.Example.NET.",
      ".",
      "1 2 Sip.Example.",
      "v=spf1",
      "2001:DB8::0"
    ),
    ttl: fc.constantFrom(0, 60),
    priority: fc.constantFrom(0, 10),
    advancedDmarcOptions: fc.constantFrom({ removeTags: [] }, { removeTags: ["pct", "p"] })
  },
  { requiredKeys: ["host", "type", "value"] }
)

const requestArbitrary = fc.record({
  domain: fc.constantFrom("example.com", "Example.COM.", "co.uk"),
  records: fc.array(recordArbitrary, { minLength: 1, maxLength: 5 })
})

const withOptions = (host: string, options: object, type: "TXT" | "CNAME" = "TXT") =>
  issuesOf(intent({ host, type, value: "v=DMARC1", advancedDmarcOptions: options }))

const removeTags = "/intent/records/0/advancedDmarcOptions/removeTags"

const isAccepted = (request: unknown): boolean => Either.isRight(Schema.decodeUnknownEither(IntentRequest)(request))

/** The pointers and codes of an invalid intent. */
const issuesOf = (request: IntentRequest): ReadonlyArray<string> =>
  Either.match(resolveIntent(request), {
    onLeft: (issues) => issues.map(({ code, pointer }) => `${pointer} ${code}`),
    onRight: () => []
  })

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const valueAt = (root: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce((value: any, key) => value[key], root)

/** An intent with a text as its domain, its host, or the value of a record of the type. */
const withText = (place: string, text: string): IntentRequest => {
  if (place === "domain") return { domain: text, records: [{ host: "www", type: "A", value: "192.0.2.1" }] }
  if (place === "host") return intent({ host: text, type: "TXT", value: "a" })
  const type = recordTypeNames.find((each) => each === place) ?? "TXT"
  return intent({ host: type === "SRV" ? "_sip._tcp" : "@", type, value: text })
}

/** The suggestions for texts that are refused at a host. */
const suggestionsAt = (host: string, texts: object) =>
  Object.fromEntries(Object.keys(texts).map((value) => [value, refusalOf({ host, type: "TXT", value })[1]]))

/** The codes and suggestions of the faults of a record. */
const refusalOf = (record: IntentRequest["records"][number]) => {
  const resolved = resolveIntent(intent(record))
  return Either.isRight(resolved) ? "accepted" : resolved.left.flatMap(({ code, suggestion }) => [code, suggestion])
}
