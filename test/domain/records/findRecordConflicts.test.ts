import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import type { ErrorDetail } from "../../../src/domain/error/ErrorDetail.ts"
import { type IntentRequest, resolveIntent } from "../../../src/domain/connection/Intent.ts"

describe("conflicting records", () => {
  const texts = {
    SPF: ["v=spf1 -all", "v=spf1 mx -all"],
    DMARC: ["v=DMARC1; p=none", "v=DMARC1; p=reject"],
    "MTA-STS": ["v=STSv1; id=1", "v=STSv1; id=2"],
    "TLS-RPT": ["v=TLSRPTv1; rua=mailto:a@example.com", "v=TLSRPTv1; rua=mailto:b@example.com"],
    BIMI: ["v=BIMI1; l=https://example.com/a.svg", "v=BIMI1; l=https://example.com/b.svg"]
  }

  const hosts = new Map([
    ["DMARC", "_dmarc"],
    ["MTA-STS", "_mta-sts"],
    ["TLS-RPT", "_smtp._tls"],
    ["BIMI", "default._bimi"]
  ])
  for (const [kind, [first = "", second = ""]] of Object.entries(texts)) {
    test(`are two ${kind} records at one host`, () => {
      const host = hosts.get(kind) ?? "www"
      expect(conflictsOf(`${host} TXT ${first}`, `${host} TXT ${second}`)).toEqual(bothHave("record_must_be_single"))
      expect(conflictsOf(`www TXT ${first}`, `app TXT ${second}`, "www TXT hello", "www TXT world")).toEqual([])
    })
  }

  test("are two DKIM records at one host", () => {
    expect(conflictsOf("s1._domainkey TXT v=DKIM1; p=a", "S1._domainkey TXT p=b")).toEqual(
      bothHave("record_must_be_single")
    )
    expect(conflictsOf("s1._domainkey TXT p=a", "s2._domainkey TXT p=b")).toEqual([])
  })

  test("are not the same record twice in any spelling, with the same or another TTL", () => {
    expect(conflictsOf("www A 192.0.2.1", "www A 192.0.2.1")).toEqual([])
    expect(conflictsOf("www A 192.0.2.1", "WWW.example.com. A 192.0.2.1 ttl=60")).toEqual([])
    expect(conflictsOf("@ AAAA 2001:db8::1", "example.com AAAA 2001:DB8:0::1")).toEqual([])
    expect(conflictsOf("www CNAME a.example.net", "www CNAME A.example.net.")).toEqual([])
    expect(conflictsOf("_dmarc TXT v=DMARC1; p=none", "_dmarc TXT v=DMARC1; p=NONE;")).toEqual([])
    expect(conflictsOf("@ TXT v=spf1 a ~all", "@ TXT v=spf1  +A:example.com ~all")).toEqual([])
    expect(conflictsOf('@ CAA 0 issue "ca.example"', '@ CAA 0 issue "CA.example;"')).toEqual([])
    expect(conflictsOf("www A 192.0.2.1", "www A 192.0.2.2", "app A 192.0.2.1")).toEqual([])
  })

  test("are a CNAME and any other record of its host", () => {
    const others = ["A 192.0.2.1", "AAAA 2001:db8::1", "MX mail.example.net", "TXT a", "NS ns.example.net"]
    const all = [...others, 'CAA 0 issue ";"', "CNAME b.example.net"]
    for (const other of all) {
      expect(conflictsOf("www CNAME a.example.net", `www ${other}`)).toEqual(bothHave("cname_not_alone"))
      expect(conflictsOf(`www ${other}`, "www CNAME a.example.net")).toEqual(bothHave("cname_not_alone"))
    }
    expect(conflictsOf("www CNAME a.example.net", "a.www TXT a", "@ TXT a", "* CNAME a.example.net")).toEqual([])
  })

  test("are a delegation and anything but glue at its host or below", () => {
    const delegation = ["sub NS ns1.sub.example.com", "sub NS ns.example.net"]
    const glue = ["ns1.sub A 192.0.2.1", "ns1.sub AAAA 2001:db8::1"]
    expect(conflictsOf(...delegation, ...glue, "subsub A 192.0.2.1", "@ TXT a")).toEqual([])
    for (const hidden of ["sub TXT a", "www.sub A 192.0.2.1", "ns1.sub TXT a", "*.sub CNAME a.example.net"]) {
      const code = "record_below_delegation"
      expect(conflictsOf(...delegation, hidden)).toEqual([`${code} 0 2`, `${code} 1 2`, `${code} 2 0`])
      expect(conflictsOf(hidden, ...delegation)).toEqual([`${code} 0 1`, `${code} 1 0`, `${code} 2 0`])
    }
  })

  test("are a delegation and another one below it", () =>
    expect(conflictsOf("sub NS ns.example.net", "deep.sub NS ns.example.net")).toEqual(
      bothHave("record_below_delegation")
    ))

  test("are a null MX and another MX of its host", () => {
    expect(conflictsOf("@ MX .", "@ MX mail.example.net")).toEqual(bothHave("null_mx_not_alone"))
    expect(conflictsOf("@ MX mail.example.net", "@ MX .")).toEqual(bothHave("null_mx_not_alone"))
    expect(conflictsOf("@ MX .", "mail MX mail.example.net", "@ TXT a")).toEqual([])
  })

  test("have one detail each, with the first other one", () => {
    expect(conflictsOf("www CNAME a.example.net", "www CNAME b.example.net", "www A 192.0.2.1")).toEqual([
      "cname_not_alone 0 1",
      "cname_not_alone 1 0",
      "cname_not_alone 2 0"
    ])
    const addresses = Array.from({ length: 15 }, (_, at) => `www A 192.0.2.${at + 1}`)
    expect(conflictsOf("www CNAME a.example.net", ...addresses)).toEqual([
      "cname_not_alone 0 1",
      ...addresses.map((_, at) => `cname_not_alone ${at + 1} 0`)
    ])
  })
})

describe("a CNAME that leads back to itself", () => {
  test("is refused with its own pointer alone", () => {
    expect(loopsOf("www CNAME www.example.com")).toEqual(["/intent/records/0"])
    expect(loopsOf("@ CNAME Example.com.")).toEqual(["/intent/records/0"])
    expect(loopsOf("www CNAME a.example.net", "Shop CNAME SHOP.example.com.")).toEqual(["/intent/records/1"])
  })

  test("through others is refused, with the pointer of the next one", () => {
    expect(loopsOf("a CNAME b.example.com", "b CNAME a.example.com")).toEqual([
      "/intent/records/0 /intent/records/1",
      "/intent/records/1 /intent/records/0"
    ])
    expect(
      loopsOf("a CNAME b.example.com", "d CNAME a.example.com", "b CNAME c.example.com", "c CNAME a.example.com")
    ).toEqual([
      "/intent/records/0 /intent/records/2",
      "/intent/records/2 /intent/records/3",
      "/intent/records/3 /intent/records/0"
    ])
  })

  test("is not one that only leads to another name", () => {
    expect(loopsOf("a CNAME b.example.com", "b CNAME c.example.com", "c A 192.0.2.1")).toEqual([])
    expect(loopsOf("www CNAME www.example.net", "* CNAME www.example.com")).toEqual([])
    expect(loopsOf("www MX www.example.com", "sub NS sub.example.com")).toEqual([])
  })
})

/** The pointers of all `cname_loop`, each with that of the next record of the loop. */
const loopsOf = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  Either.match(resolveIntent({ domain: "example.com", records: lines.map(recordIn) }), {
    onLeft: (issues) =>
      issues.flatMap(({ code, conflictsWith, pointer }) =>
        code === "cname_loop" ? [conflictsWith === undefined ? pointer : `${pointer} ${conflictsWith}`] : []
      ),
    onRight: () => []
  })

/** The conflicts of two records that exclude each other. */
const bothHave = (code: string): ReadonlyArray<string> => [`${code} 0 1`, `${code} 1 0`]

const indexesOf = ({ conflictsWith = "", pointer }: ErrorDetail): readonly [own: number, other: number] => [
  Number(pointer.split("/").at(-1)),
  Number(conflictsWith.split("/").at(-1))
]

/** The conflicts among records written `host type value [ttl=seconds]`: of each the code, its index and the other's. */
const conflictsOf = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  Either.match(resolveIntent({ domain: "example.com", records: lines.map(recordIn) }), {
    onLeft: (issues) => issues.map((issue) => `${issue.code} ${indexesOf(issue).join(" ")}`),
    onRight: () => []
  })

const recordIn = (line: string): IntentRequest["records"][number] => {
  const [, host = "", type = "", value = "", ttl = "3600"] = /^(\S+) (\S+) (.*?)(?: ttl=(\d+))?$/.exec(line) ?? []
  return { host, type: type as IntentRequest["records"][number]["type"], value, ttl: Number(ttl) }
}
