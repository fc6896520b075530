import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc, Option } from "effect"
import {
  checkDmarcValue,
  hasEqualTags,
  isDmarc,
  isValidDmarc,
  makeDmarcRecord,
  parseDmarc,
  rankPolicy
} from "../../../src/domain/records/DmarcRecord.ts"
import { expectOutcomes, expectSuggestions, rejected, unchanged } from "../outcomes.ts"
import { unicodeText } from "../../support/unicodeText.ts"

const resultsOf = (check: (text: string) => unknown, texts: ReadonlyArray<string>) =>
  Object.fromEntries(texts.map((text) => [text, check(text)]))

const all = (result: unknown, ...texts: ReadonlyArray<string>) =>
  Object.fromEntries(texts.map((text) => [text, result]))

const tagsOf = (text: string) => [...parseDmarc(text).tags].map((tag) => tag.join("=")).join(" ")

const format = (...tags: ReadonlyArray<readonly [string, string]>) => makeDmarcRecord(tags).text

const areEqual = (first: string, second: string) => hasEqualTags(parseDmarc(first).tags, parseDmarc(second).tags)

const checkValue = (value: string) =>
  Option.match(checkDmarcValue(value), { onNone: () => Either.right(value), onSome: Either.left })

const messageOf = (value: string) => Option.map(checkDmarcValue(value), ({ message }) => message)

test("a text with a DMARC version tag in any position counts as DMARC", () => {
  const expected = {
    ...all(
      true,
      "v=DMARC1",
      "v=DMARC1; p=none",
      "V = dmarc1 ;p=none",
      " \tv=DMARC1;",
      "p=none; v=DMARC1",
      ";;v=DMARC1"
    ),
    ...all(true, "v=DMARC1 p=none", "v=DMARC10"),
    ...all(false, "", "DMARC1", "p=none", "v=spf1 -all", "v=DMARC 1", "note: v=DMARC1", "v=spf1 v=DMARC1", "xv=DMARC1")
  }
  expect(resultsOf(isDmarc, Object.keys(expected))).toEqual(expected)
})

test("a record is valid if it begins with v=DMARC1 and its p, if present, is a policy", () => {
  const expected = {
    ...all(true, "v=DMARC1; p=none", "v=DMARC1;p=quarantine", " V = DMARC1 ; P = Reject ;", "v=DMARC1; rua=x; p=none"),
    ...all(true, "v=DMARC1", "v=DMARC1;", "v=DMARC1; rua=mailto:x@example.com", "v=DMARC1; p=none; sp=block; pct=999"),
    ...all(true, "v=DMARC1; nonsense; p=none", "v=DMARC1; p=none; p=block"),
    ...all(false, "", "p=none", "v=dmarc1; p=none", "v=DMARC2; p=none", "v=DMARC1 p=none", "v=DMARC10; p=none"),
    ...all(false, "p=none; v=DMARC1", "; v=DMARC1; p=none", "nonsense; v=DMARC1; p=none", "v=DMARC1; p=block"),
    ...all(false, "v=DMARC1; p=", "v=DMARC1; p=none none", "v=DMARC1; p=block; p=none", "v=DMARC1; p=reject\u00a0")
  }
  expect(resultsOf((text) => isValidDmarc(parseDmarc(text)), Object.keys(expected))).toEqual(expected)
})

test("tags are parsed in order after v and p, and other text is left out", () => {
  const expected = {
    "v=DMARC1; p=none; rua=mailto:a@example.com": "v=DMARC1 p=none rua=mailto:a@example.com",
    "v=DMARC1; rua=mailto:a@example.com; SP=none; p=reject": "v=DMARC1 p=reject rua=mailto:a@example.com sp=none",
    "v=DMARC1; \t rua = mailto:a@example.com?x=y \r\n": "v=DMARC1 p=none rua=mailto:a@example.com?x=y",
    "v=DMARC1; p=none;; =x; a b=c; 1a=b; \u00a0sp=none; rua; x_1=": "v=DMARC1 p=none x_1=",
    "v=DMARC1; p=none; fo=1; fo=0; FO=d; pct=1": "v=DMARC1 p=none fo=1 pct=1"
  }
  expect(resultsOf(tagsOf, Object.keys(expected))).toEqual(expected)
})

test("the first of several tags with one name applies, and the duplicates are reported", () =>
  expect(parseDmarc("v=DMARC1; p=none; fo=1; P=reject; rua=x; fo=1; fo=0").duplicates).toEqual(["p", "fo"]))

test("records are formatted with v, then p, then the other tags in the given order", () => {
  expect([
    format(["rua", "mailto:a@example.com"], ["p", "reject"], ["pct", "5"], ["v", "DMARC1"]),
    format(["sp", "none"]),
    format()
  ]).toEqual(["v=DMARC1; p=reject; rua=mailto:a@example.com; pct=5", "v=DMARC1; p=none; sp=none", "v=DMARC1; p=none"])
})

test("policies are ranked from none to reject", () =>
  expect(["none", "Quarantine", "REJECT", "", "block", undefined].map((policy) => rankPolicy(policy))).toEqual([
    Option.some(0),
    Option.some(1),
    Option.some(2),
    Option.none(),
    Option.none(),
    Option.none()
  ]))

describe("tags are equal", () => {
  test("in another order, case and spacing", () =>
    expect([
      areEqual("v=DMARC1; p=none; rua=mailto:a@example.com", "V=DMARC1;RUA=mailto:a@example.com;P=None;"),
      areEqual("v=DMARC1", "v=DMARC1; p=none"),
      areEqual(
        "v=DMARC1; rua=mailto:a@b.example,mailto:c@b.example",
        "v=DMARC1; rua=mailto:a@b.example , mailto:c@b.example"
      ),
      areEqual("v=DMARC1; fo=1:D; adkim=S", "v=DMARC1; adkim=s; junk; fo=1:d")
    ]).toEqual([true, true, true, true]))

  test("not with other values, more tags, or another case of unknown values", () =>
    expect([
      areEqual("v=DMARC1; p=none", "v=DMARC1; p=reject"),
      areEqual("v=DMARC1; p=none", "v=DMARC1; p=none; pct=100"),
      areEqual("v=DMARC1; pct=100", "v=DMARC1; ri=100"),
      areEqual("v=DMARC1; rua=mailto:A@example.com", "v=DMARC1; rua=mailto:a@example.com"),
      areEqual("v=DMARC1; x=Y", "v=DMARC1; x=y")
    ]).toEqual([false, false, false, false, false]))
})

describe("a desired DMARC value", () => {
  test("is accepted if it follows RFC 9989 or RFC 7489", () =>
    expectOutcomes(checkValue, {
      ...unchanged(
        "v=DMARC1; p=none",
        "v=DMARC1;p=reject;",
        "V = DMARC1 ; P=Quarantine; sp=none; np=reject",
        "v=DMARC1"
      ),
      ...unchanged("v=DMARC1; p=none; rua=mailto:a@example.com!10m, mailto:b@example.net ,https://r.example/x%2Cy"),
      ...unchanged("v=DMARC1; p=none; adkim=r; aspf=S; fo=0:1:d:s; ruf=mailto:a@example.com; psd=u; t=y; pct=0"),
      ...unchanged(
        "v=DMARC1; p=none; rf=afrf; ri=86400; unknown=!any:thing~",
        "v=DMARC1; rua=mailto:a@example.com; p=none"
      )
    }))

  test("is refused otherwise", () =>
    expectOutcomes(checkValue, {
      ...rejected("value_is_no_dmarc", "", "p=none", "v=dmarc1; p=none", "v=DMARC1 p=none", "p=none; v=DMARC1"),
      ...rejected(
        "value_is_no_dmarc",
        "v=DMARC1; p=block",
        "v=DMARC1; p=",
        "v=DMARC1; p=none; sp=no",
        "v=DMARC1; np=all"
      ),
      ...rejected("value_is_no_dmarc", "v=DMARC1; p=none;; pct=1", "v=DMARC1; p=none; junk", "v=DMARC1; p none"),
      ...rejected("value_is_no_dmarc", "v=DMARC1; p=none; p=none", "v=DMARC1; v=DMARC1", "v=DMARC1; rua=a@example.com"),
      ...rejected(
        "value_is_no_dmarc",
        "v=DMARC1; rua=mailto:a",
        "v=DMARC1; rua=mailto:a@example.com;mailto:b@example.com"
      ),
      ...rejected("value_is_no_dmarc", "v=DMARC1; rua=mailto:a@example.com mailto:b@example.com", "v=DMARC1; ruf=,"),
      ...rejected("value_is_no_dmarc", "v=DMARC1; pct=101", "v=DMARC1; pct=5%", "v=DMARC1; fo=2", "v=DMARC1; fo=1,d"),
      ...rejected(
        "value_is_no_dmarc",
        "v=DMARC1; adkim=strict",
        "v=DMARC1; aspf=",
        "v=DMARC1; psd=1",
        "v=DMARC1; t=yes"
      ),
      ...rejected(
        "value_is_no_dmarc",
        "v=DMARC1; x=ü",
        "v=DMARC1; x=a\u0000b",
        "v=DMARC1; x=a\tb",
        "v=DMARC1;\u00a0p=none"
      )
    }))

  test("is suggested as receivers know it", () =>
    expectSuggestions(checkValue, {
      "p=none": ["value_is_no_dmarc", "v=DMARC1; p=none"],
      "v=dmarc1, p=none, rua=mailto:a@x.example": ["value_is_no_dmarc", "v=DMARC1; p=none; rua=mailto:a@x.example"],
      "v=DMARC1; p=rejct; sp:quarantene": ["value_is_no_dmarc", "v=DMARC1; p=reject; sp=quarantine"],
      "v=DMARC1; p=monitor": ["value_is_no_dmarc"],
      "v=DMARC1; p=none rua=a@x.example": ["value_is_no_dmarc", "v=DMARC1; p=none; rua=mailto:a@x.example"],
      "v=DMARC1; p=none; rua=malto:a@x.example": ["value_is_no_dmarc", "v=DMARC1; p=none; rua=mailto:a@x.example"],
      "v=DMARC1; p=none; rua=mailto:a@x.example; mailto:b@x.example": [
        "value_is_no_dmarc",
        "v=DMARC1; p=none; rua=mailto:a@x.example,mailto:b@x.example"
      ],
      "v=DMARC1; p=none; ruf=a@x.example b@x.example": [
        "value_is_no_dmarc",
        "v=DMARC1; p=none; ruf=mailto:a@x.example,mailto:b@x.example"
      ],
      "v=DMARC1; p=none; rua:mailto:a@x.example": ["value_is_no_dmarc", "v=DMARC1; p=none; rua=mailto:a@x.example"],
      "v=DMARC1; p=none; adkim=strict; aspf=Relaxed": ["value_is_no_dmarc", "v=DMARC1; p=none; adkim=s; aspf=r"],
      "v=DMARC1; p=none; pct=50%; fo=1,d; t=yes": ["value_is_no_dmarc", "v=DMARC1; p=none; pct=50; fo=1:d; t=y"],
      "v=DMARC1; p=none; rau=mailto:a@x.example": ["value_is_no_dmarc", "v=DMARC1; p=none; rua=mailto:a@x.example"],
      "v=DMARC1; policy=none": ["value_is_no_dmarc", "v=DMARC1; p=none"],
      "v=DMARC1; p=none; p=reject": ["value_is_no_dmarc"],
      hello: ["value_is_no_dmarc"],
      "v=spf1 -all": ["value_is_no_dmarc"]
    }))

  test("is refused with a message that names the tag and the rule, and quotes no value", () => {
    const long = "x".repeat(4_000)
    expect(
      [
        `v=${long}`,
        "v=DMARC1; sp=block",
        "v=DMARC1; p=none; rua",
        "v=DMARC1; p=none; pct=1; PCT=2",
        `v=DMARC1; ${long}=ü`,
        `v=DMARC1; rua=${long}`
      ].map(messageOf)
    ).toEqual(
      [
        "a DMARC record begins with the tag v=DMARC1, in this spelling (RFC 9989 section 4.7)",
        "the tag sp must be none, quarantine or reject (RFC 9989 section 4.7)",
        "tag 3 of the value is not written name=value (RFC 9989 section 4.8)",
        "the tag pct is given more than once",
        "the tag xxxxxxxxxxxxxxxxxxxx… may hold only printable ASCII without semicolons (RFC 9989 section 4.8)",
        "the tag rua must be URIs such as mailto:dmarc@example.com, separated by commas (RFC 9989 section 4.6)"
      ].map(Option.some)
    )
  })
})

describe("hostile texts", () => {
  const size = 65_536
  const hostile = {
    semicolons: ";".repeat(size),
    spaces: `v=DMARC1;${" ".repeat(size)}x`,
    "spaces within a tag": `v=DMARC1; a${" ".repeat(size)}b=c`,
    "spaces before each version": `${";".padEnd(1_000)}`.repeat(65),
    "spaces between words": " x".repeat(size / 2),
    "equal signs": "=".repeat(size),
    tags: `v=DMARC1${Array.from({ length: 10_000 }, (_, at) => `;a${at}=1`).join("")}`,
    "one tag many times": `v=DMARC1${"; p=none".repeat(10_000)}`,
    addresses: `v=DMARC1; rua=${"mailto:a@example.com,".repeat(3_000)}`,
    "a long address": `v=DMARC1; rua=mailto:${"a".repeat(size)}`,
    "a long scheme": `v=DMARC1; rua=${"a".repeat(size)}!1!`,
    "lone surrogates": `v=DMARC1; p=none; \ud800=\udfff; x=${"\ud800".repeat(1_000)}`,
    "control characters": `v=DMARC1;${"\u0000\u0007".repeat(1_000)}=x`
  }

  for (const [name, text] of Object.entries(hostile)) {
    test(`of ${name} are parsed, compared and checked like any other`, () => {
      const record = parseDmarc(text)
      const formatted = makeDmarcRecord(record.tags)
      expect(isDmarc(text)).toBe(text.startsWith("v=DMARC1"))
      expect(hasEqualTags(formatted.tags, record.tags)).toBe(true)
      expect(formatted.text.isWellFormed()).toBe(true)
      expect(Option.isSome(checkDmarcValue(text))).toBe(name !== "tags")
    })
  }

  test("of any kind keep their tags when formatted and parsed again", () =>
    fc.assert(
      fc.property(fc.oneof(unicodeText, fc.stringMatching(/^v=DMARC1(;[ a-z=:,@\t]*){0,6}$/)), (text) => {
        const { tags } = parseDmarc(text)
        const formatted = makeDmarcRecord(tags)
        expect([...parseDmarc(formatted.text).tags]).toEqual([...tags])
        expect(makeDmarcRecord(formatted.tags).text).toBe(formatted.text)
      })
    ))
})
