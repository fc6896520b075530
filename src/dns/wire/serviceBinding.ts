import { Encoding } from "effect"
import { escaping } from "./labels.ts"
import type { WireReader } from "./WireReader.ts"

/** The data of an HTTPS or SVCB record in presentation format: `priority target key=value …` (RFC 9460). */
export const serviceBinding = (reader: WireReader): { readonly value: string } => {
  const head = [reader.uint16(), reader.name()]
  return { value: [...head, ...reader.many(() => parameter(reader))].join(" ") }
}

const parameter = (reader: WireReader): string => {
  const key = reader.uint16()
  return reader.within(reader.uint16(), () => {
    const value = values.get(key)?.(reader) ?? `"${quotable(reader.bytes(reader.remaining))}"`
    return value === "" ? keyName(key) : `${keyName(key)}=${value}`
  })
}

const quotable = escaping(/^[ !#-[\]-~]$/)

const keyName = (key: number): string => keyNames[key] ?? `key${key}`

const keyNames = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"]

/** Two escapes lie over each other in a list (RFC 9460 appendix A.1): a comma of a value becomes `\092\044`. */
const protocol = (reader: WireReader): string =>
  listable(reader.bytes(reader.uint8())).replace(/\\(044|092)/g, "\\092\\$1")

const listable = escaping(/^[!#-+--[\]-~]$/)

const values = new Map<number, (reader: WireReader) => string>([
  [0, (reader) => reader.many(() => keyName(reader.uint16())).join(",")],
  [1, (reader) => reader.many(() => protocol(reader)).join(",")],
  [2, () => ""],
  [3, (reader) => `${reader.uint16()}`],
  [4, (reader) => reader.many(() => reader.ipv4()).join(",")],
  [5, (reader) => Encoding.encodeBase64(reader.bytes(reader.remaining))],
  [6, (reader) => reader.many(() => reader.ipv6()).join(",")]
])
