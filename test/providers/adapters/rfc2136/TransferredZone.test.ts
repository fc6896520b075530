import { expect, test } from "bun:test"
import { Either } from "effect"
import type { RawRecord } from "../../../../src/dns/wire/SignedMessage.ts"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { encodeRecordData, typeCodeOf } from "../../../../src/domain/records/dnsTypes.ts"
import type { RecordType } from "../../../../src/domain/records/recordTypes.ts"
import { computeAtOnce } from "../../../../src/runtime/LongComputation.ts"
import { toTransferredZone } from "../../../../src/providers/adapters/rfc2136/TransferredZone.ts"

const zone = DomainName.make("example.com")

const raw = (name: string, type: RecordType, value: string): RawRecord => ({
  name,
  code: typeCodeOf(type),
  ttl: 300,
  data: encodeRecordData({ type, value })
})

const kindOf = (records: ReadonlyArray<RawRecord>) =>
  Either.match(computeAtOnce(toTransferredZone(records, { domain: zone, zone })), {
    onLeft: ({ kind }) => kind,
    onRight: ({ zone: { records: read } }) => read.length
  })

const address = (index: number) => raw("www.example.com", "A", `10.0.${index >> 8}.${index & 255}`)

const text = (index: number) => raw("example.com", "TXT", `${index} ${"x".repeat(500)}`)

const repeat = (count: number, make: (index: number) => RawRecord) =>
  Array.from({ length: count }, (_, index) => make(index))

test("an RRset that no DNS message can hold makes a transferred zone too large", () => {
  expect(kindOf(repeat(4_095, address))).toBe(4_095)
  expect(kindOf(repeat(4_096, address))).toBe("too_large")
  expect(kindOf(repeat(120, text))).toBe(120)
  expect(kindOf(repeat(130, text))).toBe("too_large")
})

test("a transferred zone of more than 500,000 records is too large", () => {
  const record = address(0)
  expect(kindOf(repeat(500_001, () => record))).toBe("too_large")
})

test("a zone that is transferred for a domain below its apex keeps what the records above mean for the domain", () => {
  const records = [
    raw("example.com", "MX", "mail.example.com"),
    raw("example.com", "TXT", "v=spf1 a:mail.example.com -all"),
    raw("*.example.com", "A", "192.0.2.1")
  ]
  const read = computeAtOnce(toTransferredZone(records, { domain: DomainName.make("mail.example.com"), zone }))
  expect(Either.getOrThrow(read).zone).toMatchObject({
    records: [],
    targetsOutside: { mail: ["mail.example.com"], nameServers: [], policies: [], websites: [] },
    wildcardAbove: { name: "*.example.com" }
  })
})
