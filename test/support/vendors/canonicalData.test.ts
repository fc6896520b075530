import { expect, test } from "bun:test"
import { areQuotedStrings, isZoneFileData, toCanonicalData } from "./canonicalData.ts"

test("data have one form, whatever the spelling", () => {
  const forms = [
    ["AAAA", "2001:0DB8:0:0::FFFF:192.0.2.1", "2001:db8::ffff:c000:201"],
    ["MX", "010 mail.example.net.", "10 mail.example.net."],
    ["CAA", "0 issue ca.example", '0 issue "ca.example"'],
    ["TXT", `"${"x".repeat(256)}" "\\065ä\\"" ""`, `"${"x".repeat(255)}" "x" "A\\195\\164\\"" ""`],
    ["DS", "12345 13 2 AB CD", "12345 13 2 abcd"],
    ["HTTPS", "0 web.example.net.", "0 web.example.net."],
    ["NAPTR", '10 20 "s" SIP+D2U "" _sip._udp.example.net.', '10 20 "s" "SIP+D2U" "" _sip._udp.example.net.']
  ] as const
  expect(forms.map(([type, data]) => toCanonicalData(type, data))).toEqual(forms.map(([, , canonical]) => canonical))
})

test("data of another type, unquoted texts, and names without a final dot have none", () => {
  const malformed = [
    ["A", "192.0.2"],
    ["A", "192.0.2.1."],
    ["A", "192.0.2.01"],
    ["A", "192.0.2.1 192.0.2.2"],
    ["AAAA", "192.0.2.1"],
    ["AAAA", "2001:db8::g"],
    ["CNAME", "web.example.net"],
    ["CNAME", `${"x".repeat(64)}.example.net.`],
    ["MX", "65536 mail.example.net."],
    ["MX", "mail.example.net."],
    ["TXT", "text"],
    ["TXT", ""],
    ["ALIAS", "web.example.net."]
  ] as const
  expect(malformed.filter(([type, data]) => toCanonicalData(type, data) !== undefined)).toEqual([])
})

test("data of a known form must have it, and a target may lack the dot at its end", () => {
  const taken = [
    ["MX", "10 mail.example.net"],
    ["CNAME", "web.example.net."],
    ["ALIAS", "anything at all"]
  ] as const
  expect(taken.filter(([type, data]) => !isZoneFileData(type, data))).toEqual([])
  const refused = [
    ["MX", "mail.example.net"],
    ["A", "192.0.2"]
  ] as const
  expect(refused.filter(([type, data]) => isZoneFileData(type, data))).toEqual([])
})

test("a text is in quoted strings of at most 255 bytes, with no other escapes than those of the vendor", () => {
  const escapes = String.raw`[0-3][0-7]{2}|\D`
  const texts = ['""', '"one" "two"', String.raw`"say \"hi\" \303"`, `"${"x".repeat(254)}${String.raw`\303`}"`]
  expect(texts.filter((text) => !areQuotedStrings(text, escapes))).toEqual([])
  const others = [
    "",
    "text",
    '"one"  "two"',
    '"one',
    String.raw`"\389"`,
    `"${"x".repeat(256)}"`,
    `"${"ä".repeat(128)}"`
  ]
  expect(others.filter((text) => areQuotedStrings(text, escapes))).toEqual([])
})
