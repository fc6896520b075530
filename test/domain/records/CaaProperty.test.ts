import { expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import {
  type CaaProperty,
  isUnknownCritical,
  parseCaa,
  checkCaaValue
} from "../../../src/domain/records/CaaProperty.ts"
import type { ValueIssue } from "../../../src/domain/error/ErrorDetail.ts"
import { parseValue } from "../../../src/domain/records/recordTypes.ts"
import { expectSuggestions } from "../outcomes.ts"
import { unicodeText } from "../../support/unicodeText.ts"

const emptyProperty: CaaProperty = { isCritical: false, tag: "", issuer: "", parameters: [] }

const issue = (issuer: string, ...parameters: ReadonlyArray<string>): CaaProperty => ({
  ...emptyProperty,
  tag: "issue",
  issuer,
  parameters
})

const parses = (name: string, expected: Readonly<Record<string, CaaProperty>>) =>
  test(name, () =>
    expect(Object.fromEntries(Object.keys(expected).map((value) => [value, parseCaa(value)]))).toEqual(expected)
  )

parses("an issuer is a domain in any letter case, with white space around it (RFC 8659 section 4.2)", {
  '0 issue "letsencrypt.org"': issue("letsencrypt.org"),
  '0 issue "  LetsEncrypt.ORG \\009"': issue("letsencrypt.org"),
  '0 issue "xn--bcher-kva.example"': issue("xn--bcher-kva.example"),
  '0 issue "ca"': issue("ca"),
  '0 issuewild "ca.example"': { ...issue("ca.example"), tag: "issuewild" }
})

parses("parameters are the same in any order and spacing, and their tags in any letter case", {
  '0 issue "ca.example;"': issue("ca.example"),
  '0 issue "ca.example ; "': issue("ca.example"),
  '0 issue "ca.example;b=2;a=1"': issue("ca.example", "a=1", "b=2"),
  '0 issue "ca.example; A = 1 ;\\009b=\\0092"': issue("ca.example", "a=1", "b=2"),
  '0 issue "ca.example; accountURI=https://ca.example/Acct/1?x=y"': issue(
    "ca.example",
    "accounturi=https://ca.example/Acct/1?x=y"
  ),
  '0 issue "ca.example; validation-methods="': issue("ca.example", "validation-methods=")
})

parses("no issuer, or one that does not follow the grammar, allows nobody", {
  '0 issue ";"': issue(""),
  '0 issue ""': issue(""),
  '0 issue "; accounturi=x"': issue("", "accounturi=x"),
  '0 issue "%%%%%"': issue(""),
  '0 issue "ca_example"': issue(""),
  '0 issue "-ca.example"': issue(""),
  '0 issue "ca-.example"': issue(""),
  '0 issue "ca..example"': issue(""),
  '0 issue "ca.example."': issue(""),
  '0 issue "*.ca.example"': issue(""),
  '0 issue "ca.example other.example"': issue(""),
  '0 issue "ca.example a=1"': issue(""),
  '0 issue "ca.example;a"': issue(""),
  '0 issue "ca.example;=1"': issue(""),
  '0 issue "ca.example;a=1;"': issue(""),
  '0 issue "ca.example;;a=1"': issue(""),
  '0 issue "ca.example;a=1 b=2"': issue(""),
  '0 issue "b\\195\\188cher.example"': issue("")
})

parses("an escaped byte stands for itself", {
  '0 issue "ca\\046example"': issue("ca.example"),
  '0 issue "ca.example; a=\\0341\\034"': issue("ca.example", 'a="1"'),
  '0 issue "ca.example; a=1\\0322"': issue("")
})

parses("other tags are known by their name only", {
  '0 iodef "mailto:me@example.com"': { ...emptyProperty, tag: "iodef" },
  '0 issuemail "ca.example"': { ...emptyProperty, tag: "issuemail" },
  '0 issuevmc "ca.example"': { ...emptyProperty, tag: "issuevmc" },
  '128 tbs "Unknown"': { ...emptyProperty, tag: "tbs", isCritical: true }
})

parses("critical is the highest bit of the flags (RFC 8659 section 4.1)", {
  '128 issue "ca.example"': { ...issue("ca.example"), isCritical: true },
  '255 issue "ca.example"': { ...issue("ca.example"), isCritical: true },
  '127 issue "ca.example"': issue("ca.example"),
  '1 issue "ca.example"': issue("ca.example"),
  "\\# 9 8003612d62782e79": { ...emptyProperty, isCritical: true },
  "\\# 9 0003612d62782e79": emptyProperty,
  "\\# 0": emptyProperty
})

parses("what makes no sense says nothing", {
  "": emptyProperty,
  "0 issue ca.example": emptyProperty,
  '0 is-sue "ca.example"': emptyProperty,
  'issue "ca.example"': emptyProperty,
  '-1 issue "ca.example"': emptyProperty,
  '256 issue "ca.example"': emptyProperty,
  '0 issue "ca.example"x"': emptyProperty,
  '0 issue "ca.example\\"': emptyProperty,
  '0 issue "ca\\.example"': emptyProperty,
  '0 issue "bücher.example"': emptyProperty,
  "\ud800": emptyProperty
})

test("a critical property blocks every CA unless its tag is a known one", () => {
  const values = ["issue", "issuewild", "iodef", "issuemail", "issuevmc", "tbs", "contactemail"].flatMap((tag) => [
    `0 ${tag} "x"`,
    `128 ${tag} "x"`
  ])
  expect([...values, "\\# 3 800161"].filter((value) => isUnknownCritical(parseCaa(value)))).toEqual([
    '128 tbs "x"',
    '128 contactemail "x"',
    "\\# 3 800161"
  ])
})

test("a desired issuer must follow the grammar, since a malformed one would allow no CA", () => {
  const issue: ValueIssue = {
    code: "caa_issuer_malformed",
    message: "the value of this tag must be `issuer; tag=value; …` (RFC 8659 section 4.2)"
  }
  const refused = Option.some(issue)
  const suggested = (suggestion: string) => Option.some({ ...issue, suggestion })
  const verdicts = {
    '0 issue "ca.example; accounturi=https://ca.example/1"': Option.none(),
    '0 issuewild ";"': Option.none(),
    '0 iodef "mailto:%%%"': Option.none(),
    '128 tbs "ca.example;"': Option.none(),
    '0 issue "https://ca.example"': suggested('0 issue "ca.example"'),
    "128 issuewild \"'ca.example'\"": suggested('128 issuewild "ca.example"'),
    '0 issue "\\226\\128\\156ca.example\\226\\128\\157"': suggested('0 issue "ca.example"'),
    '0 issue "https://ca_example"': refused,
    '0 issuewild "ca.example;a"': refused
  }
  expect(Object.fromEntries(Object.keys(verdicts).map((value) => [value, checkCaaValue(value)]))).toEqual(verdicts)
})

const checkDesired = (value: string) =>
  Either.flatMap(parseValue("CAA", value), (normal) =>
    Option.match(checkCaaValue(normal), { onNone: () => Either.right(normal), onSome: Either.left })
  )

test("a desired value that no CA would understand is refused, and suggested as it is meant", () =>
  expectSuggestions(checkDesired, {
    '0 issued "ca.example"': ["caa_tag_unknown", '0 issue "ca.example"'],
    '0 issewild "ca.example"': ["caa_tag_unknown", '0 issuewild "ca.example"'],
    '0 wild "ca.example"': ["caa_tag_unknown", '0 issuewild "ca.example"'],
    '0 issue-wild "ca.example"': ["value_is_no_caa", '0 issuewild "ca.example"'],
    'issue: "ca.example"': ["value_is_no_caa", '0 issue "ca.example"'],
    '0 issue "ca"': ["caa_issuer_malformed"],
    '0 issue "192.0.2.1"': ["caa_issuer_malformed"],
    '0 issue "ca.example."': ["caa_issuer_malformed", '0 issue "ca.example"'],
    '0 issuewild "*.ca.example"': ["caa_issuer_malformed", '0 issuewild "ca.example"'],
    '0 issue "ca.example accounturi=https://ca.example/1"': [
      "caa_issuer_malformed",
      '0 issue "ca.example; accounturi=https://ca.example/1"'
    ],
    '0 issuemail "https://ca.example"': ["caa_issuer_malformed", '0 issuemail "ca.example"'],
    '0 iodef "security@example.com"': ["caa_contact_malformed", '0 iodef "mailto:security@example.com"'],
    '0 iodef "security"': ["caa_contact_malformed"],
    '0 iodef "https://example.com/report"': ["accepted", '0 iodef "https://example.com/report"'],
    '0 tbs "x"': ["accepted", '0 tbs "x"']
  }))

test("any value can be parsed", () =>
  fc.assert(
    fc.property(
      fc.oneof(
        unicodeText,
        unicodeText.map((text) => `0 issue "${text}"`),
        fc.string({ unit: fc.constantFrom("a", "-", ".", ";", "=", " ", "\\", "0") }).map((text) => `0 issue "${text}"`)
      ),
      (value) => {
        const { issuer, parameters, tag } = parseCaa(value)
        expect(["", "issue"]).toContain(tag)
        expect(issuer).toMatch(/^([a-z\d]+([.-]+[a-z\d]+)*)?$/)
        expect(parameters).toEqual(parameters.toSorted())
      }
    ),
    { numRuns: 1000 }
  ))

test("hostile values of 64 KB are parsed quickly", () => {
  const parts = ["a", " ", "\t", ";", "=", "-", ".", "\\", '\\"', "a;", "a=", "a.", "a-", "\u0000", "\ud800", "a=1;"]
  const values = parts.map((part) => part.repeat(65_536 / part.length))
  const texts = values.flatMap((value) => [value, `0 issue "${value}"`, `0 issue "a;${value}x"`, `0 ${value}`])
  expect(new Set(texts.map((text) => parseCaa(text).tag))).toEqual(new Set(["", "issue"]))
})
