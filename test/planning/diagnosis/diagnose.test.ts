import { describe, expect, test } from "bun:test"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { Option } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { findBeside } from "../../../src/planning/diagnosis/hostSlips.ts"
import { desiredRecords } from "../../support/planFixtures.ts"
import { type DiagnosisScenario, diagnoseFirst } from "./diagnosisCases.ts"

const www = "www 300 CNAME shops.platform.example"
const spf = "@ 300 TXT v=spf1 include:_spf.platform.example ~all"
const dmarc = "_dmarc 300 TXT v=DMARC1; p=none"
const proof = "_platform-proof 300 TXT platform-proof=9f2c1b7a55e04d31"
const key = `k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(12)}`
const dkim = `s1._domainkey 300 TXT ${key}`
const cloudflare = [parseNetwork("104.16.0.0/13")].flatMap(Option.toArray)

/** Code, seen records, what to copy and into which field. */
const summarize = (scenario: DiagnosisScenario) => {
  const found = diagnoseFirst(scenario)
  if (found === undefined) return []
  const seen = found.seen.map(({ name, type, value }) => `${name} ${type} ${value}`)
  return [found.code, ...seen, ...(found.copy === undefined ? [] : [`${found.field}: ${found.copy}`])]
}

const diagnoses = (name: string, scenario: DiagnosisScenario, ...expected: ReadonlyArray<string>) =>
  test(name, () => expect(summarize(scenario)).toEqual([...expected]))

/** Two servers that show the same. */
const both = (...lines: ReadonlyArray<string>) => [lines, lines]

const doubled = (desired: string, elsewhere: string, copy: string, place: Partial<DiagnosisScenario> = {}) =>
  diagnoses(
    elsewhere,
    { desired: [desired], servers: both(), elsewhere: [elsewhere], ...place },
    "doubled_zone",
    elsewhere,
    `host: ${copy}`
  )

const target = (desired: string, shown: string, copied: string, place: Partial<DiagnosisScenario> = {}) =>
  test(shown, () => {
    const found = diagnoseFirst({ desired: [desired], servers: both(shown), ...place })
    expect([found?.code, `${found?.field}: ${found?.copy}`]).toEqual(["target_doubled", copied])
  })

/** Another record in the place of the desired one, and the only field that differs, if it is one. */
const replaced = (desired: string, shown: string, copied: string | undefined, place: Partial<DiagnosisScenario> = {}) =>
  test(`${desired} in place of ${shown}`, () =>
    expect(summarize({ desired: [desired], servers: both(shown), ...place }).filter((_, at) => at !== 1)).toEqual([
      "old_value_remains",
      ...(copied === undefined ? [] : [copied])
    ]))

const misplaced = (desired: string, elsewhere: string, copy: string, place: Partial<DiagnosisScenario> = {}) =>
  diagnoses(
    elsewhere,
    { desired: [desired], servers: both(), elsewhere: [elsewhere], ...place },
    "wrong_host",
    elsewhere,
    `host: ${copy}`
  )

const stands = (desired: string, elsewhere: string, place: Partial<DiagnosisScenario>) =>
  diagnoses(`stands ${elsewhere}`, { desired: [desired], servers: both(), elsewhere: [elsewhere], ...place }, "not_yet")

const marked = (code: string, desired: string, shown: string) =>
  test(`${code}: ${shown.slice(0, 60)}`, () =>
    expect(diagnoseFirst({ desired: [desired], servers: both(shown) })).toMatchObject({
      code,
      copy: desired.split(" ").slice(3).join(" "),
      field: "value"
    }))

describe("nothing is diagnosed", () => {
  diagnoses("of a record that all servers show", { desired: [www], servers: both(www) })
  diagnoses("of a record that those servers show which answer", { desired: [www], servers: [[www], "silent"] })
  diagnoses("where no server answers", { desired: [www], servers: ["silent", "silent"] })
  diagnoses("where no server answers, even if other names show a slip", {
    desired: [www],
    servers: ["silent"],
    elsewhere: ["www.shop.de.shop.de CNAME shops.platform.example"]
  })
})

describe("waiting", () => {
  diagnoses("not_yet where nothing is shown", { desired: [www], servers: both() }, "not_yet")
  diagnoses("not_yet where one server is silent", { desired: [www], servers: [[], "silent"] }, "not_yet")
  diagnoses(
    "on_its_way where the service wrote it and servers have the old value",
    { desired: [www], servers: [[www], ["www 300 A 192.0.2.9"]], evidence: { isJustWritten: true } },
    "on_its_way",
    "www.shop.de A 192.0.2.9"
  )
  diagnoses(
    "on_its_way where resolvers remember what was there before",
    { desired: [www], servers: both(www), resolvers: "missing" },
    "on_its_way"
  )
  diagnoses("only_some_servers", { desired: [www], servers: [[www], []] }, "only_some_servers")
  test("counts the servers that show a record, of all that were asked", () =>
    expect(diagnoseFirst({ desired: [www], servers: [[www], [], "silent"] })?.servers).toEqual({
      showing: 1,
      asked: 3
    }))
})

describe("doubled_zone", () => {
  doubled(www, "www.shop.de.shop.de CNAME shops.platform.example", "www")
  doubled("@ 300 A 192.0.2.80", "shop.de.shop.de A 192.0.2.80", "", { at: "ovh" })
  doubled("@ 300 A 192.0.2.1", "shop.de.shop.de A 192.0.2.1", "@")
  doubled("*.app 300 CNAME shops.platform.example", "*.app.shop.de.shop.de CNAME shops.platform.example", "*.app")
  doubled(dmarc, '_dmarc.shop.de.shop.de TXT "v=DMARC1; p=none"', "_dmarc")
  doubled(www, "www.shop.example.org.example.org CNAME shops.platform.example", "www.shop", {
    domain: "shop.example.org",
    zone: "example.org"
  })
  doubled("@ 300 MX 10 mx.platform.example", "shop.de.shop.de MX 10 mx.platform.example", "@")
  doubled(
    "_sip._tcp 300 SRV 1 5 5060 sip.platform.example",
    "_sip._tcp.shop.de.shop.de SRV 1 5 5060 sip.platform.example",
    "_sip._tcp"
  )
  doubled(
    "_sip._tcp 300 SRV 1 5 5060 sip.platform.example",
    "_sip._tcp.shop.de.shop.de SRV 1 5 5060 sip.platform.example",
    "@",
    { at: "godaddy" }
  )
  doubled(www, "www.xn--bcker-gra.de.xn--bcker-gra.de CNAME shops.platform.example", "www", {
    domain: "xn--bcker-gra.de"
  })
})

describe("target_doubled", () => {
  target(www, "www 300 CNAME shops.platform.example.shop.de", "value: shops.platform.example.")
  target("@ 300 MX 10 mx.platform.example", "@ 300 MX 10 mx.platform.example.shop.de", "value: mx.platform.example.")
  target(
    "_sip._tcp 300 SRV 1 5 5060 sip.platform.example",
    "_sip._tcp 300 SRV 1 5 5060 sip.platform.example.shop.de",
    "target: sip.platform.example."
  )
  target(
    "@ 300 HTTPS 1 svc.platform.example alpn=h2",
    "@ 300 HTTPS 1 svc.platform.example.shop.de alpn=h2",
    "value: 1 svc.platform.example. alpn=h2"
  )
  target(www, "www 300 CNAME shops.platform.example.example.org", "value: shops.platform.example.", {
    domain: "shop.example.org",
    zone: "example.org"
  })
  target(www, "www 300 CNAME shops.platform.example.xn--bcker-gra.de", "value: shops.platform.example.", {
    domain: "xn--bcker-gra.de"
  })
})

describe("old_value_remains names the only field that differs", () => {
  const sip = "_sip._tcp 300 SRV 1 5 5060 sip.platform.example"
  replaced("@ 300 MX 1 smtp.google.com", "@ 300 MX 10 smtp.google.com", "priority: 1")
  replaced("@ 300 MX 1 smtp.google.com", "@ 300 MX 1 mx.old.example", "value: smtp.google.com")
  replaced("@ 300 MX 1 smtp.google.com", "@ 300 MX 10 mx.old.example", undefined)
  replaced("@ 300 MX 1 smtp.google.com", "@ 300 MX 1 mx.old.example", "value: smtp.google.com.", { at: "ovh" })
  replaced(sip, "_sip._tcp 300 SRV 1 5 5060 sip.old.example", "target: sip.platform.example")
  replaced(sip, "_sip._tcp 300 SRV 1 5 5060 sip.old.example", "target: sip.platform.example.", { at: "ovh" })
  replaced(sip, "_sip._tcp 300 SRV 2 5 5060 sip.platform.example", "priority: 1")
  replaced(sip, "_sip._tcp 300 SRV 1 6 5060 sip.platform.example", "weight: 5")
  replaced(sip, "_sip._tcp 300 SRV 1 5 5061 sip.platform.example", "port: 5060")
  replaced(sip, "_sip._tcp 300 SRV 1 5 5061 sip.old.example", undefined)
  replaced(www, "www 300 A 192.0.2.9", undefined)
  replaced("@ 300 HTTPS 1 svc.platform.example", "@ 300 HTTPS 2 svc.platform.example", "value: 1 svc.platform.example")
  replaced("_443._tcp 300 TLSA 3 1 1 00ff", "_443._tcp 300 TLSA 2 1 1 00ff", "value: 3 1 1 00ff")

  diagnoses(
    "of several entries, that of the nearest one",
    {
      desired: ["@ 300 MX 1 smtp.google.com"],
      servers: both("@ 300 MX 5 mx.old.example", "@ 300 MX 10 smtp.google.com")
    },
    "old_value_remains",
    "shop.de MX 10 smtp.google.com",
    "shop.de MX 5 mx.old.example",
    "priority: 1"
  )
})

describe("a text with marks", () => {
  marked("quoted", spf, '@ 300 TXT "v=spf1 include:_spf.platform.example ~all"')
  marked("quoted", spf, String.raw`@ 300 TXT \"v=spf1 include:_spf.platform.example ~all\"`)
  marked("quoted", spf, "@ 300 TXT “v=spf1 include:_spf.platform.example ~all”")
  marked("quoted", spf, "@ 300 TXT „v=spf1 include:_spf.platform.example ~all“")
  marked("quoted", spf, "@ 300 TXT 'v=spf1 include:_spf.platform.example ~all'")
  marked("quoted", dmarc, String.raw`_dmarc 300 TXT "v=DMARC1\; p=none"`)
  marked("quoted", proof, '_platform-proof 300 TXT "platform-proof=9f2c1b7a55e04d31"')
  marked("quoted", dkim, `s1._domainkey 300 TXT "${key.slice(0, 255)}" "${key.slice(255)}"`)
  marked("escaped", dmarc, String.raw`_dmarc 300 TXT v=DMARC1\; p=none`)
  marked("escaped", dkim, `s1._domainkey 300 TXT ${key.replace(";", String.raw`\;`)}`)
  marked("truncated", dkim, `s1._domainkey 300 TXT ${key.slice(0, 255)}`)
  marked("truncated", dkim, `s1._domainkey 300 TXT ${key.slice(255)}`)
  marked("truncated", dkim, `s1._domainkey 300 TXT "${key.slice(0, 255)}`)
  marked(
    "truncated",
    "@ 300 TXT v=spf1 mx ip4:192.0.2.0/24 ip4:198.51.100.0/24 ~all",
    "@ 300 TXT v=spf1 mx ip4:192.0.2.0/24"
  )

  diagnoses(
    "a shorter policy that was there before is not a part of the new one",
    {
      desired: ["@ 300 TXT v=spf1 mx ip4:192.0.2.0/24 ip4:198.51.100.0/24 ~all"],
      servers: both("@ 300 TXT v=spf1 mx ip4:192.0.2.0/24"),
      replaced: ["@ 300 TXT v=spf1 mx ip4:192.0.2.0/24"]
    },
    "old_value_remains",
    "shop.de TXT v=spf1 mx ip4:192.0.2.0/24",
    "value: v=spf1 mx ip4:192.0.2.0/24 ip4:198.51.100.0/24 ~all"
  )
})

describe("wrong_host", () => {
  misplaced(dmarc, "shop.de TXT v=DMARC1; p=none", "_dmarc")
  misplaced(dmarc, "shop.de TXT v=DMARC1; p=reject; rua=mailto:me@shop.de", "_dmarc")
  misplaced(dmarc, "_dmarc.www.shop.de TXT v=DMARC1; p=none", "_dmarc")
  misplaced(proof, "shop.de TXT platform-proof=9f2c1b7a55e04d31", "_platform-proof")
  misplaced(proof, 'shop.de TXT "platform-proof=9f2c1b7a55e04d31"', "_platform-proof")
  misplaced("s1._domainkey 300 TXT v=DKIM1; p=MIIB", "s1.shop.de TXT v=DKIM1; p=MIIB", "s1._domainkey")

  diagnoses(
    "not where the same value is desired at the other host",
    { desired: [www, "shop 300 CNAME shops.platform.example"], servers: both("shop 300 CNAME shops.platform.example") },
    "not_yet"
  )
})

describe("beside a subdomain", () => {
  const shop = { domain: "shop.example.org", zone: "example.org" }
  const blog = { domain: "blog.shop.de", zone: "shop.de" }
  describe("a new record is a slip", () => {
    misplaced(www, "www.example.org CNAME shops.platform.example", "www.shop", { ...shop, wasBeside: false })
    misplaced(dmarc, "_dmarc.shop.de TXT v=DMARC1; p=none", "_dmarc.blog", { ...blog, wasBeside: false })
    misplaced(dmarc, '_dmarc.shop.de TXT "v=DMARC1; p=none"', "_dmarc.blog", { ...blog, wasBeside: false })
  })

  describe("an older record, or one of which nobody knows, is none", () => {
    stands(www, "www.example.org CNAME shops.platform.example", { ...shop, wasBeside: true })
    stands(www, "www.example.org CNAME shops.platform.example", shop)
    stands(www, "*.example.org CNAME shops.platform.example", { ...shop, wasBeside: false })
    stands(dmarc, "_dmarc.shop.de TXT v=DMARC1; p=none", { ...blog, wasBeside: true })
    stands(dmarc, "_dmarc.shop.de TXT v=DMARC1; p=none", blog)
  })

  describe("the policy of the whole zone is none", () => {
    stands(dmarc, "_dmarc.shop.de TXT v=DMARC1; p=reject", { ...blog, wasBeside: false })
    stands(dmarc, "shop.de TXT v=DMARC1; p=reject", { ...blog, wasBeside: false })
    misplaced(dmarc, "blog.shop.de TXT v=DMARC1; p=reject", "_dmarc.blog", blog)
  })
})

test("whether a value stands beside a subdomain is known once its name was read", () => {
  const [record] = desiredRecords(www)
  if (record === undefined) throw new Error("no record")
  const name = DomainName.make("www.example.org")
  const find = (zone: string, ...records: ReadonlyArray<string>) =>
    findBeside(record, { domain: DomainName.make("shop.example.org"), zone: DomainName.make(zone) }, [
      { name, type: "CNAME", records: records.map((value) => ({ name, type: "CNAME", value })) }
    ])
  expect([
    find("example.org", "shops.platform.example"),
    find("example.org", "web.other.example"),
    find("example.org"),
    find("shop.example.org", "shops.platform.example"),
    findBeside(record, { domain: DomainName.make("shop.example.org"), zone: DomainName.make("example.org") }, [])
  ]).toEqual([true, false, false, undefined, undefined])
})

describe("the wrong record in its place", () => {
  diagnoses(
    "wrong_type: the target as a text",
    { desired: [www], servers: both("www 300 TXT shops.platform.example") },
    "wrong_type",
    "www.shop.de TXT shops.platform.example",
    "type: CNAME"
  )
  diagnoses(
    "wrong_type: a mail exchanger as an alias",
    { desired: ["mail 300 MX 10 mx.platform.example"], servers: both("mail 300 CNAME mx.platform.example") },
    "wrong_type",
    "mail.shop.de CNAME mx.platform.example",
    "type: MX"
  )
  diagnoses(
    "also_there: a second address beside the new one",
    { desired: ["@ 300 A 192.0.2.1"], servers: both("@ 300 A 192.0.2.1", "@ 300 A 198.51.100.7") },
    "also_there",
    "shop.de A 198.51.100.7"
  )
  diagnoses(
    "also_there: a second mail exchanger",
    {
      desired: ["@ 300 MX 10 mx.platform.example"],
      servers: both("@ 300 MX 10 mx.platform.example", "@ 300 MX 5 mx.old.example")
    },
    "also_there",
    "shop.de MX 5 mx.old.example"
  )
  diagnoses(
    "two_spf",
    { desired: [spf], servers: both(spf, "@ 300 TXT v=spf1 mx -all") },
    "two_spf",
    "shop.de TXT v=spf1 include:_spf.platform.example ~all",
    "shop.de TXT v=spf1 mx -all",
    "value: v=spf1 include:_spf.platform.example ~all"
  )
  diagnoses(
    "two_dmarc",
    { desired: [dmarc], servers: both(dmarc, "_dmarc 300 TXT v=DMARC1; p=reject") },
    "two_dmarc",
    "_dmarc.shop.de TXT v=DMARC1; p=none",
    "_dmarc.shop.de TXT v=DMARC1; p=reject",
    "value: v=DMARC1; p=none"
  )
  diagnoses(
    "one policy at each of two servers is a change on its way",
    { desired: [spf], servers: [[spf], ["@ 300 TXT v=spf1 mx -all"]] },
    "only_some_servers",
    "shop.de TXT v=spf1 mx -all"
  )
  diagnoses(
    "old_value_remains",
    { desired: ["@ 300 A 192.0.2.1"], servers: both("@ 300 A 198.51.100.7") },
    "old_value_remains",
    "shop.de A 198.51.100.7",
    "value: 192.0.2.1"
  )
  diagnoses(
    "parking: the page of the registrar",
    { desired: [www], servers: both("www 300 CNAME parkingpage.namecheap.com") },
    "parking",
    "www.shop.de CNAME parkingpage.namecheap.com"
  )
  diagnoses(
    "parking: an address of a parking company",
    { desired: ["@ 300 A 192.0.2.1"], servers: both("@ 300 A 91.195.240.94") },
    "parking",
    "shop.de A 91.195.240.94"
  )
  diagnoses(
    "blocked_by_caa",
    { desired: ['@ 300 CAA 0 issue "letsencrypt.org"'], servers: both('@ 300 CAA 0 issue "digicert.com"') },
    "blocked_by_caa",
    'shop.de CAA 0 issue "digicert.com"',
    'value: 0 issue "letsencrypt.org"'
  )
})

describe("what typing does not mend", () => {
  diagnoses(
    "other_zone",
    { desired: [www], servers: both("www 300 A 192.0.2.9"), evidence: { isOtherProvider: true } },
    "other_zone",
    "www.shop.de A 192.0.2.9"
  )
  diagnoses(
    "not other_zone where a server shows the record",
    { desired: [www], servers: [[www], []], evidence: { isOtherProvider: true } },
    "only_some_servers"
  )
  diagnoses(
    "proxied",
    {
      desired: ["www 300 A 192.0.2.1"],
      servers: both("www 300 A 104.16.7.7"),
      flattening: { isWritten: false, proxied: [], proxyNetworks: cloudflare }
    },
    "proxied",
    "www.shop.de A 104.16.7.7"
  )
  diagnoses(
    "flattened: a key behind an alias is not served",
    {
      desired: ["s1._domainkey 300 CNAME s1.keys.platform.example"],
      servers: both("s1._domainkey 300 A 192.0.2.80"),
      answers: { "s1.keys.platform.example A": ["192.0.2.80"], "s1.keys.platform.example AAAA": [] },
      flattening: { isWritten: false, proxied: [], proxyNetworks: [] }
    },
    "flattened",
    "s1._domainkey.shop.de A 192.0.2.80"
  )
})
