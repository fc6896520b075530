import { describe, expect, test } from "bun:test"
import {
  isInvalidSpf,
  isSpf,
  listSpfAddressNames,
  normalizeSpf,
  parseSpf,
  parseValidTerms
} from "../../../src/domain/records/SpfRecord.ts"
import { normalizeTerm } from "../../../src/domain/records/SpfTerm.ts"

test("an SPF record begins with v=spf1 in any case, followed by a space or nothing", () => {
  const texts = ["v=spf1", "v=spf1 ", "V=SPF1 -all", "v=SpF1 mx"]
  const others = [
    "",
    " v=spf1",
    "v=spf10",
    "v=spf1\t-all",
    "v=spf1;-all",
    "v=spf2.0/pra",
    "spf2.0/pra",
    "v=spf1-all",
    "x v=spf1 -all"
  ]
  expect([texts.filter(isSpf), others.filter(isSpf)]).toEqual([texts, []])
})

/** The normal form of each term, or `!` if it is malformed. */
const outcome = (text: string) =>
  parseSpf(`v=spf1 ${text}`, "")
    .map((term) => (term._tag === "Malformed" ? "!" : normalizeTerm(term)))
    .join(" ")

const parsesTerms = (name: string, expected: Readonly<Record<string, string>>) =>
  test(name, () => {
    expect(Object.fromEntries(Object.keys(expected).map((text) => [text, outcome(text)]))).toEqual(expected)
  })

const unchanged = (...terms: ReadonlyArray<string>) => Object.fromEntries(terms.map((term) => [term, term]))
const malformed = (...terms: ReadonlyArray<string>) => Object.fromEntries(terms.map((term) => [term, "!"]))

describe("a term of an SPF record", () => {
  parsesTerms("has a qualifier, by default +", {
    "+mx": "mx",
    ...unchanged("mx", "?mx", "~mx", "-mx", "-all"),
    ...malformed("++mx", "!mx", "-", "–all", "-redirect=example.com", "all+")
  })

  parsesTerms("may be all without a value", {
    "+ALL": "all",
    ...unchanged("all"),
    ...malformed("all:", "all/8", "all:example.com", "all.", "-al")
  })

  parsesTerms("may be include or exists with a domain", {
    "include:Example.COM.": "include:example.com",
    "INCLUDE:example.com": "include:example.com",
    "exists:%{ir}.SBL.example.org": "exists:%{ir}.sbl.example.org",
    "exists:%{i}.%{L}.Example.org": "exists:%{i}.%{L}.example.org",
    ...unchanged("include:_spf.google.com", "exists:%{l1r+}.%{d}", "exists:%%%_%-.example.com", "include:%{d2}"),
    ...unchanged("include:a:b/c=d.example.com", "include:.example.com"),
    ...malformed("include", "include:", "exists:192.0.2.1", "include:example.com/24"),
    ...malformed("include:exa\tmple.com", "include:bücher.example", "include:example.c_m", "include:example.-a"),
    ...malformed("exists:%{x}.example.com", "exists:%{d", "exists:%d.example.com", "exists:%{i0}.example.com"),
    ...malformed("exists:%{c}.example.com", "exists:%{d}%", "include:example..")
  })

  parsesTerms("may be a or mx with a domain and prefix lengths", {
    "a/32": "a",
    "mx//128": "mx",
    "A/32//128": "a",
    "a:Example.com./24": "a:example.com/24",
    "mx:example.com/32//64": "mx:example.com//64",
    ...unchanged("a", "mx", "a/24", "a//64", "a/24//64", "a/0//0", "mx:%{d}/26", "a:foo:bar/baz.example4.com"),
    ...malformed("a:", "a/", "a//", "a/33", "a//129", "a/024", "a/24/64", "a:/24", "a:example.com:8080"),
    ...malformed("a:111.222.33.44", "a:example.com/", "ab", "a1", "a.example.com", "a:foo.example.com//1234")
  })

  parsesTerms("may be ptr with a domain", {
    "ptr:Example.com": "ptr:example.com",
    ...unchanged("ptr", "~ptr"),
    ...malformed("ptr:", "ptr/24", "ptr:example.com/24")
  })

  parsesTerms("may be a network, whose host bits are ignored", {
    "ip4:192.0.2.1/32": "ip4:192.0.2.1",
    "ip4:192.0.2.99/24": "ip4:192.0.2.0/24",
    "IP4:255.255.255.255/0": "ip4:0.0.0.0/0",
    ...unchanged("ip4:192.0.2.1", "ip4:192.0.2.0/25"),
    ...malformed("ip4", "ip4:", "ip4:192.0.2", "ip4:192.0.2.01", "ip4:256.0.2.1", "ip4:192.0.2.1/33", "ip4:192.0.2.0/"),
    ...malformed("ip4:192.0.2.0/024", "ip4:192.0.2.0//24", "ip4:192.0.2.0/2/4", "ip4:2001:db8::1", "ip4:example.com"),
    ...malformed("ip6", "ip6:", "ip6:192.0.2.1", "ip6:2001:db8::1/129", "ip6:1::2::3", "ip6:fe80::1%eth0", "ip4/24")
  })

  parsesTerms("may be a modifier, known or unknown", {
    "Redirect=_SPF.Example.com.": "redirect=_spf.example.com",
    "EXP=Explain.%{D}": "exp=explain.%{D}",
    "MooCow-far_out=man:dog/cat": "moocow-far_out=man:dog/cat",
    ...unchanged("default=pass", "ra=", "x.y=%{i}", "redirect=%{d}"),
    ...malformed("redirect=", "exp=", "redirect:example.com", "moo.cow/far_out=man:dog/cat"),
    ...malformed("=x", "1x=y", "x=%", "x=ü", "_x=y", "x", "ip5:192.0.2.1", "moo.cow:far_out=man:dog/cat")
  })
})

test("an IPv6 network is the same in any notation", () => {
  const identities = ["ip6:2001:db8::/32", "ip6:2001:DB8:0:0:0:0:0:1/32", "IP6:2001:0db8::192.0.2.1/32"].map((term) =>
    normalizeSpf(parseSpf(`v=spf1 ${term}`, ""))
  )
  expect(new Set(identities).size).toBe(1)
  expect(normalizeSpf(parseSpf("v=spf1 ip6:2001:db8::1/128", ""))).toBe(
    normalizeSpf(parseSpf("v=spf1 ip6:2001:db8::1", ""))
  )
  expect(normalizeSpf(parseSpf("v=spf1 ip6:2001:db8::1", ""))).not.toBe(
    normalizeSpf(parseSpf("v=spf1 ip6:2001:db8::2", ""))
  )
})

const normalOf = (terms: string) => normalizeSpf(parseSpf(`v=spf1 ${terms}`, "mail.shop-x.example"))

test("a term that names its record, or labels of it, by a macro is the same as one that writes the name", () => {
  const pairs = {
    "a:%{d} mx:%{D}/24 ptr:%{d}": "a mx/24 ptr",
    "include:%{d2} redirect=_spf.%{d1}": "include:shop-x.example redirect=_spf.example",
    "exists:%{i}.%{dr} include:%{d2r}.net": "exists:%{i}.example.shop-x.mail include:shop-x.mail.net",
    "include:%{d-} include:%{d1-.}.net": "include:mail.shop.x.example include:example.net",
    "include:%{d9} a:%{d2}//64": "include:mail.shop-x.example a:shop-x.example//64"
  }
  expect(Object.keys(pairs).map(normalOf)).toEqual(Object.values(pairs).map(normalOf))
  expect(normalOf("include:%{o} include:%{d2}.%{i}")).toBe("v=spf1 include:%{o} include:shop-x.example.%{i}")
})

test("the normal form ignores case and spacing, and keeps every term in order", () => {
  expect(normalizeSpf(parseSpf("V=SPF1   +A  MX:Mail.Example.COM. bad: exp=Why.example.com  -ALL ", ""))).toBe(
    "v=spf1 a mx:mail.example.com !bad: exp=why.example.com -all"
  )
  expect(normalizeSpf(parseSpf("v=spf1", ""))).toBe("v=spf1")
})

const isInvalid = (text: string) => isInvalidSpf(parseSpf(text, ""))

test("a malformed term or a repeated known modifier makes a record invalid", () => {
  const invalid = [
    "v=spf1 ip4:192.0.2.1 -all moo",
    "v=spf1 a:mail.example...com. -al",
    "v=spf1 mx\t-all",
    "v=spf1 \u0000",
    "v=spf1 a:\ud800.example.com",
    "v=spf1 redirect=a.example redirect=a.example",
    "v=spf1 exp=a.example -all exp=b.example"
  ]
  const valid = ["v=spf1", "v=spf1 -all mx", "v=spf1 x=1 x=1 redirect=a.example exp=b.example", "v=spf1 a a"]
  expect([invalid.filter(isInvalid), valid.filter(isInvalid)]).toEqual([invalid, []])
})

test("the valid terms of an invalid record can be parsed, with any white space between them", () => {
  const texts = parseValidTerms("v=spf1 a\tmx\n ip4:300.1.1.1 include:\ud800.example ~all\r\n", "").map(
    ({ text }) => text
  )
  expect(texts).toEqual(["a", "mx", "~all"])
})

test("the names whose addresses may send are those of the a terms, by default the host", () => {
  const value =
    "v=spf1 A mx a:Web.Example.net./24 -mx:mail.example.net ~a a:%{d}.example ptr include:x.example -all a:dead.example"
  expect(listSpfAddressNames(value, "example.com")).toEqual(["example.com", "web.example.net", "example.com.example"])
})

describe("a hostile text", () => {
  const size = 65_536
  const texts = {
    "of one long domain": `a:${"a.".repeat(size / 2)}com`,
    "of dots": `a:${".".repeat(size)}`,
    "of slashes": `a${"/1".repeat(size / 2)}`,
    "of digits": `a/${"1".repeat(size)}`,
    "of macros without end": `exists:${"%{d".repeat(size / 3)}`,
    "of delimiters": `exists:%{d${".".repeat(size)}`,
    "of zeros": `exists:%{d${"0".repeat(size)}`,
    "of hyphens": `a:x.a${"-".repeat(size)}`,
    "of lone surrogates": `a:${"\ud800".repeat(size)}`,
    "of colons": `ip6:${":".repeat(size)}`,
    "of octets": `ip4:${"1.".repeat(size / 2)}`
  }
  const malformed = new Set(Object.keys(texts).filter((name) => name !== "of one long domain"))

  for (const [name, text] of Object.entries(texts)) {
    test(`${name} is one term`, () => {
      expect(parseSpf(`v=spf1 ${text}`, "").map(({ _tag }) => _tag)).toEqual([
        malformed.has(name) ? "Malformed" : "Directive"
      ])
    })
  }

  test("of 10,000 terms is parsed completely", () => {
    const terms = Array.from({ length: 10_000 }, (_, index) => `include:x${index}.example.com`)
    expect(parseSpf(`v=spf1 ${terms.join(" ")}`, "").map(normalizeTerm)).toEqual(terms)
  })
})
