import fc from "fast-check"
import { rejected, unchanged } from "../outcomes.ts"
import { judgeRecordType, uint16Text, words } from "./judgeRecordType.ts"

const quoted = fc.uint8Array({ maxLength: 40 }).map((bytes) => {
  const text = Array.from(bytes, (byte) => `\\${String(byte).padStart(3, "0")}`)
  return `"${text.join("")}"`
})

const regexp = fc.constantFrom('""', '"!^.*$!sip:info@example.com!"', String.raw`"/(.*)/a\\\\1 b/i"`)

const plain = fc.constantFrom('"U"', "S", '"E2U+sip"', "SIP+D2U", '""')

judgeRecordType("NAPTR", {
  outcomes: {
    ...unchanged('100 10 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .', '1 2 "S" "SIP+D2U" "" _sip._udp.example.com'),
    '100 010 U E2U+sip "!^.*$!sip:a b!" .': '100 10 "U" "E2U+sip" "!^.*$!sip:a b!" .',
    [String.raw`1 2 "U" "" "!(\092d+)!\\1\034!" .`]: String.raw`1 2 "U" "" "!(\\d+)!\\1\"!" .`,
    '1 2 "" "" "" Example.COM.': '1 2 "" "" "" example.com',
    ...rejected("value_malformed", '1 2 "S" "SIP+D2U" "" "sip.example.com', '1 2 "S" "x" "" sip.example.com"'),
    ...rejected("value_malformed", "", "1 2 3", '1 2 "a" "b" "!c!d!" example.com', `1 2 "${"a".repeat(256)}" "" "" .`),
    ...rejected("value_malformed", '1 2 "U" "x" "abc" .', '1 2 "U" "x" "!a!b" .', '1 2 "U" "x" "!!b!" .'),
    ...rejected("target_has_bad_character", '1 2 "S" "SIP+D2U" "" *.example.com')
  },
  suggestions: {
    'example.com. IN NAPTR 1 2 "S" "SIP+D2U" "" sip.example.com.': [
      "value_malformed",
      '1 2 "S" "SIP+D2U" "" sip.example.com'
    ]
  },
  spellings: fc.oneof(
    words(uint16Text, uint16Text, fc.oneof(plain, quoted), fc.oneof(plain, quoted), regexp, fc.constant(".")),
    words(
      uint16Text,
      uint16Text,
      plain,
      plain,
      fc.constant('""'),
      fc.constantFrom("a.example", "_sip._udp.Example.NET.")
    )
  )
})
