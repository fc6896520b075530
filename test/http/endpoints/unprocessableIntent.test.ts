import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post, sampleIntent } from "../../support/testApi.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const create = (key: string, intent: unknown) => post("/v1/connections", key, { intent })

const domainOf = (length: number) => `${"a".repeat(44)}.`.repeat(7).slice(0, length - 3) + ".de"

type RecordInput = {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly [field: string]: unknown
}

const manyRecords = (count: number, recordAt: (index: number) => RecordInput) =>
  Array.from({ length: count }, (_, at) => recordAt(at))

withLayer("the domain of an intent", apiInMemory(), (live) => {
  const rejected: ReadonlyArray<readonly [domain: string, code: string, suggestion?: string]> = [
    ["", "domain_is_empty"],
    ["192.0.2.1", "domain_is_ip_address"],
    ["::1", "domain_is_ip_address"],
    ["[2001:db8::1]", "domain_is_ip_address"],
    ["1.2.3", "domain_is_ip_address"],
    ["0x7f.1", "domain_is_ip_address"],
    ["localhost", "domain_is_single_label"],
    ["com", "domain_is_public_suffix"],
    ["co.uk", "domain_is_public_suffix"],
    ["CO.UK.", "domain_is_public_suffix"],
    ["github.io", "domain_is_public_suffix"],
    ["*.example.com", "domain_is_wildcard", "example.com"],
    ["a..b", "domain_has_empty_label"],
    [".example.com", "domain_has_empty_label"],
    ["example.com..", "domain_has_empty_label"],
    [`${"a".repeat(64)}.com`, "domain_label_too_long"],
    [domainOf(254), "domain_too_long"],
    [domainOf(300), "domain_too_long"],
    ["a_b.com", "domain_has_bad_character"],
    ["-a.com", "domain_has_bad_character"],
    ["https://example.com", "domain_is_url", "example.com"],
    ["me@example.com", "domain_is_email", "example.com"],
    ["example.com:8443", "domain_has_port", "example.com"],
    ["example.com/shop", "domain_has_path", "example.com"],
    ["example.com/", "domain_has_trailing_slash", "example.com"],
    ["%65xample.com", "domain_has_bad_character"],
    ["exa mple.com", "domain_has_space"],
    [" example.com", "domain_has_space", "example.com"],
    ["exa\u00admple.com", "domain_not_idna", "example.com"],
    ["a\u200db.com", "domain_not_idna", "ab.com"],
    ["a\u200bb.com", "domain_not_idna", "ab.com"],
    ["e\u0301xample.com", "domain_not_idna", "xn--xample-9ua.com"],
    ["xn--a.com", "domain_not_idna"],
    ["xn--.com", "domain_not_idna"]
  ]
  rejected.forEach(([domain, code, suggestion]) =>
    live(`is rejected with 422 ${code}: ${JSON.stringify(domain.slice(0, 40))}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, { ...sampleIntent, domain }), {
          status: 422,
          code: "unprocessable",
          details: [["/intent/domain", code, suggestion === undefined ? {} : { suggestion }]]
        })
      })
    )
  )

  const accepted: ReadonlyArray<readonly [sent: string, normal: string]> = [
    ["EXAMPLE.com.", "example.com"],
    ["deep.down.example.co.uk", "deep.down.example.co.uk"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["faß.de", "xn--fa-hia.de"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["xn--bcher-kva.de", "xn--bcher-kva.de"],
    ["shop.github.io", "shop.github.io"],
    [domainOf(253), domainOf(253)]
  ]
  accepted.forEach(([sent, normal]) =>
    live(`is accepted and normalized: ${JSON.stringify(sent.slice(0, 40))}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const records = [{ host: "@", type: "A", value: "192.0.2.1" }]
        const { connection } = yield* jsonOf(yield* create(key, { domain: sent, records }))
        expect(connection.intent.domain).toBe(sent)
        expect(connection.effectiveIntent.domain).toBe(normal)
      })
    )
  )
})

withLayer("an intent with invalid records", apiInMemory(), (live) => {
  const www = { host: "www", type: "A", value: "192.0.2.1" }
  const dmarc = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
  const rejected: ReadonlyArray<
    readonly [name: string, records: ReadonlyArray<RecordInput>, pointer: string, code: string]
  > = [
    ["an empty label", [{ ...www, host: "a..b" }], "/0/host", "host_has_empty_label"],
    ["a label of 64 bytes", [{ ...www, host: "a".repeat(64) }], "/0/host", "host_label_too_long"],
    ["a name of 256 bytes", [{ ...www, host: `${"a".repeat(60)}.`.repeat(4) + "aa" }], "/0/host", "host_too_long"],
    ["a host outside the domain", [{ ...www, host: "www.example.org." }], "/0/host", "host_outside_domain"],
    [
      "a host outside the domain that ends alike",
      [{ ...www, host: "www.notexample.com." }],
      "/0/host",
      "host_outside_domain"
    ],
    ["an A without an IPv4 address", [{ ...www, value: "2001:db8::1" }], "/0/value", "value_is_no_ipv4_address"],
    ["an AAAA without an IPv6 address", [{ ...www, type: "AAAA" }], "/0/value", "value_is_no_ipv6_address"],
    ["an address as a target", [{ ...www, type: "CNAME" }], "/0/value", "target_is_ip_address"],
    [
      "an SRV whose weight is a word",
      [{ ...www, host: "_sip._tcp", type: "SRV", value: "five 5060 sip.example.net" }],
      "/0/value",
      "value_is_no_srv"
    ],
    ["a CAA of two parts", [{ ...www, type: "CAA", value: "0 issue" }], "/0/value", "value_is_no_caa"],
    ["an empty TXT", [{ ...www, type: "TXT", value: "" }], "/0/value", "value_is_empty"],
    ["a priority of an A", [{ ...www, priority: 1 }], "/0/priority", "priority_not_applicable"],
    [
      "DMARC options on another record",
      [{ ...www, advancedDmarcOptions: {} }],
      "/0/advancedDmarcOptions",
      "dmarc_options_elsewhere"
    ],
    [
      "removal of a required DMARC tag",
      [{ ...dmarc, advancedDmarcOptions: { removeTags: ["sp", "p"] } }],
      "/0/advancedDmarcOptions/removeTags/1",
      "dmarc_tag_required"
    ]
  ]
  rejected.forEach(([name, records, pointer, code]) =>
    live(`is rejected with 422 ${code}: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, { domain: "example.com", records }), {
          status: 422,
          code: "unprocessable",
          details: [[`/intent/records${pointer}`, code]]
        })
      })
    )
  )

  const contradictions: ReadonlyArray<readonly [name: string, records: ReadonlyArray<RecordInput>, code: string]> = [
    [
      "the same MX with two priorities",
      [
        { ...www, type: "MX", value: "mx.example.net", priority: 10 },
        { ...www, type: "MX", value: "mx.example.net", priority: 20 }
      ],
      "record_duplicated"
    ],
    [
      "a CNAME with another record at its name",
      [www, { ...www, type: "CNAME", value: "a.example.net" }],
      "cname_not_alone"
    ],
    [
      "a record below a delegation",
      [
        { ...www, type: "NS", value: "ns.example.net" },
        { ...www, host: "a.www" }
      ],
      "record_below_delegation"
    ],
    ["two DMARC records", [dmarc, { ...dmarc, value: "v=DMARC1; p=reject" }], "record_must_be_single"],
    [
      "two CNAMEs that lead to each other",
      [
        { ...www, type: "CNAME", value: "shop.example.com" },
        { host: "shop", type: "CNAME", value: "www.example.com" }
      ],
      "cname_loop"
    ]
  ]
  contradictions.forEach(([name, records, code]) =>
    live(`is rejected with 422 ${code} at each of two records, with the pointer of the other: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, { domain: "example.com", records }), {
          status: 422,
          code: "unprocessable",
          details: [
            ["/intent/records/0", code, { conflictsWith: "/intent/records/1" }],
            ["/intent/records/1", code, { conflictsWith: "/intent/records/0" }]
          ]
        })
      })
    )
  )

  live("is rejected with 422 cname_loop: a CNAME that points to its own host", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = [{ host: "www", type: "CNAME", value: "www.example.com" }]
      yield* expectErrorWithoutWrites(create(key, { domain: "example.com", records }), {
        status: 422,
        code: "unprocessable",
        details: [["/intent/records/0", "cname_loop"]]
      })
    })
  )
})

withLayer("the limits of an intent", apiInMemory(), (live) => {
  live("allow 200 records and a value of 4,096 bytes", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = manyRecords(200, (at) => ({ host: `h${at}`, type: "TXT", value: "x" }))
      const longest = { host: "long", type: "TXT", value: "€".repeat(1_365) + "x" }
      expect((yield* create(key, { domain: "example.com", records })).status).toBe(201)
      expect((yield* create(key, { domain: "example.com", records: [longest] })).status).toBe(201)
    })
  )

  const rejected: ReadonlyArray<readonly [name: string, records: ReadonlyArray<unknown>, pointer: string]> = [
    ["no records", [], "/intent/records"],
    ["201 records", manyRecords(201, (at) => ({ host: `h${at}`, type: "A", value: "192.0.2.1" })), "/intent/records"],
    [
      "a value of 4,097 bytes",
      [{ host: "a", type: "TXT", value: "€".repeat(1_365) + "xy" }],
      "/intent/records/0/value"
    ],
    ["a value of 65,536 bytes", [{ host: "a", type: "TXT", value: "x".repeat(65_536) }], "/intent/records/0/value"]
  ]
  rejected.forEach(([name, records, pointer]) =>
    live(`reject ${name} with 400`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, { domain: "example.com", records }), {
          status: 400,
          code: "invalid_request",
          details: [[pointer, "invalid"]]
        })
      })
    )
  )

  const floods: ReadonlyArray<readonly [name: string, status: number, intent: unknown, details?: number]> = [
    ["200 invalid records", 422, manyRecords(200, () => ({ host: "a..b", type: "A", value: "nowhere" }))],
    [
      "200 records outside a long domain",
      422,
      manyRecords(200, () => ({ host: "a.b.", type: "A", value: "192.0.2.1" }))
    ],
    [
      "200 CNAMEs at one host",
      422,
      manyRecords(200, (at) => ({ host: "a", type: "CNAME", value: `a${at}.example.net` }))
    ],
    [
      "200 records that violate the schema",
      400,
      manyRecords(200, () => ({ host: "", type: "?", value: "", ["~".repeat(200)]: 1 }))
    ],
    ["5,000 empty records", 400, Array.from({ length: 5_000 }, () => ({})), 1]
  ]
  floods.forEach(([name, status, records, details = 20]) =>
    live(`keep the response to ${name} below 8 KB, with at most twenty details`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = yield* create(key, { domain: domainOf(240), records })
        const text = yield* Effect.promise(() => response.text())
        expect(response.status).toBe(status)
        expect(text.length).toBeLessThan(8_192)
        expect(JSON.parse(text).error.details).toHaveLength(details)
      })
    )
  )
})
