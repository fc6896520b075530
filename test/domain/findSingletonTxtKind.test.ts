import { expect, test } from "bun:test"
import { findSingletonTxtKind } from "../../src/domain/records/txt.ts"

const kindsOf = (host: string, values: ReadonlyArray<string>) =>
  values.map((value) => [value, findSingletonTxtKind({ host, type: "TXT", value })])

test("an SPF policy is recognized by its version in any case", () => {
  const kinds = {
    "v=spf1": "SPF",
    "V=SPF1 -all": "SPF",
    "v=spf10 -all": undefined,
    "v=spf2.0/pra": undefined,
    "xv=spf1 -all": undefined,
    "google-site-verification=v=spf1": undefined
  }
  expect<unknown>(kindsOf("@", Object.keys(kinds))).toEqual(Object.entries(kinds))
})

test.each([
  ["MTA-STS", "_mta-sts", "v=STSv1; id=1"],
  ["TLS-RPT", "_smtp._tls.mail", "v=TLSRPTv1;rua=mailto:me@example.com"],
  ["BIMI", "default._bimi", "v=BIMI1;l="],
  ["DKIM", "s1._domainkey", "k=rsa; p=MIGf"],
  ["DKIM", "s1._domainkey.mail", "v=DKIM1; p="]
] as const)("%s is recognized only at its own hosts and with its own format", (kind, host, value) => {
  expect<unknown>(findSingletonTxtKind({ host, type: "TXT", value })).toBe(kind)
  expect(findSingletonTxtKind({ host: "www", type: "TXT", value })).toBeUndefined()
  expect(findSingletonTxtKind({ host, type: "TXT", value: "verification=1" })).toBeUndefined()
})

test("a DMARC policy is recognized at a _dmarc host, even if it is invalid", () => {
  const kinds = {
    "v=DMARC1; p=none": "DMARC",
    "V=dmarc1;P=none": "DMARC",
    "p=reject; v=DMARC1": "DMARC",
    "google-site-verification=1": undefined
  }
  expect<unknown>(kindsOf("_dmarc", Object.keys(kinds))).toEqual(Object.entries(kinds))
  expect(findSingletonTxtKind({ host: "_dmarc.mail", type: "TXT", value: "v=DMARC1; p=none" })).toBe("DMARC")
})

test("an authorization for another domain's reports is not a policy (RFC 7489 section 7.1)", () => {
  expect(findSingletonTxtKind({ host: "example.net._report._dmarc", type: "TXT", value: "v=DMARC1" })).toBeUndefined()
})

test("a DKIM key is recognized by its host", () => {
  expect(["s1._domainkey", "s1._domainkey.mail", "_domainkey"].filter((host) => !isDkim(host))).toEqual([])
  expect(["x_domainkey", "s1._domainkeys", "@"].filter((host) => isDkim(host))).toEqual([])
  expect(isDkim("s1._domainkey", "CNAME")).toBe(false)
})

const isDkim = (host: string, type = "TXT") => findSingletonTxtKind({ host, type, value: "p=" }) === "DKIM"
