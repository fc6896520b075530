import { Doc } from "@effect/printer"
import { AnsiDoc } from "@effect/printer-ansi"
import { expect, test } from "bun:test"
import { Either, Option } from "effect"
import { planCase } from "../../../src/cli/plan/DryRun.ts"
import { formatDryRun } from "../../../src/cli/plan/formatDryRun.ts"
import { parseCase } from "../../../src/cli/plan/parseCase.ts"
import { ZoneSurveyFailed } from "../../../src/lifecycle/plan/ZoneSurvey.ts"

const shop = { host: "shop", type: "CNAME", value: "shops.example.net" }

const runOf = (input: object) => {
  const request = { domain: "example.com", zone: [], intent: { records: [shop] }, ...input }
  return planCase(Either.getOrThrow(parseCase(request, { errors: "all" })))
}

const render = (doc: AnsiDoc.AnsiDoc, lineWidth = 100) =>
  AnsiDoc.render(doc, { style: "pretty", options: { lineWidth } })

const linesFor = (input: object, lineWidth?: number) =>
  render(Doc.unAnnotate(formatDryRun(runOf(input))), lineWidth).split("\n")

/** Only the lines of the changes. */
const changeLines = (input: object) => linesFor(input).filter((line) => /^[! ] [+~-]/.test(line))

test("a plan is shown in columns, with its destructive changes and warnings", () => {
  const zone = [
    { host: "shop", type: "A", value: "192.0.2.1", ttl: 300 },
    { host: "@", type: "MX", value: "mx.example.net", priority: 10, ttl: 3600 }
  ]
  const records = [shop, { host: "@", type: "MX", value: "mail.example.net", priority: 5, ttl: 600 }]
  expect(linesFor({ zone, intent: { records }, provider: "cloudflare" })).toEqual([
    "Dry run for example.com",
    "  zone      example.com",
    "  basis     provider, the whole zone",
    "  provider  Cloudflare (cloudflare)",
    "",
    "! ~ update  @     MX     3600 → 600  10 mx.example.net → 5 mail.example.net",
    "! - delete  shop  A      300         192.0.2.1",
    "  + create  shop  CNAME  3600        shops.example.net",
    "",
    "1 to create, 1 to update, 1 to delete; 2 destructive (!).",
    "",
    "Warnings",
    "  cname_replaces_records (caution)",
    "    A CNAME must be the only record at its host, so all others there are removed.",
    "  website_replaced (serious, to be acknowledged)",
    "    The host leads elsewhere: the website or service that answers there today is replaced.",
    "  mx_replaced (serious, to be acknowledged)",
    "    Mail for the host will be delivered to other servers, or to another one first.",
    "  lookup_unknown (caution)",
    "    Not every record that could matter was answered: another warning may be missing. Serious where a",
    "    change could hide or replace such a record. The TLSA record of _25._tcp.mx.example.net could not",
    "    be looked up.",
    "",
    "Not known outside the zone",
    "  _25._tcp.mx.example.net TLSA",
    "  mail.example.net CNAME",
    "  mail.example.net A",
    "  mail.example.net AAAA",
    "",
    expect.stringMatching(/^digest  sha-256:[0-9a-f]{64}$/)
  ])
})

test("a warning is shown with its severity in this plan, and with what was found out", () => {
  const intent = { records: [{ host: "_v.x", type: "TXT", value: "hello" }] }
  const warningsUnder = (type: string, value: string) => {
    const lines = linesFor({ zone: [{ host: "*", type, value, ttl: 300 }], intent })
    return lines.slice(lines.indexOf("Warnings") + 1, -2)
  }
  const meaning = "    A wildcard no longer answers for a name, because records are created at or below that name."
  expect(warningsUnder("TXT", "hi")).toEqual([
    "  wildcard_hidden (caution)",
    meaning,
    "    _v.x.example.com no longer answers with TXT. x.example.com no longer answers with TXT."
  ])
  expect(warningsUnder("A", "192.0.2.1")[0]).toBe("  wildcard_hidden (serious, to be acknowledged)")
})

test("hosts are shown relative to the zone, where people enter them", () => {
  const above = { domain: "x.fruit.example.org", zoneName: "example.org", capabilities: "caaRecords=unsupported" }
  const records = [
    { host: "_v", type: "TXT", value: "token" },
    { host: "@", type: "MX", value: "mx.example.net", priority: 10 },
    { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"', optional: true }
  ]
  const lines = linesFor({ ...above, intent: { records } })
  expect(lines).toContain('  + create  _v.x.fruit  TXT  3600  "token"')
  expect(lines).toContain("  + create  x.fruit     MX   3600  10 mx.example.net")
  expect(lines).toContain("  CAA x.fruit record_type_unsupported")
})

test("a plan without changes is shown as such", () => {
  expect(linesFor({ zone: [{ ...shop, ttl: 60 }] })).toEqual([
    "Dry run for example.com",
    "  zone      example.com",
    "  basis     provider, the whole zone",
    "  provider  Unknown provider (unknown)",
    "",
    "No changes: the zone has all desired records.",
    "",
    expect.stringMatching(/^digest  sha-256:[0-9a-f]{64}$/)
  ])
})

test("a plan that adds no sender says that the SPF record has it already", () => {
  const context = { answers: { "shops.example.net": { TXT: ["v=spf1 -all"] } } }
  const live = spf("a:mail.example.org include:shops.example.net ~all")
  const lines = linesFor({ zone: [live], intent: { records: [spf("include:shops.example.net -all")] }, context })
  expect(lines).toContain("No changes: see the warnings.")
  expect(lines.some((line) => line.startsWith("  spf_existing_sufficient ("))).toBe(true)
})

const spf = (value: string) => ({ host: "@", type: "TXT", ttl: 300, value: `v=spf1 ${value}` })

test.each([
  ["caa_not_needed", { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' }],
  ["optional_record_skipped", { host: "@", type: "CNAME", value: "shops.example.net", optional: true }]
])("a plan that changes nothing because of %s points to the warnings", (code, record) => {
  const context = { answers: { "example.com": { CAA: [] }, com: { CAA: [] } } }
  const lines = linesFor({ intent: { records: [record] }, context })
  expect(lines).toContain("No changes: see the warnings.")
  expect(lines.some((line) => line.startsWith(`  ${code} (`))).toBe(true)
})

test("a plan that would fail says what that means and names the rule, in lines that fit the terminal", () => {
  const records = [{ host: "@", type: "CNAME", value: "shops.example.net" }]
  expect(linesFor({ intent: { records }, provider: "route53" }, 60).slice(5)).toEqual([
    "This plan would fail: apex_cname_unsupported",
    "  A CNAME is desired at the apex, and the provider cannot",
    "  flatten it. Send `alternatives` with the record: the",
    "  addresses to write there instead.",
    "  /intent/records/0: CNAME at @: a CNAME at the apex of a",
    "  zone needs a provider that flattens it (cnameFlattening):",
    "  SOA and NS stand there too (RFC 1034 section 3.6.2)"
  ])
})

test("omitted records and unknown facts are listed", () => {
  const records = [
    { host: "@", type: "CNAME", value: "shops.example.net", optional: true },
    { host: "mail", type: "TXT", value: "v=spf1 include:spf.example.net -all" }
  ]
  const lines = linesFor({ intent: { records } })
  const sectionOf = (title: string) => lines.slice(lines.indexOf(title), lines.indexOf("", lines.indexOf(title)))
  expect(sectionOf("Left out, since they are optional and cannot be planned")).toEqual([
    "Left out, since they are optional and cannot be planned",
    "  CNAME @ apex_cname_unsupported"
  ])
  expect(sectionOf("Not known outside the zone")).toEqual(["Not known outside the zone", "  spf.example.net TXT"])
})

test("a zone that could not be read shows the reason", () => {
  const planned = Either.left(new ZoneSurveyFailed({ code: "domain_not_registered", provider: Option.none() }))
  const run = { ...runOf({}), zone: Option.none(), provider: Option.none(), planned }
  expect(render(Doc.unAnnotate(formatDryRun(run))).split("\n")).toEqual([
    "Dry run for example.com",
    "  provider  not detected",
    "",
    "This plan would fail: domain_not_registered",
    "  The registry says that the domain does not exist. Check its spelling; a new domain can be tried",
    "  again after an hour."
  ])
})

test("a long text is shortened to the part around the change", () => {
  const list = Array.from({ length: 12 }, (_, index) => `ip4:192.0.2.${index + 100}`).join(" ")
  const zone = [{ host: "@", type: "TXT", value: `v=spf1 ${list} -all`, ttl: 300 }]
  const withSpf = (value: string) => ({ zone, intent: { records: [{ host: "@", type: "TXT", value }] } })
  expect(changeLines(withSpf("v=spf1 ip4:198.51.100.7 -all"))).toEqual([
    '  ~ update  @  TXT  300  "…0.2.110 ip4:192.0.2.111 -all" → "…0.2.110 ip4:192.0.2.111 ip4:198.51.100.7 -all"'
  ])
  expect(changeLines({ intent: { records: [{ host: "x", type: "TXT", value: `token=${"y".repeat(400)}` }] } })).toEqual(
    [`  + create  x  TXT  3600  "token=${"y".repeat(66)}…"`]
  )
})

test("control characters of a zone are escaped", () => {
  const zone = [{ host: "shop", type: "TXT", value: '\u001b[2J"\\\u202eevil\r\n\ud800', ttl: 300 }]
  expect(changeLines({ zone })).toEqual([
    String.raw`! - delete  shop  TXT    300   "\u{1b}[2J\"\\\u{202e}evil\u{d}\u{a}` + '\ufffd"',
    "  + create  shop  CNAME  3600  shops.example.net"
  ])
})

test("on a terminal, created records are green, updated ones yellow and deleted ones red", () => {
  const zone = [
    { host: "shop", type: "A", value: "192.0.2.1", ttl: 300 },
    { host: "www", type: "A", value: "192.0.2.1", ttl: 300 }
  ]
  const coloured = render(
    formatDryRun(runOf({ zone, intent: { records: [shop, { host: "www", type: "A", value: "192.0.2.2" }] } }))
  )
  const colours = coloured.split("\u001b[0;").flatMap((part) => /^(\d+)m([+~-])/.exec(part)?.slice(1) ?? [])
  expect(colours).toEqual(["33", "~", "31", "-", "32", "+"])
})
