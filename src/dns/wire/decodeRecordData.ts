import { Encoding } from "effect"
import { isUtf8 } from "node:buffer"
import type { WireReader } from "./WireReader.ts"
import { makeEscaper } from "./encodeName.ts"

/** The data of a record: `value` in the form of `ZoneRecord`, and the priority of an MX or SRV apart from it. */
export interface RecordData {
  readonly value: string
  readonly priority?: number
}

/** Decodes the `length` bytes of a record's data; a type without a decoder here has `\# length hex` (RFC 3597). */
export const decodeRecordData = (reader: WireReader, type: string, length: number): RecordData =>
  reader.readExactly(length, () => decoders.get(type)?.(reader) ?? { value: formatGeneric(reader.readBytes(length)) })

const formatGeneric = (bytes: Uint8Array): string => `\\# ${bytes.length} ${Encoding.encodeHex(bytes)}`.trimEnd()

const decodeName = (reader: WireReader): RecordData => ({ value: reader.readName() })

const decodeMx = (reader: WireReader): RecordData => ({ priority: reader.readUint16(), value: reader.readName() })

const decodeSrv = (reader: WireReader): RecordData => ({
  priority: reader.readUint16(),
  value: `${reader.readUint16()} ${reader.readUint16()} ${reader.readName()}`
})

/** Two names (RFC 1183 section 2.2). */
const decodeRp = (reader: WireReader): RecordData => ({ value: `${reader.readName()} ${reader.readName()}` })

/** A preference or subtype and a host (RFC 2230, RFC 1183 section 1). */
const decodePreferenceAndHost = (reader: WireReader): RecordData => ({
  value: `${reader.readUint16()} ${reader.readName()}`
})

/** `mname rname serial refresh retry expire minimum` (RFC 1035 section 3.3.13). */
const decodeSoa = (reader: WireReader): RecordData => {
  const names = [reader.readName(), reader.readName()]
  return { value: [...names, ...Array.from({ length: 5 }, () => reader.readUint32())].join(" ") }
}

const decodeDs = (reader: WireReader): RecordData => {
  const [keyTag, algorithm, digestType] = [reader.readUint16(), reader.readUint8(), reader.readUint8()]
  return { value: `${keyTag} ${algorithm} ${digestType} ${Encoding.encodeHex(reader.readBytes(reader.remaining))}` }
}

/** Joins the character-strings, of which there is at least one (RFC 1035 section 3.3.14). */
const decodeTxt = (reader: WireReader): RecordData => {
  const strings = [readCharacterString(reader), ...reader.readUntilEnd(() => readCharacterString(reader))]
  return { value: formatText(Buffer.concat(strings)) }
}

const readCharacterString = (reader: WireReader): Uint8Array => reader.readBytes(reader.readUint8())

/** Keeps UTF-8 as it is; bytes that are not, or hold a NUL, which no text column stores, are escaped as `\DDD`. */
const formatText = (bytes: Uint8Array): string =>
  isUtf8(bytes) && !bytes.includes(0)
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    : escapeBinary(bytes)

const escapeBinary = makeEscaper(/^[ -[\]-~]$/)

/** RFC 8659 section 4.1; in the generic form if the tag has characters other than letters and digits. */
const decodeCaa = (reader: WireReader): RecordData => {
  const flags = reader.readUint8()
  const tag = reader.readBytes(reader.readUint8())
  const value = reader.readBytes(reader.remaining)
  const tagText = String.fromCharCode(...tag).toLowerCase()
  return {
    value: /^[a-z0-9]+$/.test(tagText)
      ? `${flags} ${tagText} "${escapeQuoted(value)}"`
      : formatGeneric(Uint8Array.of(flags, tag.length, ...tag, ...value))
  }
}

/** Writes bytes as the text between the quotes of a quoted string (RFC 1035 section 5.1). */
export const escapeQuoted = makeEscaper(/^[ !#-[\]-~]$/)

/** The data of an HTTPS or SVCB record in presentation format: `priority target key=value …` (RFC 9460). */
const decodeServiceBinding = (reader: WireReader): { readonly value: string } => {
  const head = [reader.readUint16(), reader.readName()]
  return { value: [...head, ...reader.readUntilEnd(() => decodeParameter(reader))].join(" ") }
}

const decodeParameter = (reader: WireReader): string => {
  const key = reader.readUint16()
  return reader.readExactly(reader.readUint16(), () => {
    const value = parameterDecoders.get(key)?.(reader) ?? `"${escapeQuoted(reader.readBytes(reader.remaining))}"`
    return value === "" ? keyName(key) : `${keyName(key)}=${value}`
  })
}

const keyName = (key: number): string => keyNames[key] ?? `key${key}`

const keyNames = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"]

/** Escapes twice, as a list requires (RFC 9460 appendix A.1): a comma in a value becomes `\092\044`. */
const decodeProtocol = (reader: WireReader): string =>
  escapeListItem(reader.readBytes(reader.readUint8())).replace(/\\(044|092)/g, "\\092\\$1")

const escapeListItem = makeEscaper(/^[!#-+--[\]-~]$/)

const parameterDecoders = new Map<number, (reader: WireReader) => string>([
  [0, (reader) => reader.readUntilEnd(() => keyName(reader.readUint16())).join(",")],
  [1, (reader) => reader.readUntilEnd(() => decodeProtocol(reader)).join(",")],
  [2, () => ""],
  [3, (reader) => `${reader.readUint16()}`],
  [4, (reader) => reader.readUntilEnd(() => reader.readIpv4()).join(",")],
  [5, (reader) => Encoding.encodeBase64(reader.readBytes(reader.remaining))],
  [6, (reader) => reader.readUntilEnd(() => reader.readIpv6()).join(",")]
])

const decoders = new Map<string, (reader: WireReader) => RecordData>([
  ["A", (reader) => ({ value: reader.readIpv4() })],
  ["AAAA", (reader) => ({ value: reader.readIpv6() })],
  ["NS", decodeName],
  ["CNAME", decodeName],
  ["DNAME", decodeName],
  ["PTR", decodeName],
  ["MX", decodeMx],
  ["SRV", decodeSrv],
  ["TXT", decodeTxt],
  ["SPF", decodeTxt],
  ["CAA", decodeCaa],
  ["SOA", decodeSoa],
  ["RP", decodeRp],
  ["AFSDB", decodePreferenceAndHost],
  ["KX", decodePreferenceAndHost],
  ["DS", decodeDs],
  ["HTTPS", decodeServiceBinding],
  ["SVCB", decodeServiceBinding]
])
