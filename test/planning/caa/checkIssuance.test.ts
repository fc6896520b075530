import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { recordTypeNames as literals } from "../../../src/domain/records/recordTypes.ts"
import { checkIssuance } from "../../../src/planning/caa/checkIssuance.ts"

interface IssuanceCase {
  /** The desired records, as `host TYPE value`. */
  readonly desired: ReadonlyArray<string>
  /** The CAA RRset by name: a missing name has none, `undefined` is unknown. */
  readonly caa?: Readonly<Record<string, ReadonlyArray<string> | undefined>>
  readonly domain?: string
  readonly zoneName?: string
}

const outlook = ({ caa = {}, desired, domain = "example.com", zoneName = domain }: IssuanceCase) => {
  const records = desired.map((line) => {
    const [host = "", type = "", ...value] = line.split(" ")
    return DnsRecord.make({
      host,
      type: literals.find((literal) => literal === type) ?? "TXT",
      value: value.join(" "),
      ttl: 300,
      optional: false
    })
  })
  // Providers flatten a CNAME at the apex, so resolvers see no alias there.
  const aliases = new Map(
    records
      .filter(({ host, type }) => type === "CNAME" && !(host === "@" && domain === zoneName))
      .map(({ host, value }) => [host === "@" ? domain : `${host}.${domain}`, value])
  )
  const { blockedHosts, unanswered } = checkIssuance({
    domain: DomainName.make(domain),
    issuers: records.filter(({ type }) => type === "CAA"),
    desired: records,
    lookup: ({ name, type }) => {
      const end = aliases.get(name) ?? name
      const values = Object.hasOwn(caa, end) ? caa[end] : []
      return Either.fromNullable(values, () => ({ name: end, type }))
    }
  })
  return { isBlocked: blockedHosts.size > 0, unanswered: unanswered.map(({ name, type }) => `${name} ${type}`) }
}

const free = { isBlocked: false, unanswered: [] }
const blocked = { isBlocked: true, unanswered: [] }

const letsencrypt = '0 issue "letsencrypt.org"'
const digicert = '0 issue "digicert.com"'
const wild = '0 issuewild "letsencrypt.org"'
const issuer = `@ CAA ${letsencrypt}`

describe("a desired issuer", () => {
  test("may issue if nothing restricts issuers", () => {
    expect(outlook({ desired: [issuer, "www A 192.0.2.1"] })).toEqual(free)
    expect(outlook({ desired: [issuer], caa: { "example.com": ['0 iodef "mailto:me@example.com"'] } })).toEqual(free)
  })

  test("may issue if the relevant RRset allows it", () => {
    const caa = { "example.com": [digicert, letsencrypt] }
    expect(outlook({ desired: [issuer, "www A 192.0.2.1", "deep.www AAAA 2001:db8::1"], caa })).toEqual(free)
  })

  test("is blocked if the RRset at the host of its CAA does not allow it", () => {
    expect(outlook({ desired: [issuer], caa: { "example.com": [digicert] } })).toEqual(blocked)
    expect(outlook({ desired: [issuer], caa: { com: [digicert] } })).toEqual(blocked)
  })

  test("is blocked by an unknown critical property even if the same RRset allows it", () => {
    expect(outlook({ desired: [issuer], caa: { "example.com": [letsencrypt, '128 tbs "x"'] } })).toEqual(blocked)
    expect(outlook({ desired: [issuer], caa: { "example.com": [letsencrypt, "\\# 3 800161"] } })).toEqual(blocked)
    expect(outlook({ desired: [issuer], caa: { "example.com": [letsencrypt, '128 issuemail ";"'] } })).toEqual(free)
  })

  test("is blocked if a desired name below has its own RRset that does not allow it", () => {
    const caa = { "example.com": [letsencrypt], "shop.example.com": [digicert] }
    expect(outlook({ desired: [issuer, "www A 192.0.2.1"], caa })).toEqual(free)
    expect(outlook({ desired: [issuer, "shop A 192.0.2.1"], caa })).toEqual(blocked)
    expect(outlook({ desired: [issuer, "a.shop AAAA 2001:db8::1"], caa })).toEqual(blocked)
    expect(
      outlook({
        desired: [`@ CAA ${wild}`, `@ CAA ${digicert}`, "shop A 192.0.2.1"],
        caa: { "shop.example.com": [digicert] }
      })
    ).toEqual(free)
  })

  test("needs no permission for names that are not at or below the host of its CAA", () => {
    const caa = { "app.example.com": [letsencrypt], "example.com": [digicert] }
    expect(outlook({ desired: [`app CAA ${letsencrypt}`, "www A 192.0.2.1", "@ A 192.0.2.1"], caa })).toEqual(free)
    expect(outlook({ desired: [`app CAA ${letsencrypt}`, "myapp A 192.0.2.1"], caa })).toEqual(free)
  })

  test("needs no permission for names that get no certificate", () => {
    const caa = { "example.com": [letsencrypt], "keys.example.net": [digicert] }
    const names = ["mail TXT x", "mail MX mx.example.net", "s1._domainkey CNAME keys.example.net", "_dmarc A 192.0.2.1"]
    expect(outlook({ desired: [issuer, ...names], caa })).toEqual(free)
  })

  test("with parameters differs from the same issuer without parameters", () => {
    const account = '0 issue "letsencrypt.org; accounturi=https://acme.example/1"'
    expect(outlook({ desired: [issuer], caa: { "example.com": [account] } })).toEqual(blocked)
    expect(outlook({ desired: [`@ CAA ${account}`], caa: { "example.com": [letsencrypt] } })).toEqual(free)
  })

  test("needs no permission if it is empty or belongs to another tag", () => {
    const desired = ['@ CAA 0 issue ";"', '@ CAA 0 iodef "mailto:me@example.com"', '@ CAA 0 issuemail "ca.example"']
    expect(outlook({ desired: [...desired, "www A 192.0.2.1"], caa: { "example.com": [digicert] } })).toEqual(free)
  })
})

describe("if a desired name is an alias", () => {
  const desired = [issuer, "www CNAME edge.example.net"]
  const own = { "example.com": [letsencrypt] }

  test("the RRset of its target applies first", () => {
    expect(outlook({ desired, caa: { ...own, "edge.example.net": [digicert] } })).toEqual(blocked)
    const caa = { "example.com": [letsencrypt], "edge.example.net": [letsencrypt], "www.example.com": [digicert] }
    expect(outlook({ desired, caa })).toEqual(free)
  })

  test("an RRset above the target does not apply", () => {
    expect(outlook({ desired, caa: { ...own, "example.net": [digicert], net: [digicert] } })).toEqual(free)
  })

  test("the RRset of its target also applies to names below the alias", () => {
    const caa = { ...own, "edge.example.net": [digicert] }
    expect(outlook({ desired: [issuer, "app CNAME edge.example.net", "a.app A 192.0.2.1"], caa })).toEqual(blocked)
  })

  test("the RRset of the zone apex applies at the apex, because the provider flattens the alias", () => {
    const apex = { desired: [issuer, "@ CNAME edge.example.net"], caa: { ...own, "edge.example.net": [digicert] } }
    expect(outlook(apex)).toEqual(free)
    const below = { domain: "app.example.com", zoneName: "example.com", caa: { "edge.example.net": [digicert] } }
    expect(outlook({ desired: [`www CAA ${letsencrypt}`, "@ CNAME edge.example.net"], ...below })).toEqual(blocked)
  })
})

describe("wildcard names", () => {
  const site = "*.app CNAME edge.example.net"

  test("use `issuewild`, else `issue`, of the name without the asterisk", () => {
    expect(outlook({ desired: [issuer, site], caa: { "example.com": [letsencrypt] } })).toEqual(free)
    expect(outlook({ desired: [issuer, site], caa: { "example.com": [letsencrypt, '0 issuewild ";"'] } })).toEqual(
      blocked
    )
    expect(
      outlook({ desired: [issuer, site], caa: { "*.app.example.com": [digicert], "edge.example.net": [digicert] } })
    ).toEqual(free)
    expect(outlook({ desired: [issuer, "* A 192.0.2.1"], caa: { "example.com": [letsencrypt] } })).toEqual(free)
  })

  test("need permission for the `issuewild` issuers if the intent has any", () => {
    const caa = { "example.com": [digicert, '0 issuewild "letsencrypt.org"'] }
    expect(outlook({ desired: [`@ CAA ${digicert}`, `@ CAA ${wild}`, site, "www A 192.0.2.1"], caa })).toEqual(free)
    expect(outlook({ desired: [`@ CAA ${digicert}`, site], caa })).toEqual(blocked)
  })

  test("need permission at the host of an `issuewild` although the intent adds no wildcard", () => {
    expect(outlook({ desired: [`@ CAA ${wild}`], caa: { "example.com": [digicert] } })).toEqual(blocked)
    expect(outlook({ desired: [`@ CAA ${wild}`], caa: { "example.com": [digicert, wild] } })).toEqual(free)
  })

  test("ignore a CAA at the asterisk, which no CA queries", () => {
    const caa = { "*.app.example.com": [letsencrypt], "example.com": [digicert] }
    expect(outlook({ desired: [`*.app CAA ${letsencrypt}`, site], caa })).toEqual(blocked)
  })
})

describe("an unanswered query", () => {
  test("is reported once, together with all others", () => {
    const caa = {
      "example.com": undefined,
      com: undefined,
      "www.example.com": undefined,
      "edge.example.net": undefined
    }
    expect(outlook({ desired: [issuer, "www A 192.0.2.1", "app CNAME edge.example.net"], caa })).toEqual({
      isBlocked: false,
      unanswered: ["example.com CAA", "com CAA", "www.example.com CAA", "edge.example.net CAA"]
    })
  })

  test("does not count as blocked", () => {
    const caa = { "www.example.com": undefined, "example.com": [digicert] }
    const desired = [`www CAA ${letsencrypt}`]
    expect(outlook({ desired, caa })).toEqual({ isBlocked: false, unanswered: ["www.example.com CAA"] })
    expect(outlook({ desired: [...desired, issuer], caa })).toEqual({
      isBlocked: true,
      unanswered: ["www.example.com CAA"]
    })
  })

  test("does not matter if the intent requests no issuer", () => {
    expect(outlook({ desired: ["www A 192.0.2.1"], caa: { "www.example.com": undefined } })).toEqual(free)
  })
})

test("a large intent is checked quickly against a large RRset", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `0 issue "ca${index}.example"`)
  const issuers = Array.from({ length: 100 }, (_, index) => `@ CAA 0 issue "ca${index}.example"`)
  const sites = Array.from({ length: 100 }, (_, index) => `www${index} CNAME edge.example.net`)
  const caa = { "example.com": many, "edge.example.net": many }
  expect(outlook({ desired: [...issuers, ...sites], caa })).toEqual(free)
})
