import { describe, expect, test } from "bun:test"
import { Either, Option } from "effect"
import { checkSpfValue } from "../../../src/domain/records/checkSpfValue.ts"
import { expectSuggestions } from "../outcomes.ts"

const codeOf = (value: string) =>
  Option.match(checkSpfValue(value), { onNone: () => "fine", onSome: ({ code }) => code })

describe("a desired SPF record", () => {
  test("is refused if it is invalid or allows every sender", () => {
    const expected = {
      "v=spf1 include:u1.wl.sendgrid.net -all": "fine",
      "v=spf1": "fine",
      "V=SPF1  ?all": "fine",
      "v=spf1 ra=postmaster default=pass x.y=%{i} -all": "fine",
      "v=spf1 exists:%{i}._spf.%{d2} a:%{d}/24 -all": "fine",
      "v=spf1 redirect=_spf.example.com exp=x.example": "fine",
      hello: "fine",
      "v=spf10": "fine",
      "v=spf2.0/pra a": "fine",
      "our spf record ends in ~all": "fine",
      "spf1 is what we use": "fine",
      " v=spf1 -all": "spf_version_malformed",
      '"v=spf1 -all"': "spf_version_malformed",
      "v=spf1;include:a.example": "spf_version_malformed",
      "v=spf1\t-all": "spf_version_malformed",
      "v = spf1 -all": "spf_version_malformed",
      "v=spf1-all": "spf_version_malformed",
      "v=spf1 include:a.example, -all": "spf_term_malformed",
      "v=spf1 -all;": "spf_term_malformed",
      "v=spf1 redirect=a.example redirect=b.example": "spf_modifier_repeated",
      "v=spf1 exp=a.example exp=a.example": "spf_modifier_repeated",
      "v=spf1 +all": "spf_allows_all",
      "v=spf1 mx ALL": "spf_allows_all",
      "v=spf1 -all all": "spf_allows_all"
    }
    expect(Object.fromEntries(Object.keys(expected).map((value) => [value, codeOf(value)]))).toEqual(expected)
  })

  test("is refused with the first malformed term and the rule that it breaks", () => {
    const messages = [
      "v=spf1 mx ip4:192.0.2.300 redirect:x.example",
      "v=spf1 redirect:x.example",
      `v=spf1 ${"x".repeat(60_000)}`,
      `v=spf1 a:${"x".repeat(37)}😀`
    ].map((value) => Option.getOrUndefined(checkSpfValue(value))?.message)
    expect(messages).toEqual([
      "`ip4:192.0.2.300` is no term of an SPF record: `ip4:` takes one IPv4 network (RFC 7208 section 5.6)",
      "`redirect:x.example` is no term of an SPF record: `redirect=` takes one domain (RFC 7208 section 6.1)",
      `\`${"x".repeat(40)}…\` is no term of an SPF record: it must be a mechanism or a modifier, with single spaces around it (RFC 7208 section 4.6.1)`,
      `\`a:${"x".repeat(37)}\ufffd…\` is no term of an SPF record: \`a\` takes a domain and prefix lengths or neither (RFC 7208 section 5.3)`
    ])
  })
})

const check = (value: string) =>
  Option.match(checkSpfValue(value), { onNone: () => Either.right(value), onSome: Either.left })

describe("a desired SPF record that would permit nobody is refused, and suggested as it is meant", () => {
  test("where a mechanism is written as a modifier, or misspelled", () =>
    expectSuggestions(check, {
      "v=spf1 include=x.example ~all": ["spf_term_malformed", "v=spf1 include:x.example ~all"],
      "v=spf1 ip=192.0.2.1 -all": ["spf_term_malformed", "v=spf1 ip4:192.0.2.1 -all"],
      "v=spf1 ip:2001:db8::1 -all": ["spf_term_malformed", "v=spf1 ip6:2001:db8::1 -all"],
      "v=spf1 ipv4=192.0.2.1 -all": ["spf_term_malformed", "v=spf1 ip4:192.0.2.1 -all"],
      "v=spf1 inlcude:x.example ~all": ["spf_term_malformed", "v=spf1 include:x.example ~all"],
      "v=spf1 includes=x.example ~all": ["spf_term_malformed", "v=spf1 include:x.example ~all"],
      "v=spf1 redirct=x.example": ["spf_term_malformed", "v=spf1 redirect=x.example"],
      "v=spf1 foo:bar ~all": ["spf_term_malformed"]
    }))

  test("where a term has an argument of another mechanism", () =>
    expectSuggestions(check, {
      "v=spf1 ip4:2001:db8::/32 -all": ["spf_term_malformed", "v=spf1 ip6:2001:db8::/32 -all"],
      "v=spf1 ip6:192.0.2.1 -all": ["spf_term_malformed", "v=spf1 ip4:192.0.2.1 -all"],
      "v=spf1 include:192.0.2.1 mx:192.0.2.0/24 -all": [
        "spf_term_malformed",
        "v=spf1 ip4:192.0.2.1 ip4:192.0.2.0/24 -all"
      ],
      "v=spf1 ip4:192.0.2.0/255.255.255.0 -all": ["spf_term_malformed", "v=spf1 ip4:192.0.2.0/24 -all"],
      "v=spf1 ip4:192.0.2.0/255.0.255.0 -all": ["spf_term_malformed"],
      "v=spf1 a/24/64 -all": ["spf_term_malformed", "v=spf1 a/24//64 -all"],
      "v=spf1 ip4:192.0.2.1:25 -all": ["spf_term_malformed", "v=spf1 ip4:192.0.2.1 -all"]
    }))

  test("where a domain is none that can be looked up", () =>
    expectSuggestions(check, {
      "v=spf1 include:https://x.example/ -all": ["spf_term_malformed", "v=spf1 include:x.example -all"],
      "v=spf1 include:user@x.example -all": ["spf_term_malformed", "v=spf1 include:x.example -all"],
      "v=spf1 include:bücher.example -all": ["spf_term_malformed", "v=spf1 include:xn--bcher-kva.example -all"],
      "v=spf1 include:*.x.example -all": ["spf_term_malformed"],
      "v=spf1 include:mail -all": ["spf_term_malformed"],
      "v=spf1 redirect=mail": ["spf_term_malformed"]
    }))

  test("where separators or dashes are not those of the standard", () =>
    expectSuggestions(check, {
      "v=spf1; include:x.example; -all;": ["spf_version_malformed", "v=spf1 include:x.example -all"],
      "v=spf1, include:x.example, a ~all": ["spf_version_malformed", "v=spf1 include:x.example a ~all"],
      "v=spf1 include: x.example - all": ["spf_term_malformed", "v=spf1 include:x.example -all"],
      "v=spf1 include:x.example \u2013all": ["spf_term_malformed", "v=spf1 include:x.example -all"],
      "v=spf1 include:x.example all": ["spf_allows_all", "v=spf1 include:x.example ~all"]
    }))

  test("where the version is misspelled", () =>
    expectSuggestions(check, {
      "spf1 include:x.example ~all": ["spf_version_malformed", "v=spf1 include:x.example ~all"],
      "v=spf2 include:x.example -all": ["spf_version_malformed", "v=spf1 include:x.example -all"],
      "v=spf include:x.example -all": ["spf_version_malformed", "v=spf1 include:x.example -all"],
      "v:spf1 a -all": ["spf_version_malformed", "v=spf1 a -all"],
      "v=spf1include:x.example": ["spf_version_malformed", "v=spf1 include:x.example"]
    }))

  test("where terms have no effect: behind all, a redirect beside it, or in a second record", () =>
    expectSuggestions(check, {
      "v=spf1 -all mx include:x.example": ["spf_term_ignored", "v=spf1 mx include:x.example -all"],
      "v=spf1 a redirect=x.example ~all": ["spf_term_ignored", "v=spf1 a redirect=x.example"],
      "v=spf1 include:x.example ~all v=spf1 a -all": ["spf_term_malformed", "v=spf1 include:x.example a ~all"],
      "v=spf1 -all exp=why.example ra=x": ["accepted", "v=spf1 -all exp=why.example ra=x"]
    }))
})
