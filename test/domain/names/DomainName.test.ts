import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import {
  DomainName,
  HostName,
  isAtOrBelow,
  listSelfAndAncestors,
  normalizeTarget,
  parseDomain,
  parseHost,
  parseTarget,
  toFqdn,
  toRelativeHost
} from "../../../src/domain/names/DomainName.ts"
import { expectOutcomes, expectSuggestions, rejected, unchanged } from "../outcomes.ts"

const exampleCom = DomainName.make("example.com")
const parseExampleHost = (input: string) => parseHost(input, exampleCom)
const longest = `${"a.".repeat(124)}abcde`

describe("the domain of an intent", () => {
  test("is an apex or a subdomain, normalized to lower case without a trailing dot", () =>
    expectOutcomes(parseDomain, {
      "EXAMPLE.Com": "example.com",
      "example.com.": "example.com",
      ...unchanged("example.com", "a.b.example.co.uk", "1.example", "ab--cd.com", `${"a".repeat(63)}.com`, longest)
    }))

  test("is converted to A-labels without transitional processing (UTS 46)", () =>
    expectOutcomes(parseDomain, {
      "Bücher.example": "xn--bcher-kva.example",
      "BÜCHER.example": "xn--bcher-kva.example",
      "XN--Bcher-KVA.example": "xn--bcher-kva.example",
      "faß.de": "xn--fa-hia.de",
      "пример.рф": "xn--e1afmkfd.xn--p1ai",
      "例え。テスト": "xn--r8jz45g.xn--zckzah"
    }))

  test("is no public suffix of either division of the list, but may be below one", () =>
    expectOutcomes(parseDomain, {
      ...unchanged("www.ck", "shop.github.io", "x.duckdns.org", "example.eu.org", "a.shop.herokuapp.com"),
      ...rejected("domain_is_public_suffix", "com", "co.uk", "CO.UK.", "co。uk", "公司.cn", "kawasaki.jp", "any.ck"),
      ...rejected("domain_is_public_suffix", "duckdns.org", "GitHub.io.", "herokuapp.com", "eu.org"),
      ...rejected("domain_is_public_suffix", "s3.amazonaws.com")
    }))

  test("is not an IP address in any notation", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_is_ip_address", "192.0.2.1", "192.0.2.1.", "127.1", "0x7f.0.0.0x1", "example.123"),
      ...rejected("domain_is_ip_address", "2001:db8::1", "::ffff:192.0.2.1", "[2001:db8::1]")
    }))

  test("is not a wildcard, a single label or empty", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_is_wildcard", "*", "*.co.uk"),
      ...rejected("domain_is_single_label", "localhost", "example"),
      ...rejected("domain_is_empty", "", "."),
      ...rejected("domain_has_empty_label", "a..b", ".example.com", "example.com..")
    }))

  test("has at most 63 characters per label and 253 in total, counted as A-labels", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_label_too_long", `${"a".repeat(64)}.com`, `${"ü".repeat(60)}.com`),
      ...rejected("domain_too_long", `${longest}f`, `${"a.".repeat(148)}test`)
    }))

  test("contains only letters, digits and hyphens", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_has_bad_character", "exa_mple.com", "-a.com", "a-.com"),
      ...rejected("domain_not_idna", "exa\u0000mple.com", "\ud800.com", "1א.com")
    }))

  test("is suggested where it was pasted with more around it", () =>
    expectSuggestions(parseDomain, {
      "https://example.com": ["domain_is_url", "example.com"],
      "HTTPS://WWW.Example.COM/shop?a=1#b": ["domain_is_url", "www.example.com"],
      "http://me:secret@example.com:8443/": ["domain_is_url", "example.com"],
      "https://bücher.example/": ["domain_is_url", "xn--bcher-kva.example"],
      "//example.com": ["domain_is_url", "example.com"],
      "https:example.com": ["domain_is_url", "example.com"],
      "https//example.com": ["domain_is_url", "example.com"],
      "me@example.com": ["domain_is_email", "example.com"],
      "mailto:me@example.com": ["domain_is_email", "example.com"],
      "<me@example.com>": ["domain_is_email", "example.com"],
      "Me <me@example.com>": ["domain_is_email", "example.com"],
      "@example.com": ["domain_is_email", "example.com"],
      "example.com/": ["domain_has_trailing_slash", "example.com"],
      "example.com:443/": ["domain_has_trailing_slash", "example.com"],
      "example.com/shop": ["domain_has_path", "example.com"],
      "example.com?a": ["domain_has_path", "example.com"],
      "example.com:8443": ["domain_has_port", "example.com"],
      "shop.example.com:": ["domain_has_port", "shop.example.com"],
      "“example.com”": ["domain_has_punctuation", "example.com"],
      "„Bücher.example“.": ["domain_has_punctuation", "xn--bcher-kva.example"],
      '"example.com"': ["domain_has_punctuation", "example.com"],
      "‘example.com’": ["domain_has_punctuation", "example.com"],
      "«example.com»": ["domain_has_punctuation", "example.com"],
      "<example.com>": ["domain_has_punctuation", "example.com"],
      "(example.com)": ["domain_has_punctuation", "example.com"],
      "example.com,": ["domain_has_punctuation", "example.com"],
      "example.com;": ["domain_has_punctuation", "example.com"],
      "“https://example.com/”": ["domain_is_url", "example.com"],
      " example.com": ["domain_has_space", "example.com"],
      "example.com\n": ["domain_has_space", "example.com"],
      "*.example.com": ["domain_is_wildcard", "example.com"],
      "*.Shop.example.com.": ["domain_is_wildcard", "shop.example.com"]
    }))

  test("is not suggested where nothing valid is inside", () =>
    expectSuggestions(parseDomain, {
      "https://": ["domain_is_url"],
      "https://localhost:3000": ["domain_is_url"],
      "https://192.0.2.1/": ["domain_is_url"],
      "192.0.2.1:80": ["domain_has_port"],
      "http://co.uk": ["domain_is_url"],
      "https://-a.com/": ["domain_is_url"],
      "https://https://example.com": ["domain_is_url"],
      "mail@": ["domain_is_email"],
      "“co.uk”": ["domain_has_punctuation"],
      "“”": ["domain_has_punctuation"],
      "exam“ple.com": ["domain_not_idna"],
      "exam ple.com": ["domain_has_space"],
      "example.com, example.org": ["domain_has_space"],
      "a b": ["domain_has_space"],
      "*": ["domain_is_wildcard"],
      "*.co.uk": ["domain_is_wildcard"],
      "*shop.example.com": ["domain_is_wildcard"],
      "*.*.example.com": ["domain_is_wildcard"]
    }))

  test("is suggested only if it would be accepted", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.emailAddress(),
          fc.array(fc.constantFrom(..."ab.:/@ ?#\\-"), { maxLength: 20 }).map((text) => text.join("")),
          fc.string()
        ),
        (text) => {
          const suggestion = Option.flatMapNullable(Either.getLeft(parseDomain(text)), (issue) => issue.suggestion)
          if (Option.isSome(suggestion))
            expect(parseDomain(suggestion.value)).toEqual(Either.right(DomainName.make(suggestion.value)))
        }
      ),
      { numRuns: 1_000 }
    ))

  test("is refused if UTS 46 would drop or merge characters, or if its A-label is invalid", () =>
    expectOutcomes(parseDomain, {
      ...rejected(
        "domain_not_idna",
        "ex\u00adample.com",
        "exam\u200dple.com",
        "exam\u200bple.com",
        "\ufeffexample.com"
      ),
      ...rejected("domain_not_idna", "bu\u0308cher.example"),
      ...rejected("domain_not_idna", "xn--0.com", "xn--.com", "xn--abc-.com", "xn--zzzzzzzz99.com")
    }))

  test("is suggested as its A-label if it has pictures, which some registries allow", () =>
    expectSuggestions(parseDomain, {
      "i❤.ws": ["domain_not_idna", "xn--i-7iq.ws"],
      "I❤️.ws": ["domain_not_idna", "xn--i-7iq.ws"],
      "shop.💩.la": ["domain_not_idna", "shop.xn--ls8h.la"],
      "💩": ["domain_not_idna"],
      "👩‍💻.ws": ["domain_not_idna"],
      "→💩.ws": ["domain_not_idna"],
      "👍🏽.ws": ["domain_not_idna", "xn--on8h5e.ws"],
      "1️⃣.ws": ["domain_not_idna", "xn--1-2sn.ws"],
      "💩。la": ["domain_not_idna", "xn--ls8h.la"],
      "https://💩.la/": ["domain_is_url", "xn--ls8h.la"],
      "“💩.la”": ["domain_has_punctuation", "xn--ls8h.la"],
      "xn--ls8h.la": ["accepted", "xn--ls8h.la"]
    }))

  test("is suggested without its invisible characters", () =>
    expectSuggestions(parseDomain, {
      "ex\u00adample.com": ["domain_not_idna", "example.com"],
      "exam\u200dple.com": ["domain_not_idna", "example.com"],
      "\ufeffexample.com\u200b": ["domain_not_idna", "example.com"],
      "bu\u0308cher.example": ["domain_not_idna", "xn--bcher-kva.example"],
      "نامه\u200cای.example": ["domain_not_idna"]
    }))

  test("is refused with punctuation or symbols, besides those that IDNA 2008 allows in their context", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_not_idna", "ex“ample.com", "→.example", "rock&röll.com", "i❤.example", "a–b.com"),
      ...rejected("domain_not_idna", "a·b.com", "l·a.com", "a\u0375b.com", "a\u05f3.com"),
      "col·lecció.example": "xn--collecci-ioa91d.example",
      "ア・イ.example": "xn--ccke4x.example",
      // An A-label was copied from a registry, where names with symbols exist.
      ...unchanged("xn--ls8h.example")
    }))

  test("has a stable normal form that equals the hostname of a URL", () =>
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
        const name = labels.join(".")
        const domain = parseDomain(name)
        if (Either.isLeft(domain)) return
        expect(parseDomain(domain.right)).toEqual(domain)
        expect(`${domain.right}`).toMatch(/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/)
        // The URL standard also applies the Bidi rule of RFC 5893 across labels.
        // It keeps a trailing dot, which the normal form drops.
        if (URL.canParse(`http://${name}`)) {
          expect(`${domain.right}`).toBe(new URL(`http://${name}`).hostname.replace(/\.$/, ""))
        }
      }),
      { numRuns: 3_000 }
    ))

  test("never drops a character of the basic plane silently", () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const lost = characters.filter((character) =>
      Either.match(parseDomain(`a${character}b.example`), {
        onLeft: () => false,
        onRight: (domain) => domain === "ab.example"
      })
    )
    expect(lost).toEqual([])
  })
})

describe("the host of a record", () => {
  test("is relative to the domain", () =>
    expectOutcomes(parseExampleHost, {
      WWW: "www",
      bücher: "xn--bcher-kva",
      ...unchanged("@", "www", "_dmarc.mail", "s1._domainkey", "a_b", "1", "192.0.2.1", "*", "*.app")
    }))

  test("is absolute if it ends in the domain or in a dot", () =>
    expectOutcomes(parseExampleHost, {
      "example.com": "@",
      "example.com.": "@",
      "WWW.Example.COM": "www",
      "www.example.com.": "www",
      "*.example.com": "*",
      "*.app.example.com.": "*.app",
      "notexample.com": "notexample.com",
      "www.example.com.example.org": "www.example.com.example.org",
      ...rejected("host_outside_domain", "notexample.com.", "www.", "com.", "other.net.", "*.other.net.", "*.")
    }))

  test("is suggested as its A-label if it has pictures", () =>
    expectSuggestions((host) => parseHost(host, exampleCom), {
      "☕": ["host_not_idna", "xn--53h"],
      "*.☕": ["host_not_idna", "*.xn--53h"],
      "_x.☕.example.com.": ["host_not_idna", "_x.xn--53h.example.com"]
    }))

  test("has a wildcard only as its whole first label", () =>
    expectOutcomes(
      parseExampleHost,
      rejected("host_has_bad_character", "*.*", "a.*", "a.*.b", "**", "*a", "*.@", "@.www")
    ))

  test("is refused if it is not a name", () =>
    expectOutcomes(parseExampleHost, {
      ...rejected("host_is_empty", "", "."),
      ...rejected("host_has_empty_label", "a..b", "..", ".a", "www.example.com.."),
      ...rejected("host_has_bad_character", "-a", "a-", "a:b"),
      ...rejected("host_not_idna", "ex\u00adample", "xn--0")
    }))

  test("is suggested where it was pasted with more around it", () =>
    expectSuggestions(parseExampleHost, {
      "": ["host_is_empty", "@"],
      " ": ["host_is_empty", "@"],
      ".": ["host_is_empty", "@"],
      "https://www.example.com/": ["host_is_url", "www"],
      "https://example.com": ["host_is_url", "@"],
      "https://www.example.org/": ["host_is_url"],
      "https://www/": ["host_is_url"],
      "www/": ["host_has_trailing_slash", "www"],
      "a/b": ["host_has_path", "a"],
      "www:80": ["host_has_port", "www"],
      "www:": ["host_has_port", "www"],
      "me@example.com": ["host_is_email", "@"],
      "mail@": ["host_is_email", "mail"],
      "“www”": ["host_has_punctuation", "www"],
      '"_dmarc"': ["host_has_punctuation", "_dmarc"],
      "“www.example.com”": ["host_has_punctuation", "www"],
      "→": ["host_not_idna"],
      "www ": ["host_has_space", "www"],
      "a b": ["host_has_space"]
    }))

  test("has at most 63 characters per label and 253 with the domain", () => {
    const longestHost = `${"a.".repeat(120)}a`
    expectOutcomes(parseExampleHost, {
      ...unchanged("a".repeat(63), longestHost, `*.${"a.".repeat(119)}a`),
      ...rejected("host_label_too_long", "a".repeat(64)),
      ...rejected("host_too_long", `${longestHost}b`, `*.${"a.".repeat(119)}ab`)
    })
  })

  test("equals the host parsed from its full name, with or without a trailing dot", () =>
    fc.assert(
      fc.property(host, (host) => {
        const full = toFqdn(host, exampleCom)
        expect([host, full, `${full}.`].map(parseExampleHost)).toEqual(Array(3).fill(Either.right(HostName.make(host))))
      })
    ))
})

test("a target is any name in normal form, but not an IP address or one that ends in a number", () =>
  expectOutcomes(parseTarget, {
    "A.Example.NET.": "a.example.net",
    "bücher.example": "xn--bcher-kva.example",
    ...unchanged("_a.example", "localhost", "com", "10.example", "a1"),
    ...rejected("target_is_ip_address", "192.0.2.1", "192.0.2.1.", "2001:db8::1", "[::1]"),
    ...rejected("target_is_ip_address", "10", "1.2.3", "a.example.10.", "0x", "a.0X1F"),
    ...rejected("host_is_empty", "", "."),
    ...rejected("host_has_empty_label", "a..b"),
    ...rejected("host_has_bad_character", "*.example"),
    ...rejected("host_has_path", "a.example/x")
  }))

test("a target that a zone has is put in normal form, whatever it is", () => {
  expect(["Mail.10.", "192.0.2.1", "Bücher.Example.", "A..B."].map(normalizeTarget)).toEqual([
    "mail.10",
    "192.0.2.1",
    "xn--bcher-kva.example",
    "a..b"
  ])
})

test("names are compared label by label to find those at or below another", () => {
  expect(
    ["example.com", "www.example.com", "a.b.example.com"].filter((name) => isAtOrBelow(name, exampleCom))
  ).toHaveLength(3)
  expect(
    ["notexample.com", "example.com.org", "com", "xample.com", "", "www.example.org"].filter((name) =>
      isAtOrBelow(name, exampleCom)
    )
  ).toEqual([])
  expect(isAtOrBelow("anything", "")).toBe(true)
})

test("the ancestors of a name exclude the root", () => {
  expect(listSelfAndAncestors(DomainName.make("a.b.example.com")).map(String)).toEqual([
    "a.b.example.com",
    "b.example.com",
    "example.com",
    "com"
  ])
})

/** Labels of any script, with characters that may be dropped, merged or refused. */
const label = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/),
  fc.string({
    unit: fc.constantFrom(..."abzA-ßüÜéİσςжאع漢字かﾊ。\u00ad\u200d\u0308\ufe0f"),
    minLength: 1,
    maxLength: 6
  }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
  fc.stringMatching(/^xn--[a-z0-9-]{1,10}$/)
)

const host = fc
  .array(fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,10}[a-z0-9_])?$/), { minLength: 1, maxLength: 4 })
  .filter((labels) => labels.every((label) => !label.startsWith("xn--")))
  .chain((labels) => fc.constantFrom("@", "*", labels.join("."), `*.${labels.join(".")}`))

test("the host of a name is relative to the domain at or above it, and no other name has one", () => {
  const names = ["example.com", "www.example.com", "*.a.example.com", "notexample.com", "com", ".", "a\\046example.com"]
  expect(names.map((name) => Option.getOrNull(toRelativeHost(name, DomainName.make("example.com"))))).toEqual([
    "@",
    "www",
    "*.a",
    null,
    null,
    null,
    null
  ])
})
