import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { checkTemplate, checkTemplateFile, hasErrors } from "../../src/domainConnect/checkTemplate.ts"
import { domainConnectData, missingDomainConnectData } from "./domainConnectData.ts"

const flawless = {
  providerId: "platform.example",
  providerName: "Platform",
  serviceId: "website",
  serviceName: "Website",
  version: 1,
  syncPubKeyDomain: "keys.platform.example",
  syncRedirectDomain: "connect.platform.example",
  records: [
    { type: "A", host: "@", pointsTo: "192.0.2.1", ttl: 3600 },
    { type: "CNAME", host: "www", pointsTo: "%shop%.platform.example", ttl: 3600 },
    { type: "SPFM", host: "@", spfRules: "include:mail.platform.example" },
    {
      type: "TXT",
      host: "@",
      data: "platform-site=%token%",
      ttl: "%ttl%",
      txtConflictMatchingMode: "Prefix",
      txtConflictMatchingPrefix: "platform-site="
    }
  ]
}

const check = (more: object) => checkTemplate(JSON.stringify({ ...flawless, ...more }))

const checkRecord = (record: object) => check({ records: [...flawless.records, record] })

/** The findings as `rule path`, errors with a `!`. */
const briefly = (findings: ReturnType<typeof check>) =>
  findings.map(({ level, path, rule }) => `${level === "error" ? "!" : ""}${rule} ${path}`)

describe("checkTemplate", () => {
  test("nothing is wrong with a template that keeps all rules", () => {
    expect(check({})).toEqual([])
  })

  test("what is no template is reported as such", () => {
    expect(checkTemplate("{")).toMatchObject([{ level: "error", rule: "template.schema" }])
    expect(check({ records: [] })).toMatchObject([{ level: "error", rule: "template.schema" }])
  })

  test.each<[string, object, ReadonlyArray<string>]>([
    ["a template is signed", { syncPubKeyDomain: undefined }, ["!rule 1, DCTL1029 syncPubKeyDomain"]],
    ["no template warns of phishing", { warnPhishing: true }, ["!rule 2, DCTL1028 warnPhishing"]],
    ["customers return to named domains", { syncRedirectDomain: undefined }, ["!rule 3 syncRedirectDomain"]],
    [
      "domains follow each other without spaces",
      { syncRedirectDomain: "a.test, b.test" },
      ["DCTL1026 syncRedirectDomain"]
    ],
    ["a key is below a domain", { syncPubKeyDomain: "keys" }, ["!DCTL1022 syncPubKeyDomain"]],
    ["a final dot makes no domain of a label", { syncPubKeyDomain: "keys." }, ["!DCTL1022 syncPubKeyDomain"]],
    ["customers return to domains", { syncRedirectDomain: "a.test,https://b.test" }, ["!DCTL1022 syncRedirectDomain"]],
    ["an id fits a file name", { serviceId: "my shop" }, ["!DCTL1002 serviceId"]],
    ["a version counts upwards", { version: -1 }, ["DCTL1006 version"]],
    ["shared has a successor", { shared: true }, ["!DCTL1007 shared"]],
    ["names are read as they are", { serviceName: "Shop %shop%" }, ["!DCTL1009 serviceName"]],
    ["names fit a page", { providerName: "" }, ["!DCTL1005 providerName"]],
    ["an id fits a file name", { serviceId: "a".repeat(65) }, ["!DCTL1005 serviceId"]],
    ["a logo is on the web", { logoUrl: "javascript:alert(1)" }, ["!DCTL1005 logoUrl"]],
    ["a host is needed only for what cannot be at an apex", { hostRequired: true }, ["DCTL1037 hostRequired"]],
    [
      "a variable that all names end with is the host of the link",
      { records: [{ type: "A", host: "www-%shop%", pointsTo: "192.0.2.1", ttl: 60 }] },
      ["DCTL1039 records"]
    ],
    ["members that nobody knows are pointed out", { syncPubkeyDomain: "x.test" }, ["DCTL0009 syncPubkeyDomain"]]
  ])("%s", (_, more, expected) => {
    expect(briefly(check(more))).toEqual([...expected])
  })

  test.each<[string, object, ReadonlyArray<string>]>([
    [
      "members are complete",
      { type: "MX", host: "@", pointsTo: "mx.test", ttl: 1 },
      ["!template.schema records.4.priority"]
    ],
    [
      "a variable for a number has no digit in its name",
      { type: "A", host: "b", pointsTo: "192.0.2.1", ttl: "%ttl1%" },
      ["!template.schema records.4.ttl"]
    ],
    ["a TTL has 31 bits", { type: "A", host: "b", pointsTo: "192.0.2.1", ttl: 2 ** 31 }, ["!DCTL1000 records.4.ttl"]],
    [
      "an address is of its type",
      { type: "A", host: "b", pointsTo: "2001:db8::1", ttl: 1 },
      ["!DCTL1035 records.4.pointsTo"]
    ],
    [
      "an address is an address",
      { type: "AAAA", host: "b", pointsTo: "shop", ttl: 1 },
      ["!DCTL1034 records.4.pointsTo"]
    ],
    [
      "SPF is merged",
      { type: "TXT", host: "b", data: "v=spf1 include:a.test ~all", ttl: 1 },
      ["!rule 4, DCTL1014 records.4.data"]
    ],
    [
      "DMARC is unique and the customer's own",
      { type: "TXT", host: "_dmarc", data: "v=DMARC1; p=none", ttl: 1 },
      ["!rule 5 records.4.txtConflictMatchingMode", "!rule 10 records.4.essential"]
    ],
    [
      "no host is a variable",
      { type: "A", host: "%sub%", pointsTo: "192.0.2.1", ttl: 1 },
      ["!rules 7 and 8, DCTL1040 records.4.host"]
    ],
    [
      "no label is a variable",
      { type: "A", host: "www.%sub%", pointsTo: "192.0.2.1", ttl: 1 },
      ["!rules 7 and 8 records.4.host"]
    ],
    [
      "an underscore begins a label",
      { type: "TXT", host: "mail_1._domainkey", data: "k=1", ttl: 1 },
      ["DCTL1025 records.4.host"]
    ],
    [
      "no name of a service is a variable",
      {
        type: "SRV",
        name: "%sub%",
        service: "_sip",
        protocol: "_tcp",
        target: "a.test",
        ttl: 1,
        priority: 1,
        weight: 1,
        port: 1
      },
      ["!rules 7 and 8, DCTL1040 records.4.name"]
    ],
    [
      "no host repeats the host",
      { type: "A", host: "a.%host%", pointsTo: "192.0.2.1", ttl: 1 },
      ["!rule 9, DCTL1024 records.4.host"]
    ],
    [
      "a target has a fixed part",
      { type: "CNAME", host: "b", pointsTo: "%target%", ttl: 1 },
      ["rule 6, DCTL1040 records.4.pointsTo"]
    ],
    [
      "a CNAME at the host needs a host, and stands alone",
      { type: "CNAME", host: "@", pointsTo: "a.test", ttl: 1 },
      ["!template.schema, DCTL1012 hostRequired", "!DCTL1011 records.4"]
    ],
    [
      "SPF rules have no version and no end",
      { type: "SPFM", host: "b", spfRules: "v=spf1 a -all" },
      ["!DCTL1017 records.4.spfRules", "!DCTL1017 records.4.spfRules"]
    ],
    [
      "SPF rules have known terms",
      { type: "SPFM", host: "b", spfRules: "inclde:a.test" },
      ["!DCTL1017 records.4.spfRules"]
    ],
    ["variables end", { type: "TXT", host: "b", data: "100%", ttl: 1 }, ["!DCTL1020 records.4.data"]],
    [
      "a type is no variable",
      { type: "%type%", host: "b", data: "x", ttl: 1 },
      ["!DCTL1009 records.4.type", "DCTL1016 records.4.type"]
    ],
    ["redirects are rare", { type: "REDIR301", host: "b", target: "https://a.test" }, ["DCTL1038 records.4.type"]],
    [
      "a prefix is how the text begins",
      {
        type: "TXT",
        host: "b",
        data: "a=%b%",
        ttl: 1,
        txtConflictMatchingMode: "Prefix",
        txtConflictMatchingPrefix: "b="
      },
      ["DCTL1042 records.4.txtConflictMatchingPrefix"]
    ],
    ["no record is there twice", flawless.records[0] ?? {}, ["DCTL1023 records.4"]],
    [
      "CAA has three parts",
      { type: "CAA", host: "@", data: "letsencrypt.org", ttl: 1 },
      ["DCTL1016 records.4.type", "!DCTL1041 records.4.data"]
    ]
  ])("%s", (_, record, expected) => {
    expect(briefly(checkRecord(record))).toEqual([...expected])
  })

  test("a file is named by its ids, and a provider that ignores a feature is named", () => {
    const [address, alias] = flawless.records
    const checkFile = (fileName: string, more: object) =>
      briefly(checkTemplateFile(JSON.stringify({ ...flawless, records: [address, alias], ...more }), fileName))
    expect(checkFile("platform.example.website.json", {})).toEqual([])
    expect(checkFile("website.json", {})).toEqual(["!DCTL1003 "])
    expect(checkFile("platform.example.website.json", { multiInstance: true })).toEqual(["DCTL5004 "])
    expect(checkFile("platform.example.website.json", { syncBlock: true })).toEqual(["DCTL5000 "])
    expect(checkFile("platform.example.website.json", { records: flawless.records })).toEqual(["DCTL5008 "])
    expect(checkTemplateFile("{", "website.json")).toMatchObject([{ rule: "template.schema" }])
  })

  test("one group for all, and records without a group beside others, are pointed out", () => {
    const [one, other] = flawless.records
    const inGroups = (...groups: ReadonlyArray<string | undefined>) =>
      briefly(check({ records: [one, other].map((record, index) => ({ ...record, groupId: groups[index] })) }))
    expect(inGroups("web", "web")).toEqual(["DCTL1031 records"])
    expect(inGroups("web", undefined)).toEqual(["DCTL1032 records"])
    expect(inGroups("web", "mail")).toEqual([])
  })
})

describe.skipIf(missingDomainConnectData !== undefined)(missingDomainConnectData ?? "templates of the suite", () => {
  const folder = `${domainConnectData}templates-of-suite/`
  const files = missingDomainConnectData === undefined ? readdirSync(folder) : []

  test("each is a template, and each that is not signed has an error", () => {
    const findings = files.map((file) => [file, checkTemplate(readFileSync(`${folder}${file}`, "utf8"))] as const)
    expect(
      findings.flatMap(([file, found]) => (found.some(({ rule }) => rule === "template.schema") ? [file] : []))
    ).toEqual([])
    expect(findings.flatMap(([file, found]) => (hasErrors(found) ? [] : [file]))).toEqual([
      "exampleservice.domainconnect.org.template2.json"
    ])
  })
})
