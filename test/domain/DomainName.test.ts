import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import {
  DomainName,
  HostName,
  toRelativeHost,
  isAtOrBelow,
  toFqdn,
  parseDomain,
  parseHost,
  parseTarget,
  selfAndAncestors
} from "../../src/domain/DomainName.ts"
import { expectOutcomes, rejected, unchanged } from "./outcomes.ts"

const exampleCom = DomainName.make("example.com")
const readHost = (input: string) => parseHost(input, exampleCom)
const longest = `${"a.".repeat(124)}abcde`

describe("the domain of an intent", () => {
  test("is an apex or a subdomain, in lower case and without its trailing dot", () =>
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

  test("may lie directly below a private suffix, and not be a public one", () =>
    expectOutcomes(parseDomain, {
      ...unchanged("github.io", "www.ck"),
      ...rejected("domain_is_public_suffix", "com", "co.uk", "CO.UK.", "co。uk", "公司.cn", "kawasaki.jp", "any.ck")
    }))

  test("is no IP address, in whatever notation", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_is_ip_address", "192.0.2.1", "192.0.2.1.", "127.1", "0x7f.0.0.0x1", "example.123"),
      ...rejected("domain_is_ip_address", "2001:db8::1", "::ffff:192.0.2.1", "[2001:db8::1]")
    }))

  test("is no wildcard, no single label and not empty", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_is_wildcard", "*", "*.example.com"),
      ...rejected("domain_is_single_label", "localhost", "example"),
      ...rejected("domain_is_empty", "", "."),
      ...rejected("domain_has_empty_label", "a..b", ".example.com", "example.com..")
    }))

  test("has labels of 63 and a name of 253 characters at most, counted as A-labels", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_label_too_long", `${"a".repeat(64)}.com`, `${"ü".repeat(60)}.com`),
      ...rejected("domain_too_long", `${longest}f`, `${"a.".repeat(148)}test`)
    }))

  test("is made of letters, digits and hyphens", () =>
    expectOutcomes(parseDomain, {
      ...rejected("domain_has_bad_character", "exa_mple.com", "-a.com", "a-.com", "example.com/", "me@example.com"),
      ...rejected("domain_not_idna", "exam ple.com", "example.com\n", "exa\u0000mple.com", "\ud800.com", "1א.com")
    }))

  test("is refused where UTS 46 would drop or merge characters, and where its A-label means nothing", () =>
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

  test("has a normal form that is read as itself, and that a URL gives the same name", () =>
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
        const name = labels.join(".")
        const domain = parseDomain(name)
        if (Either.isLeft(domain)) return
        expect(parseDomain(domain.right)).toEqual(domain)
        expect(`${domain.right}`).toMatch(/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/)
        // The URL standard also refuses what breaks the Bidi rule of RFC 5893 across labels.
        // It keeps a dot at the end, which the normal form has not.
        if (URL.canParse(`http://${name}`)) {
          expect(`${domain.right}`).toBe(new URL(`http://${name}`).hostname.replace(/\.$/, ""))
        }
      }),
      { numRuns: 3_000 }
    ))

  test("never loses a character of the basic plane silently", () => {
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
    expectOutcomes(readHost, {
      WWW: "www",
      bücher: "xn--bcher-kva",
      ...unchanged("@", "www", "_dmarc.mail", "s1._domainkey", "a_b", "1", "192.0.2.1", "*", "*.app")
    }))

  test("is absolute if it ends in the domain or in a dot", () =>
    expectOutcomes(readHost, {
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

  test("has a wildcard as its first whole label only", () =>
    expectOutcomes(readHost, rejected("host_has_bad_character", "*.*", "a.*", "a.*.b", "**", "*a", "*.@", "@.www")))

  test("is refused when it is no name", () =>
    expectOutcomes(readHost, {
      ...rejected("host_is_empty", "", "."),
      ...rejected("host_has_empty_label", "a..b", "..", ".a", "www.example.com.."),
      ...rejected("host_has_bad_character", "-a", "a-", "a/b", "a:b"),
      ...rejected("host_not_idna", "a b", "ex\u00adample", "xn--0")
    }))

  test("has labels of 63 characters at most, and with the domain 253", () => {
    const longestHost = `${"a.".repeat(120)}a`
    expectOutcomes(readHost, {
      ...unchanged("a".repeat(63), longestHost, `*.${"a.".repeat(119)}a`),
      ...rejected("host_label_too_long", "a".repeat(64)),
      ...rejected("host_too_long", `${longestHost}b`, `*.${"a.".repeat(119)}ab`)
    })
  })

  test("is the same host when its full name is read, with or without a trailing dot", () =>
    fc.assert(
      fc.property(host, (host) => {
        const full = toFqdn(host, exampleCom)
        expect([host, full, `${full}.`].map(readHost)).toEqual(Array(3).fill(Either.right(HostName.make(host))))
      })
    ))
})

test("a target is any name, in normal form, and no IP address", () =>
  expectOutcomes(parseTarget, {
    "A.Example.NET.": "a.example.net",
    "bücher.example": "xn--bcher-kva.example",
    ...unchanged("_a.example", "localhost", "com"),
    ...rejected("target_is_ip_address", "192.0.2.1", "192.0.2.1.", "2001:db8::1", "[::1]"),
    ...rejected("host_is_empty", "", "."),
    ...rejected("host_has_empty_label", "a..b"),
    ...rejected("host_has_bad_character", "*.example", "a.example/x")
  }))

test("a name lies within another label by label", () => {
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

test("a name and its ancestors end before the root", () => {
  expect(selfAndAncestors(DomainName.make("a.b.example.com")).map(String)).toEqual([
    "a.b.example.com",
    "b.example.com",
    "example.com",
    "com"
  ])
})

/** Labels of letters of any script, with what may be dropped, merged or refused among them. */
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
  .filter((labels) => labels.every((one) => !one.startsWith("xn--")))
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
