import { Encoding } from "effect"
import { isUtf8 } from "node:buffer"
import type { WireReader } from "./WireReader.ts"
import { makeEscaper } from "./formatLabel.ts"

/** What a record says: `value` in the form of `ZoneRecord`, the priority of an MX or SRV beside it. */
export interface RecordData {
  readonly value: string
  readonly priority?: number
}

/** Reads the `length` bytes of a record's data; types without a form of their own as `\# length hex` (RFC 3597). */
export const decodeRecordData = (reader: WireReader, type: string, length: number): RecordData =>
  reader.readExactly(length, () => forms.get(type)?.(reader) ?? { value: generic(reader.bytes(length)) })

const generic = (bytes: Uint8Array): string => `\\# ${bytes.length} ${Encoding.encodeHex(bytes)}`.trimEnd()

const name = (reader: WireReader): RecordData => ({ value: reader.name() })

const mailExchange = (reader: WireReader): RecordData => ({ priority: reader.uint16(), value: reader.name() })

const service = (reader: WireReader): RecordData => ({
  priority: reader.uint16(),
  value: `${reader.uint16()} ${reader.uint16()} ${reader.name()}`
})

/** Two names (RFC 1183 section 2.2). */
const responsiblePerson = (reader: WireReader): RecordData => ({ value: `${reader.name()} ${reader.name()}` })

/** A preference or subtype and a host (RFC 2230, RFC 1183 section 1). */
const numberedHost = (reader: WireReader): RecordData => ({ value: `${reader.uint16()} ${reader.name()}` })

/** `mname rname serial refresh retry expire minimum` (RFC 1035 section 3.3.13). */
const startOfAuthority = (reader: WireReader): RecordData => {
  const names = [reader.name(), reader.name()]
  return { value: [...names, ...Array.from({ length: 5 }, () => reader.uint32())].join(" ") }
}

const delegationSigner = (reader: WireReader): RecordData => {
  const [keyTag, algorithm, digestType] = [reader.uint16(), reader.uint8(), reader.uint8()]
  return { value: `${keyTag} ${algorithm} ${digestType} ${Encoding.encodeHex(reader.bytes(reader.remaining))}` }
}

/** At least one character-string (RFC 1035 section 3.3.14), all of them joined. */
const text = (reader: WireReader): RecordData => {
  const strings = [characterString(reader), ...reader.readUntilEnd(() => characterString(reader))]
  return { value: unicode(Buffer.concat(strings)) }
}

const characterString = (reader: WireReader): Uint8Array => reader.bytes(reader.uint8())

/** UTF-8 as it stands. What is none, or holds a NUL, which no text column stores, has its odd bytes as `\DDD`. */
const unicode = (bytes: Uint8Array): string =>
  isUtf8(bytes) && !bytes.includes(0) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : oddText(bytes)

const oddText = makeEscaper(/^[ -[\]-~]$/)

/** RFC 8659 section 4.1; the generic form where the tag is made of other characters than letters and digits. */
const authorization = (reader: WireReader): RecordData => {
  const flags = reader.uint8()
  const tag = reader.bytes(reader.uint8())
  const value = reader.bytes(reader.remaining)
  const tagText = String.fromCharCode(...tag).toLowerCase()
  return {
    value: /^[a-z0-9]+$/.test(tagText)
      ? `${flags} ${tagText} "${propertyText(value)}"`
      : generic(Uint8Array.of(flags, tag.length, ...tag, ...value))
  }
}

const propertyText = makeEscaper(/^[ !#-[\]-~]$/)

/** The data of an HTTPS or SVCB record in presentation format: `priority target key=value …` (RFC 9460). */
export const decodeServiceBinding = (reader: WireReader): { readonly value: string } => {
  const head = [reader.uint16(), reader.name()]
  return { value: [...head, ...reader.readUntilEnd(() => parameter(reader))].join(" ") }
}

const parameter = (reader: WireReader): string => {
  const key = reader.uint16()
  return reader.readExactly(reader.uint16(), () => {
    const value = values.get(key)?.(reader) ?? `"${propertyText(reader.bytes(reader.remaining))}"`
    return value === "" ? keyName(key) : `${keyName(key)}=${value}`
  })
}

const keyName = (key: number): string => keyNames[key] ?? `key${key}`

const keyNames = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"]

/** Two escapes lie over each other in a list (RFC 9460 appendix A.1): a comma of a value becomes `\092\044`. */
const protocol = (reader: WireReader): string =>
  listable(reader.bytes(reader.uint8())).replace(/\\(044|092)/g, "\\092\\$1")

const listable = makeEscaper(/^[!#-+--[\]-~]$/)

const values = new Map<number, (reader: WireReader) => string>([
  [0, (reader) => reader.readUntilEnd(() => keyName(reader.uint16())).join(",")],
  [1, (reader) => reader.readUntilEnd(() => protocol(reader)).join(",")],
  [2, () => ""],
  [3, (reader) => `${reader.uint16()}`],
  [4, (reader) => reader.readUntilEnd(() => reader.ipv4()).join(",")],
  [5, (reader) => Encoding.encodeBase64(reader.bytes(reader.remaining))],
  [6, (reader) => reader.readUntilEnd(() => reader.ipv6()).join(",")]
])

const forms = new Map<string, (reader: WireReader) => RecordData>([
  ["A", (reader) => ({ value: reader.ipv4() })],
  ["AAAA", (reader) => ({ value: reader.ipv6() })],
  ["NS", name],
  ["CNAME", name],
  ["DNAME", name],
  ["PTR", name],
  ["MX", mailExchange],
  ["SRV", service],
  ["TXT", text],
  ["SPF", text],
  ["CAA", authorization],
  ["SOA", startOfAuthority],
  ["RP", responsiblePerson],
  ["AFSDB", numberedHost],
  ["KX", numberedHost],
  ["DS", delegationSigner],
  ["HTTPS", decodeServiceBinding],
  ["SVCB", decodeServiceBinding]
])
