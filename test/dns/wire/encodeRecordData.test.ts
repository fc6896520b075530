import { describe, expect, test } from "bun:test"
import { decodeRecordData, encodeRecordData } from "../../../src/domain/records/dnsTypes.ts"
import type { RecordType } from "../../../src/domain/records/recordTypes.ts"
import { WireReader } from "../../../src/dns/wire/WireReader.ts"

const records: ReadonlyArray<{ readonly type: RecordType; readonly value: string; readonly priority?: number }> = [
  { type: "A", value: "192.0.2.255" },
  { type: "AAAA", value: "::" },
  { type: "AAAA", value: "::1" },
  { type: "AAAA", value: "2001:db8::" },
  { type: "AAAA", value: "2001:db8:1:2:3:4:5:6" },
  { type: "AAAA", value: "2001:db8::4:0:0:6" },
  { type: "CNAME", value: "web.example.net" },
  { type: "MX", value: "mail.example.net", priority: 65_535 },
  { type: "MX", value: ".", priority: 0 },
  { type: "NS", value: "ns1.example.net" },
  { type: "SRV", value: "65535 0 sip.example.net", priority: 256 },
  { type: "SRV", value: "0 0 .", priority: 0 },
  { type: "TXT", value: 'say "hi" \\ äöü 🙂' },
  { type: "TXT", value: "x".repeat(255) },
  { type: "TXT", value: "ä".repeat(300) },
  { type: "CAA", value: '128 issue "letsencrypt.org; accounturi=https://ca.example/1"' },
  { type: "CAA", value: '0 iodef "mailto:\\034a\\092b\\034@example.com"' },
  { type: "CAA", value: '0 issue ""' }
]

describe("the data of a record", () => {
  for (const { type, ...data } of records)
    test(`are decoded to the encoded value: ${type} ${data.value.slice(0, 40)}`, () => {
      const bytes = encodeRecordData({ type, ...data })
      const reader = new WireReader(bytes)
      expect(decodeRecordData(reader, type, bytes.length)).toEqual(data)
      expect(reader.fault).toBeUndefined()
    })

  test("contain a text in the minimum number of character-strings", () => {
    const lengths = [1, 255, 256, 510, 511].map(
      (length) => encodeRecordData({ type: "TXT", value: "x".repeat(length) }).length
    )
    expect(lengths).toEqual([2, 256, 258, 512, 514])
  })
})
