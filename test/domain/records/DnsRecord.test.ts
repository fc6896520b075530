import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { normalizeValue, parseValue, type RecordType } from "../../../src/domain/records/recordTypes.ts"
import { expectOutcomes, expectSuggestions, type Outcomes, rejected, unchanged } from "../outcomes.ts"

const parses = (type: RecordType, name: string, expected: Outcomes) =>
  test(name, () => expectOutcomes((value) => parseValue(type, value), expected))

describe("a desired value", () => {
  parses("A", "of an A record is one IPv4 address in dotted decimal", {
    ...unchanged("192.0.2.1", "0.0.0.0"),
    ...rejected("value_is_no_ipv4_address", "", "192.0.2", "192.0.2.01", "256.0.0.1", "192.0.2.1 ", "0x7f.0.0.1"),
    ...rejected("value_is_no_ipv4_address", "2001:db8::1", "::ffff:192.0.2.1", "example.com", "192.0.2.1,192.0.2.2")
  })

  parses("AAAA", "of an AAAA record is one IPv6 address in the form of RFC 5952", {
    "2001:DB8:0:0:0:0:0:1": "2001:db8::1",
    "::ffff:192.0.2.1": "::ffff:c000:201",
    "1:0:0:2:0:0:0:3": "1:0:0:2::3",
    ...unchanged("2001:db8::1", "::", "1:0:2:3:4:5:6:7"),
    ...rejected(
      "value_is_no_ipv6_address",
      "",
      "192.0.2.1",
      "[::1]",
      "fe80::1%eth0",
      "1::2::3",
      "12345::",
      "example.com"
    )
  })

  for (const type of ["CNAME", "NS"] as const) {
    parses(type, `of a ${type} record is a name, in normal form`, {
      "Target.Example.NET.": "target.example.net",
      "bücher.example": "xn--bcher-kva.example",
      ...unchanged("_acme.example.net"),
      ...rejected("target_is_empty", "", "."),
      ...rejected("target_is_ip_address", "192.0.2.1", "2001:db8::1", "10", "1.2.3", "shop.10.", "0x7f"),
      ...rejected("target_has_empty_label", "a..b"),
      ...rejected("target_has_bad_character", "*.example.net"),
      ...rejected("target_is_url", "https://example.net"),
      ...rejected("target_has_space", "10 example.net"),
      ...rejected("target_label_too_long", "a".repeat(64)),
      ...rejected("target_too_long", "a.".repeat(150))
    })
  }

  parses("MX", "of an MX record is a name, or a dot for no mail (RFC 7505)", {
    "Mail.Example.NET.": "mail.example.net",
    ...unchanged("."),
    ...rejected("target_is_empty", ""),
    ...rejected("target_is_ip_address", "192.0.2.1", "1.2.3", "mail.10"),
    ...rejected("value_has_priority", "10 mail.example.net", "10", " 0 ")
  })

  test("is suggested where more than the value was sent", () => {
    expectSuggestions((value) => parseValue("MX", value), {
      "10 mx.example.org": ["value_has_priority", "mx.example.org"],
      "10\tMX.example.org.": ["value_has_priority", "mx.example.org"],
      "0 .": ["value_has_priority", "."],
      "mx.example.net 10": ["value_has_priority", "mx.example.net"],
      " MX.example.net.\t0 ": ["value_has_priority", "mx.example.net"],
      "mx.example.net 10 20": ["target_has_space"],
      "10 192.0.2.1": ["value_has_priority"],
      "10 20": ["value_has_priority"],
      "10": ["value_has_priority"],
      "https://10/": ["target_is_url"],
      "https://mx.example.org/": ["target_is_url", "mx.example.org"],
      "me@example.org": ["target_is_email", "example.org"]
    })
    expectSuggestions((value) => parseValue("CNAME", value), {
      "https://shops.example.net/": ["target_is_url", "shops.example.net"],
      "shops.example.net/": ["target_has_trailing_slash", "shops.example.net"],
      " shops.example.net": ["target_has_space", "shops.example.net"]
    })
    expectSuggestions((value) => parseValue("SRV", value), {
      "10 5 5060 Sip.example.net": ["value_is_no_srv", "5 5060 sip.example.net"],
      "10 5 5060 192.0.2.1": ["value_is_no_srv"],
      "5060 sip.example.net": ["value_is_no_srv", "0 5060 sip.example.net"],
      "5, 5060, sip.example.net": ["value_is_no_srv", "5 5060 sip.example.net"],
      "5:5060:sip.example.net": ["value_is_no_srv", "5 5060 sip.example.net"],
      "5 70000 sip.example.net": ["value_is_no_srv"],
      "sip.example.net 5060 5": ["value_is_no_srv"],
      "5 5060 https://Sip.example.net": ["target_is_url", "5 5060 sip.example.net"],
      "05 5060 sip.example.net/": ["target_has_trailing_slash", "5 5060 sip.example.net"],
      "5 5060 https://192.0.2.1": ["target_is_url"]
    })
    expectSuggestions((value) => parseValue("A", value), {
      "192.0.2.1:443": ["value_is_no_ipv4_address", "192.0.2.1"],
      "http://192.0.2.1/": ["value_is_no_ipv4_address", "192.0.2.1"],
      "192.0.2.1/24": ["value_is_no_ipv4_address", "192.0.2.1"],
      "“192.0.2.1”": ["value_is_no_ipv4_address", "192.0.2.1"],
      " 192.0.2.1": ["value_is_no_ipv4_address", "192.0.2.1"],
      "192.0.2.1\u200b": ["value_is_no_ipv4_address", "192.0.2.1"],
      "192.0.2.1, 192.0.2.2": ["value_is_no_ipv4_address"],
      "http://[2001:db8::1]/": ["value_is_no_ipv4_address"],
      "192.000.002.001": ["value_is_no_ipv4_address"]
    })
    expectSuggestions((value) => parseValue("AAAA", value), {
      "[2001:DB8::1]": ["value_is_no_ipv6_address", "2001:db8::1"],
      "http://[2001:db8::1]:80/": ["value_is_no_ipv6_address", "2001:db8::1"],
      "2001:db8::1/64": ["value_is_no_ipv6_address", "2001:db8::1"],
      "fe80::1%eth0": ["value_is_no_ipv6_address"]
    })
    expectSuggestions((value) => parseValue("CAA", value), {
      "ca.example": ["value_is_no_caa", '0 issue "ca.example"'],
      'issue "ca.example"': ["value_is_no_caa", '0 issue "ca.example"'],
      'issuewild "ca.example"': ["value_is_no_caa", '0 issuewild "ca.example"'],
      '0 issue "ca.example': ["value_is_no_caa", '0 issue "ca.example"'],
      '256 issue "ca.example"': ["value_is_no_caa"]
    })
    expectSuggestions((value) => parseValue("TXT", value), {
      '"v=DMARC1; p=none"': ["value_has_quotes", "v=DMARC1; p=none"],
      '"v=DKIM1; p=abc" "def"': ["value_has_quotes", "v=DKIM1; p=abcdef"],
      ' "v=DKIM1\\; p=abc"\n"def" ': ["value_has_quotes", "v=DKIM1; p=abcdef"],
      '"say \\"hi\\" \\092 \\195\\188"': ["value_has_quotes", 'say "hi" \\ ü'],
      '( "v=DKIM1; k=rsa; "\n\t"p=abc" "def" )': ["value_has_quotes", "v=DKIM1; k=rsa; p=abcdef"],
      '("v=DKIM1; p=abc" ; the "key"\n "def") ; of example.com': ["value_has_quotes", "v=DKIM1; p=abcdef"],
      '_dmarc.example.org. 3600 IN TXT "v=DMARC1; p=none"': ["value_has_quotes", "v=DMARC1; p=none"],
      's._domainkey IN TXT ( "v=DKIM1; p=abc" "def" ) ; ----- DKIM': ["value_has_quotes", "v=DKIM1; p=abcdef"],
      '"v=DKIM1; p=abc" "def" ; ----- DKIM key s for example.org': ["value_has_quotes", "v=DKIM1; p=abcdef"],
      'IN TXT "v=spf1 -all"': ["value_has_quotes", "v=spf1 -all"],
      '@ 300 TXT "abc"': ["value_has_quotes", "abc"],
      '"abc" "def" ; comment': ["value_has_quotes", "abcdef"],
      '"google-site-verification=abc': ["value_has_quotes", "google-site-verification=abc"],
      '""': ["value_has_quotes"],
      '"a\\000b"': ["value_has_quotes"],
      '"\\"twice\\""': ["value_has_quotes"]
    })
  })

  test("of a mail policy or key is refused with quotes and escapes that a zone file left in it", () => {
    expectSuggestions((value) => parseValue("TXT", value), {
      'v=DKIM1; p=abc" "def': ["value_has_quotes", "v=DKIM1; p=abcdef"],
      '("k=rsa;" "p=abc"': ["value_has_quotes", "k=rsa;p=abc"],
      '"v=DKIM1; p=abc': ["value_has_quotes", "v=DKIM1; p=abc"],
      'v=DKIM1; p=abc"': ["value_has_quotes", "v=DKIM1; p=abc"],
      "v=DKIM1\\; k=rsa\\; p=abc": ["value_has_quotes", "v=DKIM1; k=rsa; p=abc"],
      'k=rsa; p=abc"\n\t"def': ["value_has_quotes", "k=rsa; p=abcdef"],
      'p=MIGf" "def': ["value_has_quotes", "p=MIGfdef"],
      "'v=DMARC1; p=none'": ["value_has_quotes", "v=DMARC1; p=none"],
      "“v=DMARC1; p=none”": ["value_has_quotes", "v=DMARC1; p=none"],
      " ‘v=DMARC1; p=none’ ": ["value_has_quotes", "v=DMARC1; p=none"],
      "`v=DMARC1; p=none`": ["value_has_quotes", "v=DMARC1; p=none"],
      '\\"v=spf1 include:spf.example.net -all\\"': ["value_has_quotes", "v=spf1 include:spf.example.net -all"],
      'v=spf1 include:spf.example.net "-all': ["value_has_quotes", "v=spf1 include:spf.example.net -all"],
      'v=STSv1; id=20260101"': ["value_has_quotes", "v=STSv1; id=20260101"],
      '"v=TLSRPTv1; rua=mailto:tls@example.org': ["value_has_quotes", "v=TLSRPTv1; rua=mailto:tls@example.org"],
      '"v=BIMI1; l=https://example.org/a.svg': ["value_has_quotes", "v=BIMI1; l=https://example.org/a.svg"],
      '"v=spf1': ["value_has_quotes", "v=spf1"]
    })
  })

  test("of a mail policy or key is refused with spaces in front, or with characters that only look like spaces", () => {
    expectSuggestions((value) => parseValue("TXT", value), {
      " v=DMARC1; p=none": ["value_has_space", "v=DMARC1; p=none"],
      "\u00a0v=DMARC1; p=none": ["value_has_space", "v=DMARC1; p=none"],
      "\u200bv=spf1 -all": ["value_has_space", "v=spf1 -all"],
      "v=spf1\u00a0include:spf.example.net -all": ["value_has_space", "v=spf1 include:spf.example.net -all"],
      "v=DKIM1;\u2009p=ab\u200bc": ["value_has_space", "v=DKIM1; p=abc"],
      " k=rsa; p=abc": ["value_has_space", "k=rsa; p=abc"]
    })
  })

  test("of a text is refused with blanks in front, other spaces or invisible characters, and suggested without", () => {
    expectSuggestions((value) => parseValue("TXT", value), {
      " platform-verify=1": ["value_has_space", "platform-verify=1"],
      "\t\u3000token": ["value_has_space", "token"],
      "platform\u00a0verify": ["value_has_space", "platform verify"],
      "platform-\u200bverify\u2060=1\ufeff": ["value_has_space", "platform-verify=1"],
      "platform\u00ad-verify\u200d=1": ["value_has_space", "platform-verify=1"],
      "\u200eplatform-\u202averify\u2069=\u180e1\u061c": ["value_has_space", "platform-verify=1"],
      "\u3164platform\u115f-verify\ufe0f=\u034f1\u{e0041}\u2800\ufff9": ["value_has_space", "platform-verify=1"],
      "platform-verify=1\u00a0": ["value_has_space", "platform-verify=1"],
      "I ❤️ DNS": ["accepted", "I ❤️ DNS"],
      "  ": ["value_has_space"],
      "\u200b": ["value_has_space"],
      می‌خواهم: ["accepted", "می‌خواهم"]
    })
  })

  parses("TXT", "of a TXT record is any non-empty text, verbatim", {
    ...unchanged(
      "v=spf1 -all",
      'say "hi"',
      '"',
      '"a" and "b"',
      '"a"; b',
      'Our TXT "a"',
      'the record IN a zone TXT "a"',
      'TXT is the "type"',
      "IN TXT records we trust",
      '{"a":"b"}',
      '("a" and "b")',
      '("a"',
      '("a") b',
      "( )",
      'v=verify; code="x"',
      'p="secret"',
      'token="v=DKIM1; p=abc"',
      "it's v=spf1",
      "v=spf1 exp=it's.example.net -all",
      "padded ",
      "a\u3042\u200dtext",
      "v=spf1 -all ",
      "Grüße",
      "a".repeat(4_096)
    ),
    ...rejected("value_is_empty", ""),
    ...rejected("value_has_bad_character", "a\0b", "a\ud800b")
  })

  parses("SRV", "of an SRV record is weight, port and target, or a dot for no service (RFC 2782)", {
    " 05\t5060  Sip.Example.NET. ": "5 5060 sip.example.net",
    ...unchanged("5 5060 sip.example.net", "0 0 .", "65535 65535 a.example"),
    ...rejected("value_is_no_srv", "", "5 5060", "10 5 5060 sip.example.net", "65536 1 a.example", "1 65536 a.example"),
    ...rejected("value_is_no_srv", "-1 1 a.example", "1.5 1 a.example", "a b c.example"),
    ...rejected("target_is_ip_address", "5 5060 192.0.2.1", "5 5060 10"),
    ...rejected("target_has_empty_label", "5 5060 a..b")
  })

  parses("CAA", "of a CAA record is flags, tag and value, quoted or a single word (RFC 8659)", {
    "0 issue letsencrypt.org": '0 issue "letsencrypt.org"',
    "0 issue ;": '0 issue ";"',
    '00 IssueWild  "ca.example"': '0 issuewild "ca.example"',
    ' 128 iodef "mailto:me@example.com" ': '128 iodef "mailto:me@example.com"',
    '255 tbs "a \\"b\\" c\\\\"': '255 tbs "a \\034b\\034 c\\092"',
    '0 iodef "mailto:\\ü@example.com"': '0 iodef "mailto:\\195\\188@example.com"',
    '0 iodef "\\065\\000"': '0 iodef "A\\000"',
    ...unchanged('0 issue "ca.example; accounturi=https://ca.example/1"', '0 issue ""'),
    ...rejected(
      "value_is_no_caa",
      "",
      "0 issue",
      'issue "ca.example"',
      '256 issue "ca.example"',
      '-1 issue "ca.example"'
    ),
    ...rejected(
      "value_is_no_caa",
      '0 is-sue "ca.example"',
      "0 issue a b",
      '0 issue "a',
      '0 issue a"',
      '0 issue "a" "b"',
      '0 issue "\\256"'
    ),
    ...rejected("value_is_no_caa", '0 issue "a"b"')
  })
})

/** What is wrong with the value of an MX. */
const messageOf = (value: string) =>
  Either.match(parseValue("MX", value), { onLeft: ({ message }) => message, onRight: () => "" })

test("the number beside the host of an MX belongs in `priority`, if it may stand there", () => {
  expect([messageOf("65535 mx.example.net"), messageOf("mx.example.net 70000"), messageOf("10")]).toEqual([
    "the value is the host alone; the number belongs in `priority`: 65535",
    "the value is the host alone; the number belongs in `priority`, where it may be 0 to 65535",
    "the value must be a host; a number alone belongs in `priority`"
  ])
})

test("an error message mentions the value or the target, never the host", () => {
  const refusals = (["CNAME", "MX", "NS", "SRV"] as const).map((type) =>
    Either.match(parseValue(type, type === "SRV" ? "1 1 a..b" : ""), {
      onLeft: ({ code, message }) => `${code} ${message}`,
      onRight: (value) => value
    })
  )
  expect(refusals.filter((refusal) => refusal.includes("host") || !refusal.startsWith("target_"))).toEqual([])
})

test("a value of a live zone is normalized if possible and otherwise kept", () => {
  expect(normalizeValue("MX", "Mail.Example.NET.")).toBe("mail.example.net")
  expect(normalizeValue("A", "nonsense")).toBe("nonsense")
  expect(normalizeValue("CNAME", "10")).toBe("10")
  expect(normalizeValue("HTTPS", '1 . ALPN="h2"')).toBe("1 . alpn=h2")
  expect(normalizeValue("LOC", "52 22 23.000 N")).toBe("52 22 23.000 N")
})
