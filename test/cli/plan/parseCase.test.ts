import { expect, test } from "bun:test"
import { Either } from "effect"
import type { CaseRequest } from "../../../src/cli/plan/CaseRequest.ts"
import { parseCase } from "../../../src/cli/plan/parseCase.ts"
import { anyTtl } from "../../../src/domain/provider/Provider.ts"
import { exampleCom } from "../../support/planFixtures.ts"

const intent = { records: [{ host: "www", type: "A", value: "192.0.2.1" }] }

const minimalCase = { domain: "example.com", zone: [], intent }

const read = (input: object) => parseCase({ ...minimalCase, ...input }, { errors: "all" })

const parsed = (input: object) => Either.getOrThrow(read(input))

/** The issues of an input, as `pointer code`. */
const issuesOf = (input: object) =>
  Either.match(read(input), {
    onLeft: ({ issues = [] }) => issues.map(({ code, pointer }) => `${pointer} ${code}`),
    onRight: () => []
  })

const messageOn = (input: object) => Either.getOrThrow(Either.flip(read(input))).issues?.[0]?.message ?? ""

const recordsIn = (...zone: CaseRequest["zone"]) => parsed({ zone }).zone.records

test("the file is the whole zone, whose apex is the domain", () => {
  expect(parsed({}).zone).toEqual({ name: exampleCom, basis: "provider", records: [] })
})

for (const [written, host] of [
  ["www", "www"],
  ["WWW", "www"],
  ["www.example.com.", "www"],
  ["Example.COM.", "@"],
  ["@", "@"],
  ["", "@"],
  ["bücher", "xn--bcher-kva"],
  ["*.App", "*.app"],
  ["www.example.org.", "www.example.org."],
  ["a..b", "a..b"],
  ["white space", "white space"]
] as const) {
  test(`a current record at "${written}" has the host "${host}"`, () => {
    expect(recordsIn({ host: written, type: "A", value: "192.0.2.1", ttl: 60 })).toEqual([
      { host, type: "A", value: "192.0.2.1", ttl: 60 }
    ])
  })
}

test("a TXT value may be a list of character-strings", () => {
  expect(recordsIn({ host: "@", type: "txt", value: ["v=spf1 ", "-all"], ttl: 60 })).toEqual([
    { host: "@", type: "txt", value: "v=spf1 -all", ttl: 60 }
  ])
})

test("an MX or SRV value may begin with the priority", () => {
  const records = [
    { host: "@", type: "MX", value: "10 mx.example.net.", ttl: 60 },
    { host: "@", type: "MX", value: "mx.example.net.", ttl: 60, priority: 20 },
    { host: "_sip._tcp", type: "SRV", value: "5 0 5060 sip.example.net", ttl: 60 },
    { host: "@", type: "MX", value: "", ttl: 60 }
  ]
  expect(recordsIn(...records).map(({ priority, value }) => [priority, value])).toEqual([
    [10, "mx.example.net."],
    [20, "mx.example.net."],
    [5, "0 5060 sip.example.net"],
    [undefined, ""]
  ])
})

test("a current record is never rejected for its content", () => {
  const odd = {
    host: "\u0000",
    type: "",
    value: "\ud800".repeat(70_000),
    ttl: -1.5,
    priority: 1e9,
    web: true,
    proxied: false
  }
  expect(recordsIn(odd)).toEqual([odd])
})

test("all values of the wrong type are rejected with their pointers", () => {
  const zone = [
    { type: "A", value: "192.0.2.1", ttl: 60 },
    { host: "@", type: "A", value: 5, ttl: "60" },
    { host: "@", type: "A", value: ["192.0.2.1"], ttl: 60 },
    "www"
  ]
  expect(issuesOf({ zone, zoneName: 7, intent: { records: [{ host: "www", type: "SPF" }] } })).toEqual([
    "/zoneName invalid",
    "/zone/0/host missing",
    "/zone/1/value invalid",
    "/zone/1/ttl invalid",
    "/zone/2/value invalid",
    "/zone/3 invalid",
    "/intent/records/0/type invalid",
    "/intent/records/0/value missing"
  ])
})

test("a wrong domain is reported together with the issues of the schema", () => {
  expect(issuesOf({ domain: "co.uk", zoneName: 7 })).toEqual(["/domain domain_is_public_suffix", "/zoneName invalid"])
  expect(issuesOf({ intent: { ...intent, domain: "co.uk" }, zoneName: 7 })).toEqual([
    "/intent/domain domain_is_public_suffix",
    "/zoneName invalid"
  ])
  expect(issuesOf({ domain: 7 })).toEqual(["/domain invalid"])
})

test("a zone that is missing or not an array is rejected", () => {
  expect(issuesOf({ zone: { records: [] } })).toEqual(["/zone invalid"])
  const { zone: _, ...withoutZone } = minimalCase
  const missing = Either.flip(parseCase(withoutZone, { errors: "all" }))
  expect(Either.getOrThrow(missing).issues).toEqual([{ pointer: "/zone", code: "missing", message: "is missing" }])
})

test("an unknown field of an intent or a context is rejected", () => {
  expect(issuesOf({ intent: { records: [{ ...intent.records[0], tll: 60 }] }, context: { answer: {} } })).toEqual([
    "/intent/records/0/tll unknown_field",
    "/context/answer unknown_field"
  ])
})

test("an invalid intent is rejected with the issues of the API", () => {
  const records = [{ host: "www", type: "A", value: "192.0.2.999" }]
  expect(issuesOf({ intent: { records } })).toEqual(["/intent/records/0/value value_is_no_ipv4_address"])
})

test("the intent may spell the domain in another case, but not name another domain", () => {
  expect(parsed({ intent: { ...intent, domain: "EXAMPLE.com." } }).intent.domain).toBe(exampleCom)
  expect(issuesOf({ intent: { ...intent, domain: "example.org" } })).toEqual(["/intent/domain domain_differs"])
  expect(issuesOf({ domain: "co.uk" })).toEqual(["/domain domain_is_public_suffix"])
})

test("the apex of the zone may be above the domain, but nowhere else", () => {
  expect<string>(parsed({ domain: "shop.example.com", zoneName: "Example.com." }).zone.name).toBe("example.com")
  expect(issuesOf({ zoneName: "shop.example.com" })).toEqual(["/zoneName zone_elsewhere"])
  expect(issuesOf({ zoneName: "notexample.com" })).toEqual(["/zoneName zone_elsewhere"])
})

test("without a provider, all capabilities are unknown and any TTL is allowed", () => {
  const { limits, provider } = parsed({})
  expect([provider.id, limits.ttl]).toEqual(["unknown", anyTtl])
  expect(new Set(Object.values(limits.capabilities))).toEqual(new Set(["unknown"]))
})

test("a provider of the catalog sets its limits", () => {
  const { limits, provider } = parsed({ provider: "cloudflare" })
  expect([provider.id, limits.ttl.minimum, limits.capabilities.cnameFlattening]).toEqual([
    "cloudflare",
    60,
    "supported"
  ])
})

for (const capabilities of [
  "cnameFlattening=unsupported, caaRecords=manual,",
  { cnameFlattening: "unsupported", caaRecords: "manual" }
]) {
  test(`capabilities override those of the provider, written as ${typeof capabilities}`, () => {
    const catalogCapabilities = parsed({ provider: "cloudflare" }).limits.capabilities
    expect(parsed({ provider: "cloudflare", capabilities }).limits.capabilities).toEqual({
      ...catalogCapabilities,
      cnameFlattening: "unsupported",
      caaRecords: "manual"
    })
  })
}

test("the message about an unknown capability or value lists the valid ones", () => {
  expect(issuesOf({ capabilities: "flattening=supported,caaRecords=yes,caaRecords" })).toEqual([
    "/capabilities unknown_capability",
    "/capabilities unknown_value",
    "/capabilities unknown_value"
  ])
  expect(messageOn({ capabilities: "flattening=supported" })).toStartWith(
    'there is no "flattening"; it may be rootNSModification, subdomainNSModification,'
  )
  expect(messageOn({ capabilities: { caaRecords: "yes" } })).toBe(
    'caaRecords cannot be "yes"; it may be supported, unsupported, manual, not_applicable, unknown'
  )
  expect(issuesOf({ capabilities: { constructor: "supported" } })).toEqual(["/capabilities unknown_capability"])
})

test("the message about an unknown provider lists those with a similar id", () => {
  expect(messageOn({ provider: "rout53" })).toBe(
    'there is no provider "rout53" in the catalog or in PROVIDERS_FILE; known are route53'
  )
  expect(messageOn({ provider: "__proto__" })).toBe(
    'there is no provider "__proto__" in the catalog or in PROVIDERS_FILE'
  )
})

test("the message about an invalid value shows only its beginning, with control characters escaped", () => {
  expect(messageOn({ provider: "\u001b[2J".padEnd(5_000, "x") })).toBe(
    `there is no provider "\\u{1b}[2J${"x".repeat(56)}…" in the catalog or in PROVIDERS_FILE`
  )
})

test("names and values of the context are normalized", () => {
  const answers = {
    "_SPF.Example.NET.": { txt: ["v=spf1 -all"] },
    com: { CAA: [], MX: ["10 MX.example.net."] },
    "bücher.example": { AAAA: ["2001:DB8::0:1"], SRV: ["0 5 5060 sip.example.net"] }
  }
  const others = [{ host: "WWW.example.com.", type: "aaaa", value: "2001:DB8::0:1" }]
  expect(parsed({ context: { answers, others } }).context).toEqual({
    answers: new Map([
      ["_spf.example.net TXT", ["v=spf1 -all"]],
      ["com CAA", []],
      ["com MX", ["mx.example.net"]],
      ["xn--bcher-kva.example AAAA", ["2001:db8::1"]]
    ]),
    others: [{ host: "www", type: "AAAA", value: "2001:db8::1" }]
  })
})

test("absolute hosts of the zone above the domain are kept for what they mean for the domain", () => {
  const { zone } = parsed({
    domain: "mail.example.com",
    zoneName: "example.com",
    zone: [
      { host: "example.com.", type: "MX", value: "10 Mail.example.com.", ttl: 60 },
      { host: "*.example.com.", type: "A", value: "192.0.2.1", ttl: 60 },
      { host: "mail.other.com.", type: "A", value: "192.0.2.2", ttl: 60 }
    ]
  })
  expect(zone.targetsOutside).toEqual({
    mail: ["mail.example.com"],
    nameServers: [],
    policies: [],
    websites: []
  })
  expect<unknown>(zone.wildcardAbove).toEqual({
    name: "*.example.com",
    records: [{ host: "@", type: "A", value: "192.0.2.1", ttl: 60 }]
  })
  expect(zone.records.map(({ host }) => host)).toEqual(["mail.other.com."])
})

test("absolute records of the zone above the domain answer what the planner asks of CAA and DMARC there", () => {
  const zone = [
    { host: "_dmarc.Example.com.", type: "txt", value: "v=DMARC1; p=reject", ttl: 60 },
    { host: "example.com.", type: "CAA", value: '0 issue "le.org"', ttl: 60 },
    { host: "example.com.", type: "TXT", value: "hello", ttl: 60 }
  ]
  const request = { domain: "mail.example.com", zoneName: "example.com", zone }
  expect([...parsed(request).context.answers]).toEqual([
    ["_dmarc.example.com TXT", ["v=DMARC1; p=reject"]],
    ["example.com CAA", ['0 issue "le.org"']]
  ])
  const answers = { "_dmarc.example.com": { TXT: ["v=DMARC1; p=none"] } }
  expect(parsed({ ...request, context: { answers } }).context.answers.get("_dmarc.example.com TXT")).toEqual([
    "v=DMARC1; p=none"
  ])
})
