import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const create = (key: string, intent: unknown) => post("/v1/connections", key, { intent })
withLayer("an intent with understandable mistakes", apiInMemory(), (live) => {
  const mistakes: ReadonlyArray<
    readonly [
      name: string,
      record: { readonly host: string; readonly type: string; readonly value: string },
      field: string,
      code: string,
      suggestion: string
    ]
  > = [
    ["an empty host", { host: "", type: "A", value: "192.0.2.1" }, "host", "host_is_empty", "@"],
    [
      "the priority of an MX in its value",
      { host: "@", type: "MX", value: "10 mx.example.org" },
      "value",
      "value_has_priority",
      "mx.example.org"
    ],
    [
      "a URL as the target of a CNAME",
      { host: "www", type: "CNAME", value: "https://shops.example.net/" },
      "value",
      "target_is_url",
      "shops.example.net"
    ],
    [
      "the sign of the domain as the target of a CNAME",
      { host: "www", type: "CNAME", value: "@" },
      "value",
      "target_has_bad_character",
      "example.com"
    ],
    [
      "the quotes of a zone file around DMARC",
      { host: "_dmarc", type: "TXT", value: '"v=DMARC1; p=none"' },
      "value",
      "value_has_quotes",
      "v=DMARC1; p=none"
    ],
    [
      "the escapes of a zone file in DMARC",
      { host: "_dmarc.news", type: "TXT", value: String.raw`v=DMARC1\; p=none` },
      "value",
      "value_has_quotes",
      "v=DMARC1; p=none"
    ],
    [
      "a space in front of DMARC",
      { host: "_dmarc.mail", type: "TXT", value: " v=DMARC1; p=none" },
      "value",
      "value_has_space",
      "v=DMARC1; p=none"
    ],
    [
      "the URL of a certificate authority",
      { host: "@", type: "CAA", value: '0 issue "https://ca.example/"' },
      "value",
      "caa_issuer_malformed",
      '0 issue "ca.example"'
    ],
    [
      "an address with a port",
      { host: "shop", type: "A", value: "192.0.2.2:443" },
      "value",
      "value_is_no_ipv4_address",
      "192.0.2.2"
    ],
    [
      "the quotes of a zone file around SPF",
      { host: "@", type: "TXT", value: '"v=spf1 include:_spf.example.net ~all"' },
      "value",
      "value_has_quotes",
      "v=spf1 include:_spf.example.net ~all"
    ],
    [
      "the strings of a DKIM key",
      { host: "s1._domainkey", type: "TXT", value: `"v=DKIM1; p=${"A".repeat(240)}" "${"B".repeat(160)}"` },
      "value",
      "value_has_quotes",
      `v=DKIM1; p=${"A".repeat(240)}${"B".repeat(160)}`
    ],
    [
      "an address with spaces around it",
      { host: "shop", type: "A", value: " 192.0.2.1 " },
      "value",
      "value_is_no_ipv4_address",
      "192.0.2.1"
    ],
    [
      "the name of a certificate authority alone",
      { host: "@", type: "CAA", value: "letsencrypt.org" },
      "value",
      "value_is_no_caa",
      '0 issue "letsencrypt.org"'
    ]
  ]
  mistakes.forEach(([name, record, field, code, suggestion]) =>
    live(`is rejected with a suggestion that is accepted in its place: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, { domain: "example.com", records: [record] }), {
          status: 422,
          code: "unprocessable",
          details: [[`/intent/records/0/${field}`, code, { suggestion }]]
        })
        const corrected = create(key, { domain: "example.com", records: [{ ...record, [field]: suggestion }] })
        expect((yield* corrected).status).toBe(201)
      })
    )
  )

  for (const [type, value, message] of [
    ["A", "2001:db8::1", "must be one IPv4 address; one of IPv6 belongs in a record of the type AAAA"],
    ["AAAA", "192.0.2.1", "must be one IPv6 address; one of IPv4 belongs in a record of the type A"],
    ["A", "shops.example.net", "must be one IPv4 address; a name belongs in a CNAME record"],
    ["A", "1.2.3", "must be one IPv4 address"]
  ] as const)
    live(`says which type ${value} belongs in, in place of ${type}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = yield* create(key, { domain: "example.com", records: [{ host: "shop", type, value }] })
        const { error } = yield* jsonOf(response)
        expect(error.details[0].message).toBe(`the value ${message}`)
      })
    )

  live("says where the number of an MX belongs", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = [{ host: "@", type: "MX", value: "10 mx.example.org" }]
      const { error } = yield* jsonOf(yield* create(key, { domain: "example.com", records }))
      expect(error.details[0].message).toBe("the value is the host alone; the number belongs in `priority`: 10")
    })
  )

  const mistakenTypes = [
    ...["ALIAS", "ANAME", "alias"].map((type) => ({
      title: `says what to write instead of the type ${type}`,
      record: { host: "@", type, value: "shops.example.net" },
      code: "type_is_alias",
      message:
        "is no type of the DNS: write CNAME; at the host @, A and AAAA are the alternative where the provider cannot flatten it"
    })),
    ...["cname", "Cname", " CNAME "].map((type) => ({
      title: `suggests the type in capitals for ${JSON.stringify(type)}`,
      record: { host: "www", type, value: "shops.example.net" },
      code: "type_not_in_capitals",
      message: "must be written CNAME"
    }))
  ]
  for (const { code, message, record, title } of mistakenTypes)
    live(title, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = yield* create(key, { domain: "example.com", records: [record] })
        const { error } = yield* jsonOf(response)
        expect([response.status, error.details]).toEqual([
          400,
          [{ pointer: "/intent/records/0/type", code, message, suggestion: "CNAME" }]
        ])
      })
    )

  live("keeps the response below 8 KB, with at most one long suggestion", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = Array.from({ length: 30 }, (_, at) => ({
        host: `h${at}`,
        type: "TXT",
        value: `"${"x".repeat(4_000)}"`
      }))
      const response = yield* create(key, { domain: "example.com", records })
      const text = yield* Effect.promise(() => response.text())
      expect(text.length).toBeLessThan(8_192)
      const { details, message } = JSON.parse(text).error
      expect(message).toStartWith("30 problems in intent, 20 of them listed: ")
      expect(details).toHaveLength(20)
      expect(details.filter((detail: object) => "suggestion" in detail)).toHaveLength(1)
    })
  )
})
