import { Either, Encoding } from "effect"
import { ipv4, ipv6, type RecordDataReader, type RecordField } from "./RecordField.ts"
import { escapeQuoted, makeEscaper } from "./presentation.ts"

/** The parameters of an HTTPS or SVCB record in presentation format: `key=value …` (RFC 9460). */
export const bindingParameters: RecordField = {
  form: "word",
  takes: "any",
  parse: (words) => Either.right(words.join(" ")),
  encode: () => [],
  decode: (reader) => reader.readUntilEnd(() => decodeParameter(reader)).join(" ")
}

const decodeParameter = (reader: RecordDataReader): string => {
  const key = reader.readUint16()
  return reader.readExactly(reader.readUint16(), () => {
    const value = parameterDecoders.get(key)?.(reader) ?? `"${escapeQuoted(reader.readBytes(reader.remaining))}"`
    return value === "" ? keyName(key) : `${keyName(key)}=${value}`
  })
}

const keyName = (key: number): string => keyNames[key] ?? `key${key}`

const keyNames = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"]

/** Escapes twice, as a list requires (RFC 9460 appendix A.1): a comma in a value becomes `\092\044`. */
const decodeProtocol = (reader: RecordDataReader): string =>
  escapeListItem(reader.readBytes(reader.readUint8())).replace(/\\(044|092)/g, "\\092\\$1")

const escapeListItem = makeEscaper(/^[!#-+--[\]-~]$/)

const parameterDecoders = new Map<number, (reader: RecordDataReader) => string>([
  [0, (reader) => reader.readUntilEnd(() => keyName(reader.readUint16())).join(",")],
  [1, (reader) => reader.readUntilEnd(() => decodeProtocol(reader)).join(",")],
  [2, () => ""],
  [3, (reader) => `${reader.readUint16()}`],
  [4, (reader) => reader.readUntilEnd(() => ipv4.decode(reader)).join(",")],
  [5, (reader) => Encoding.encodeBase64(reader.readBytes(reader.remaining))],
  [6, (reader) => reader.readUntilEnd(() => ipv6.decode(reader)).join(",")]
])
