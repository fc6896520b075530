import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc } from "effect"
import { WireReader } from "../../../src/dns/wire/WireReader.ts"
import type { ResourceRecord } from "../../../src/dns/wire/Message.ts"
import { parseZoneFile } from "../../../src/dns/zonefile/parseZoneFile.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { decodeRecordData } from "../../../src/domain/records/dnsTypes.ts"
import { bindZoneFile, expectedZoneLines, operatorZoneFile } from "./zoneFileFixtures.ts"

const origin = DomainName.make("example.com")

const parse = (text: string): Either.Either<ReadonlyArray<ResourceRecord>, string> =>
  Either.mapLeft(parseZoneFile(text, { origin }), ({ message }) => message)

/** Formats each record as `name ttl type [priority] value`. */
const toLines = (records: ReadonlyArray<ResourceRecord>): ReadonlyArray<string> =>
  records.map(({ name, priority, ttl, type, value }) =>
    [name, ttl, type, ...(priority === undefined ? [] : [priority]), value].join(" ")
  )

const expectRecords = (text: string, ...lines: ReadonlyArray<string>): void =>
  expect(Either.map(parse(text), toLines)).toEqual(Either.right(lines))

const expectErrors = (errors: Readonly<Record<string, string>>): void =>
  expect(Object.fromEntries(Object.keys(errors).map((text) => [text, Either.flip(parse(text))]))).toEqual(
    Object.fromEntries(Object.entries(errors).map(([text, message]) => [text, Either.right(message)]))
  )

describe("a zone file of a whole zone", () => {
  test("is parsed in an operator's own layout", () => expectRecords(operatorZoneFile, ...expectedZoneLines))

  test("is parsed in BIND's layout", () =>
    expect(Either.map(parse(bindZoneFile), (records) => toLines(records).toSorted())).toEqual(
      Either.right(expectedZoneLines.toSorted())
    ))

  test("is parsed alike with other line endings, a byte order mark and a trailing newline", () => {
    const variants = [
      operatorZoneFile.replaceAll("\n", "\r\n"),
      operatorZoneFile.replaceAll("\n", "\r"),
      `\ufeff${operatorZoneFile}`,
      `${operatorZoneFile}\n`
    ]
    for (const variant of variants) expectRecords(variant, ...expectedZoneLines)
  })

  test("may be empty", () => expectRecords("\n ; nothing\n\t\n()\n$TTL 5 ; more nothing"))

  test("yields records like those of a DNS response, with a separate priority", () =>
    expect(parse("@ 60 MX 010 MAIL\n@ 60 A 192.0.2.1")).toEqual(
      Either.right([
        { name: "example.com", ttl: 60, type: "MX", priority: 10, value: "mail.example.com" },
        { name: "example.com", ttl: 60, type: "A", value: "192.0.2.1" }
      ])
    ))
})

describe("the owner of a record", () => {
  test("is relative to the origin, absolute with a final dot, and the origin if it is @", () =>
    expectRecords(
      "WWW 1 A 192.0.2.1\nwww.example.org. 1 A 192.0.2.1\n@ 1 A 192.0.2.1\n. 1 NS a.\n* 1 A 192.0.2.1",
      "www.example.com 1 A 192.0.2.1",
      "www.example.org 1 A 192.0.2.1",
      "example.com 1 A 192.0.2.1",
      ". 1 NS a",
      "*.example.com 1 A 192.0.2.1"
    ))

  test("is the previous owner, with the origin at that line, if it is omitted", () =>
    expectRecords(
      "a 1 A 192.0.2.1\n$ORIGIN b\n 1 A 192.0.2.2\n( c 1 A\n192.0.2.3 )\n ( ) 1 A 192.0.2.4\n$origin .\nd 1 NS @",
      "a.example.com 1 A 192.0.2.1",
      "a.example.com 1 A 192.0.2.2",
      "c.b.example.com 1 A 192.0.2.3",
      "c.b.example.com 1 A 192.0.2.4",
      "d 1 NS ."
    ))

  test("is normalized in its escapes and non-ASCII characters", () =>
    expectRecords(
      `${String.raw`a\.b 1 NS \@.\$x\;\"\(\046\\.\065`}\nbücher 1 NS a\\\\.b`,
      String.raw`a\046b.example.com 1 NS \064.\036x\059\034\040\046\092.a.example.com`,
      String.raw`b\195\188cher.example.com 1 NS a\092.b.example.com`
    ))

  test("may have the maximum length of a name", () => {
    const label = "a".repeat(63)
    const longest = `${label}.${label}.${label}.${"a".repeat(61)}`
    const escaped = longest.replaceAll("a", "\\000")
    expectRecords(`${longest}. 1 NS ${escaped}.`, `${longest} 1 NS ${escaped}`)
    expectErrors({
      [`${longest}a. 1 A 192.0.2.1`]: `line 1: a name of more than 253 bytes: \`${"a".repeat(60)}\`… (RFC 1035 section 2.3.4)`,
      [`${label}a 1 A 192.0.2.1`]: `line 1: a label of more than 63 bytes in \`${"a".repeat(60)}\`… (RFC 1035 section 2.3.4)`
    })
  })
})

describe("the TTL of a record", () => {
  test("may precede or follow the class, in seconds or in units", () =>
    expectRecords(
      "a 300 IN A 192.0.2.1\nb in 1H30M a 192.0.2.2\nc 1w2d3h4m5s CLASS1 A 192.0.2.3\nd 2147483647 A 192.0.2.4",
      "a.example.com 300 A 192.0.2.1",
      "b.example.com 5400 A 192.0.2.2",
      "c.example.com 788645 A 192.0.2.3",
      "d.example.com 2147483647 A 192.0.2.4"
    ))

  const soa = "@ SOA ns. host. 1 2 3 4 555"
  const omittedTtls: ReadonlyArray<readonly [what: string, text: string, ttls: ReadonlyArray<number>]> = [
    ["the last $TTL", "$TTL 1d\na 5 NS b.\na NS b.\n$TTL 7\na NS b.", [5, 86_400, 7]],
    [
      "without a $TTL the previous record's",
      `${soa.replace("@", "@ 99")}\na NS b.\na 5 NS b.\na NS b.`,
      [99, 99, 5, 5]
    ],
    ["without either the SOA minimum", `${soa}\na NS b.\na 5 NS b.\na NS b.`, [555, 555, 5, 555]]
  ]
  test.each(omittedTtls)("is, if omitted, %s", (_, text, ttls) =>
    expect(Either.map(parse(text), (records) => records.map(({ ttl }) => ttl))).toEqual(Either.right([...ttls]))
  )
})

describe("the data of a record", () => {
  const forms: ReadonlyArray<readonly [what: string, data: string, expected: string]> = [
    ["a TXT of several strings, concatenated", String.raw`TXT "a" b"c""d" x="y z"`, "TXT abcdx=y z"],
    ["a TXT with escapes", String.raw`TXT "a\"b\\c\;d\032\101" \"\;\040`, String.raw`TXT a"b\c;d e";(`],
    ["a TXT in UTF-8, escaped or literal", 'TXT gr\\195\\188n "grün"', "TXT grüngrün"],
    ["a TXT that is not UTF-8, with the invalid bytes escaped", String.raw`TXT a\255\\b`, String.raw`TXT a\255\092b`],
    ["an empty TXT", 'TXT ""', "TXT "],
    ["a TXT that resembles the generic form", String.raw`TXT "\#" 4 \#`, "TXT #4#"],
    ["an AAAA in canonical form", "AAAA 2001:DB8:0::0:1", "AAAA 2001:db8::1"],
    ["a null MX", "MX 0 .", "MX 0 ."],
    ["an SRV", "SRV 1 02 443 Sip", "SRV 1 2 443 sip.example.com"],
    ["a CAA without quotes", "CAA 0 ISSUE ca.test", 'CAA 0 issue "ca.test"'],
    ["a CAA with quotes", String.raw`CAA 128 issue "a\"; b"`, String.raw`CAA 128 issue "a\034; b"`],
    [
      "an SOA with units",
      "SOA @ host 1 2h 15m 2w 4294967295",
      "SOA example.com host.example.com 1 7200 900 1209600 4294967295"
    ],
    [
      "an HTTPS with its parameters in normal form",
      'HTTPS 1 @ alpn="h2,h3" key9="a b"',
      'HTTPS 1 example.com alpn=h2,h3 key9="a b"'
    ],
    ["an NAPTR", 'NAPTR 1 2 "s"  "SIP" "" _sip', 'NAPTR 1 2 "s" "SIP" "" _sip.example.com'],
    ["an ALIAS", "ALIAS Edge.example.net.", "ALIAS edge.example.net"],
    ["other types unchanged", 'HINFO "A  B"\t(C)', 'HINFO "A  B" C'],
    ["an unknown type", String.raw`TYPE65280 \# 3 ( 01 02` + "\nFF )", String.raw`TYPE65280 \# 3 0102ff`],
    ["an unknown type without data", String.raw`TYPE65280 \# 0`, String.raw`TYPE65280 \# 0`],
    ["a known type by its number", "TYPE1 192.0.2.1", "A 192.0.2.1"],
    ["a known type in the generic form", String.raw`A \# 4 c0 000201`, "A 192.0.2.1"],
    ["a known type by its number in the generic form", String.raw`type15 \# 5 000a016100`, "MX 10 a"],
    ["a type without a form in the generic form", String.raw`CERT \# 1 AB`, String.raw`CERT \# 1 ab`]
  ]
  test.each(forms)("is parsed: %s", (_, data, expected) =>
    expectRecords(
      `@ 1 ${data}`,
      expected.replace(/^\S+/, (type) => `example.com 1 ${type}`)
    )
  )

  test("equals that of a DNS response, for any bytes and any spelling of a TXT or CAA", () =>
    fc.assert(
      fc.property(spelledString, fc.array(spelledString, { maxLength: 3 }), (value, more) => {
        const strings = [value, ...more]
        const txt = Buffer.concat(strings.flatMap(({ bytes }) => [Buffer.of(bytes.length), bytes]))
        const caa = Buffer.concat([Buffer.from("\0\x05issue"), value.bytes])
        expect(parse(`@ 1 TXT ${strings.map(({ text }) => text).join(" ")}\n@ 1 CAA 0 issue ${value.text}`)).toEqual(
          Either.right([
            { name: "example.com", ttl: 1, type: "TXT", ...decoded("TXT", txt) },
            { name: "example.com", ttl: 1, type: "CAA", ...decoded("CAA", caa) }
          ])
        )
      }),
      { numRuns: 500 }
    ))

  test("equals that of a DNS response, for any bytes in a name", () =>
    fc.assert(
      fc.property(fc.array(spelledLabel, { minLength: 1, maxLength: 3 }), (labels) => {
        const name = `${labels.map(({ text }) => text).join(".")}.`
        const wire = Buffer.concat([...labels.flatMap(({ bytes }) => [Buffer.of(bytes.length), bytes]), Buffer.of(0)])
        const { value } = decoded("NS", wire)
        expect(parse(`${name} 1 NS ${name}`)).toEqual(Either.right([{ name: value, ttl: 1, type: "NS", value }]))
      }),
      { numRuns: 500 }
    ))
})

describe("a file", () => {
  test("has the same meaning in any layout of its records", () =>
    fc.assert(
      fc.property(fc.array(laidOut, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), (entries, end) => {
        expectRecords(
          entries
            .map(({ text }) => text)
            .join("\n")
            .replaceAll("\n", end),
          ...entries.map(({ line }) => line)
        )
      }),
      { numRuns: 500 }
    ))

  test("is rejected with the line and the rule", () => {
    expectErrors({
      "\n\n$INCLUDE other.db": "line 3: $INCLUDE is not supported; replace it with the records of that file",
      "$generate 1-9 a$ A 192.0.2.$": "line 1: $GENERATE is not supported; replace it with its records",
      "$DATE 1": "line 1: `$DATE` is not a directive",
      $TTL: "line 1: $TTL needs one word",
      "$ORIGIN a b": "line 1: $ORIGIN needs one word",
      "$TTL 1h30": "line 1: `1h30` is not a time of at most 2147483647 seconds",
      "$TTL 2147483648": "line 1: `2147483648` is not a time of at most 2147483647 seconds",
      " 1 A 192.0.2.1": "line 1: the first record names no owner",
      "a A 192.0.2.1": "line 1: no TTL is given, here or before",
      "a 1": "line 1: a record needs a type",
      "a 1 2 A 192.0.2.1": "line 1: a record has one class and one TTL",
      "a IN IN A 192.0.2.1": "line 1: a record has one class and one TTL",
      "a 1 CH A 192.0.2.1": "line 1: the class is `CH`, not IN",
      "a 1 CLASS3 A 192.0.2.1": "line 1: the class is `CLASS3`, not IN",
      "a 1 AA 192.0.2.1": "line 1: `AA` is not a record type",
      "a 1 192.0.2.1": "line 1: `192.0.2.1` is not a record type",
      "a 1 TYPE65536 \\# 0": "line 1: `TYPE65536` is not a record type",
      "a 1 TYPE9999 x": "line 1: the data of TYPE9999 must be in the form \\# length hex (RFC 3597)",
      "a 1 TYPE9999 \\# 2 ff": "line 1: the length after \\# is `2`, the data have 1 bytes",
      "a 1 TYPE9999 \\# 1 f": "line 1: \\# must be followed by a length and hex (RFC 3597)",
      "a 1 A \\# 3 ffffff": "line 1: these are not the data of type A",
      "a 1 A 192.0.2.1\n\nb 1 A 192.0.2": "line 3: `192.0.2` is not an IPv4 address",
      "a 1 AAAA 192.0.2.1": "line 1: `192.0.2.1` is not an IPv6 address",
      "a 1 A 192.0.2.1 192.0.2.2": "line 1: 2 words of data, where A needs 1",
      "a 1 HTTPS 1": "line 1: 1 word of data, where HTTPS needs at least 2",
      "a 1 MX 65536 b": "line 1: `65536` is not a whole number of at most 65535",
      "a 1 NS b..c": "line 1: an empty label in `b..c`",
      'a 1 NS "b"': 'line 1: a name must not be quoted: `"b"`',
      "a 1 TXT": "line 1: TXT needs at least one character-string",
      "a 1 TXT b\\256": "line 1: a backslash must precede one character or a number from 000 to 255 in `b\\256`",
      "a 1 TXT b\\12": "line 1: a backslash must precede one character or a number from 000 to 255 in `b\\12`",
      "a 1 TXT b\\\nc 1 TXT d": "line 1: a backslash must precede one character or a number from 000 to 255 in `\\`",
      'a 1 TXT ( "b"\n"c )': "line 2: a quote is not closed on its line",
      'a 1 TXT b="c': "line 1: a quote is not closed on its line",
      "a 1 TXT b\nc 1 TXT (\nd ) )": "line 3: a parenthesis is closed that was never opened",
      "a 1 TXT b\nc 1 TXT ( (\nd )\n\n": "line 2: a parenthesis is opened and never closed",
      "a 1 TXT (b\nc)\nd 1 TXT (e\n)\nf 1 A\n": "line 5: 0 words of data, where A needs 1",
      "a 1 TXT b\0": "line 1: a NUL is not allowed",
      [`a 1 TXT ${"é".repeat(128)}`]: "line 1: a character-string of more than 255 bytes (RFC 1035 section 3.3)",
      [`a 1 \u001b[2J${"x".repeat(99)} b`]: `line 1: \`?[2J${"x".repeat(56)}\`… is not a record type`
    })
  })
})

describe("a hostile file", () => {
  const megabyte = 2 ** 20
  const hostile: ReadonlyArray<readonly [what: string, text: string, outcome: string]> = [
    [
      "an unclosed parenthesis",
      `a 1 TXT (${"\nb".repeat(megabyte / 2)}`,
      "line 1: a parenthesis is opened and never closed"
    ],
    ["nothing but parentheses", "(".repeat(megabyte), "line 1: a parenthesis is opened and never closed"],
    ["an unclosed quote", `a 1 TXT "${"\\b".repeat(megabyte / 2)}`, "line 1: a quote is not closed on its line"],
    ["quotes upon quotes", `a 1 TXT ${'="'.repeat(megabyte / 2 + 1)}`, "line 1: a quote is not closed on its line"],
    [
      "a string without end",
      `a 1 TXT "${"\\b".repeat(megabyte / 2)}"`,
      "line 1: a character-string of more than 255 bytes (RFC 1035 section 3.3)"
    ],
    ["strings without end", `a 1 TXT ${'"" '.repeat(megabyte / 3)}`, "line 1: a record of more than 65535 bytes"],
    [
      "a word without end",
      "\u0007".repeat(megabyte),
      `line 1: a label of more than 63 bytes in \`${"?".repeat(60)}\`… (RFC 1035 section 2.3.4)`
    ],
    [
      "labels without end",
      `${"a.".repeat(megabyte / 2)} 1 A 192.0.2.1`,
      `line 1: a name of more than 253 bytes: \`${"a.".repeat(30)}\`… (RFC 1035 section 2.3.4)`
    ],
    [
      "an origin that grows",
      "$ORIGIN a\n".repeat(100_000),
      "line 122: a name of more than 253 bytes: `a` (RFC 1035 section 2.3.4)"
    ],
    [
      "a TTL without end",
      `$TTL ${"1h".repeat(megabyte / 2)}`,
      `line 1: \`${"1h".repeat(30)}\`… is not a time of at most 2147483647 seconds`
    ],
    ["nothing but ends of lines", "\r\n".repeat(megabyte / 2), "0 records"],
    ["100,000 records", "$TTL 1\n" + "*.a TXT b\n".repeat(100_000), "100000 records"],
    ["lone surrogates", "a 1 TXT \ud800", "1 records"]
  ]
  test.each(hostile)("ends in an error or a result: %s", (_, text, outcome) =>
    expect(
      Either.match(parse(text), { onLeft: (message) => message, onRight: ({ length }) => `${length} records` })
    ).toBe(outcome)
  )
})

const decoded = (type: string, bytes: Uint8Array) => decodeRecordData(new WireReader(bytes), type, bytes.length)

/** A byte in one of the ways in which it can be written. */
const spelledByte = (meaning: string) =>
  fc.tuple(fc.nat(255), fc.boolean()).map(([byte, isEscaped]) => {
    const character = String.fromCharCode(byte)
    const mayBePlain = /[!-~]/.test(character) && !meaning.includes(character)
    // A first word `\#` announces the generic form (RFC 3597 section 5).
    const mayBeQuoted = /[!"$-/:-~]/.test(character)
    const number = `\\${byte.toString().padStart(3, "0")}`
    return { byte, text: !isEscaped && mayBePlain ? character : isEscaped && mayBeQuoted ? `\\${character}` : number }
  })

const spelled = (meaning: string, minLength: number, maxLength: number) =>
  fc.array(spelledByte(meaning), { minLength, maxLength }).map((bytes) => ({
    bytes: Buffer.from(bytes.map(({ byte }) => byte)),
    text: bytes.map(({ text }) => text).join("")
  }))

/** A character-string in quotes or without them. */
const spelledString = fc.oneof(
  spelled('"\\', 0, 255).map(({ bytes, text }) => ({ bytes, text: `"${text}"` })),
  spelled('"\\;()', 1, 255),
  fc
    .string({ unit: "grapheme", maxLength: 20 })
    .filter((text) => /^[^"\\\0\r\n]*$/.test(text))
    .map((text) => ({
      bytes: Buffer.from(text),
      text: `"${text}"`
    }))
)

const spelledLabel = spelled('"\\;().@$', 1, 63)

/** A record in one of the ways in which it can be laid out, and what it says. */
const laidOut = fc
  .record({
    owner: fc.constantFrom("a", "*.b", "@", "c.example.com."),
    ttl: fc.constantFrom({ text: "3600", ttl: 3600 }, { text: "1h1s", ttl: 3601 }, { text: "1D", ttl: 86_400 }),
    data: fc.constantFrom(
      { words: ["A", "192.0.2.1"], said: "A 192.0.2.1" },
      { words: ["MX", "5", "mail"], said: "MX 5 mail.example.com" },
      { words: ["TXT", '"a ; ( b"', "c"], said: "TXT a ; ( bc" },
      { words: ["TYPE65280", "\\#", "2", "AB", "CD"], said: "TYPE65280 \\# 2 abcd" }
    ),
    head: fc.constantFrom("ttl", "IN ttl", "ttl IN", "class1\tttl"),
    isFolded: fc.boolean(),
    gap: fc.constantFrom(" ", "\t", "  \t")
  })
  .map(({ data, gap, head, isFolded, owner, ttl }) => {
    const words = isFolded ? `( ; folded ) "\n${data.words.join(" ; (\n")}\n) ; done` : data.words.join(gap)
    const name = owner === "@" ? "example.com" : owner.replace(/^(a|\*\.b)$/, "$1.example.com").replace(/\.$/, "")
    return {
      text: [owner, head.replace("ttl", ttl.text), words].join(gap),
      line: `${name} ${ttl.ttl} ${data.said}`
    }
  })
