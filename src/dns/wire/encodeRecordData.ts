import { Array } from "effect"
import { maxTxtStringLength, nullTarget, type RecordType } from "../../domain/DnsRecord.ts"
import { encodeName, encodeUint16, parseLabel, prefixWithLength } from "./encodeName.ts"

/** Encodes the data of a record of a type that an intent may contain; `value` in normal form (see `DnsRecord`). */
export const encodeRecordData = (record: {
  readonly type: RecordType
  readonly value: string
  readonly priority?: number
}): Uint8Array => Uint8Array.from(encoders[record.type](record.value, record.priority ?? 0))

const encodeNameValue = (value: string): ReadonlyArray<number> => encodeName(value)

const encodeIpv4 = (value: string): ReadonlyArray<number> => value.split(".").map(Number)

const encodeIpv6 = (value: string): ReadonlyArray<number> => {
  const [head = [], tail] = value.split("::").map((part) => (part === "" ? [] : part.split(":")))
  const missing = 8 - head.length - (tail?.length ?? 0)
  const groups = tail === undefined ? head : [...head, ...Array.replicate("0", missing), ...tail]
  return groups.flatMap((group) => encodeUint16(Number.parseInt(group, 16)))
}

const encodeTxt = (value: string): ReadonlyArray<number> => toCharacterStrings(value).flatMap(prefixWithLength)

const encodeSrv = (value: string, priority: number): ReadonlyArray<number> => {
  const [weight = "", port = "", target = nullTarget] = value.split(" ")
  return [...[priority, Number(weight), Number(port)].flatMap(encodeUint16), ...encodeName(target)]
}

/** `flags tag "value"` (RFC 8659 section 4.1). */
const encodeCaa = (value: string): ReadonlyArray<number> => {
  const [, flags = "", tag = "", property = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(value) ?? []
  return [Number(flags), ...prefixWithLength(parseLabel(tag)), ...parseLabel(property)]
}

const encoders: { readonly [_ in RecordType]: (value: string, priority: number) => ReadonlyArray<number> } = {
  A: encodeIpv4,
  AAAA: encodeIpv6,
  CNAME: encodeNameValue,
  MX: (value, priority) => [...encodeUint16(priority), ...encodeName(value)],
  TXT: encodeTxt,
  NS: encodeNameValue,
  SRV: encodeSrv,
  CAA: encodeCaa
}

/** Splits a text into the character-strings of a TXT record, in UTF-8 (RFC 1035 section 3.3.14). */
export const toCharacterStrings = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return Array.makeBy(Math.ceil(bytes.length / maxTxtStringLength), (index) =>
    bytes.subarray(index * maxTxtStringLength, (index + 1) * maxTxtStringLength)
  )
}
