import { absolute, bytesOf, type Reader, textOf, type Writer } from "./wireFormat.ts"

/** The numbers of record types with a name here; any other is `TYPE<number>` (RFC 3597). Independent of `src/dns/wire`. */
const numbers: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  AAAA: 28,
  SRV: 33,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  DNSKEY: 48,
  SVCB: 64,
  HTTPS: 65,
  ANY: 255,
  CAA: 257
}

const names = new Map(Object.entries(numbers).map(([name, number]) => [number, name]))

export const typeNumber = (type: string): number => numbers[type] ?? Number(type.replace(/^TYPE/, ""))

export const typeName = (number: number): string => names.get(number) ?? `TYPE${number}`

/** Writes the data of a record from its text; types without a format are `\# <length> <hex>` (RFC 3597). */
export const writeData = (to: Writer, type: string, text: string): void => {
  const tokens = tokensOf(text)
  const fields = tokens[0] === "\\#" ? [opaque] : fieldsOf(type)
  for (const [index, field] of fields.entries())
    field.write(to, index === fields.length - 1 ? tokens.slice(index) : tokens.slice(index, index + 1))
}

/** Reads the data of a record, which ends at `end`, as dig prints it. */
export const readData = (from: Reader, type: string, end: number): string => {
  const text = fieldsOf(type).map((field) => field.read(from, end))
  if (from.offset !== end) throw new RangeError(`the data of a ${type} ends at ${from.offset}, not at ${end}`)
  return text.join(" ")
}

/** Makes relative names in the data absolute; `@` is the origin. */
export const qualifyData = (type: string, text: string, origin: string): string => {
  const fields = fieldsOf(type)
  const qualified = tokensOf(text).map((token, index) =>
    fields[index] === name || fields[index] === plainName ? qualify(token, origin) : token
  )
  return qualified.join(" ")
}

/** Makes a name of a zone file absolute: `@` is the origin, a name without a final dot is relative to it. */
export const qualify = (name: string, origin: string): string => {
  if (name === "@") return absolute(origin)
  return name.endsWith(".") ? name : absolute(`${name}.${origin}`)
}

export const tokensOf = (text: string): ReadonlyArray<string> => text.match(/"(?:\\.|[^"\\])*"|\S+/gs) ?? []

interface Field {
  readonly write: (to: Writer, tokens: ReadonlyArray<string>) => void
  readonly read: (from: Reader, end: number) => string
}

const field = (write: (to: Writer, token: string) => void, read: Field["read"]): Field => ({
  write: (to, [token, ...others]) => {
    if (token === undefined || others.length > 0) throw new RangeError(`one word expected: ${token} ${others}`)
    write(to, token)
  },
  read
})

const unquoted = (token: string): Uint8Array => bytesOf(token.replace(/^"(.*)"$/s, "$1"))
const quoted = (bytes: Uint8Array): string => `"${textOf(bytes, /["\\]/)}"`
const rest = (from: Reader, end: number): Uint8Array => from.take(end - from.offset)

const u8 = field(
  (to, token) => to.u8(Number(token)),
  (from) => String(from.u8())
)
const u16 = field(
  (to, token) => to.u16(Number(token)),
  (from) => String(from.u16())
)
const u32 = field(
  (to, token) => to.u32(Number(token)),
  (from) => String(from.u32())
)
const name = field(
  (to, token) => to.name(token),
  (from) => from.name()
)
const plainName = field(
  (to, token) => to.name(token, false),
  (from) => from.name()
)
const tag = field(
  (to, token) => to.string(bytesOf(token)),
  (from) => textOf(from.take(from.u8()), /["\\ ]/)
)
const value = field(
  (to, token) => to.raw(unquoted(token)),
  (from, end) => quoted(rest(from, end))
)

const ipv4 = field(
  (to, token) => to.raw(token.split(".").map(Number)),
  (from) => from.take(4).join(".")
)

const groupsOf = (part: string): ReadonlyArray<string> => part.split(":").filter((group) => group !== "")

const ipv6 = field(
  (to, token) => {
    const [head = "", tail] = token.split("::")
    const [left, right] = [groupsOf(head), groupsOf(tail ?? "")]
    for (const group of [...left, ...Array(8 - left.length - right.length).fill("0"), ...right])
      to.u16(Number.parseInt(group, 16))
  },
  (from) => {
    const groups = Array.from({ length: 8 }, () => from.u16().toString(16))
    return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1)
  }
)

/** Character-strings; longer ones than 255 bytes are split. */
const strings: Field = {
  write: (to, tokens) => {
    for (const bytes of tokens.map(unquoted))
      for (let at = 0; at === 0 || at < bytes.length; at += 255) to.string(bytes.subarray(at, at + 255))
  },
  read: (from, end) => {
    const parts: Array<string> = []
    while (from.offset < end) parts.push(quoted(from.take(from.u8())))
    return parts.join(" ")
  }
}

const hex: Field = {
  write: (to, tokens) => to.raw(Buffer.from(tokens.join(""), "hex")),
  read: (from, end) => Buffer.from(rest(from, end)).toString("hex").toUpperCase()
}

const base64: Field = {
  write: (to, tokens) => to.raw(Buffer.from(tokens.join(""), "base64")),
  read: (from, end) => Buffer.from(rest(from, end)).toString("base64")
}

const opaque: Field = {
  write: (to, [, , ...tokens]) => hex.write(to, tokens),
  read: (from, end) => `\\# ${end - from.offset} ${hex.read(from, end)}`
}

const formats: Readonly<Record<string, ReadonlyArray<Field>>> = {
  A: [ipv4],
  NS: [name],
  CNAME: [name],
  SOA: [name, name, u32, u32, u32, u32, u32],
  PTR: [name],
  MX: [u16, name],
  TXT: [strings],
  AAAA: [ipv6],
  SRV: [u16, u16, u16, plainName],
  DNAME: [plainName],
  DS: [u16, u8, u8, hex],
  DNSKEY: [u16, u8, u8, base64],
  CAA: [u8, tag, value]
}

const fieldsOf = (type: string): ReadonlyArray<Field> => formats[type] ?? [opaque]
