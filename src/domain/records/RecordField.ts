import { Either, Encoding, Option } from "effect"
import { canonicalizeAddressOfFamily, formatIpv6Groups } from "../names/IpAddress.ts"
import { type Bytes, encodeName, encodeUint16, prefixWithLength } from "./encodeName.ts"
import { bytesOf, escapeQuoted, parseDuration, type ParseResult, quoteWord, toAbsoluteName } from "./presentation.ts"

/** Reads the data of a record from a DNS message; after a fault every read returns zero or nothing. */
export interface RecordDataReader {
  /** How many bytes of the data are left. */
  readonly remaining: number
  readonly readUint8: () => number
  readonly readUint16: () => number
  readonly readUint32: () => number
  readonly readBytes: (length: number) => Uint8Array
  readonly readName: () => string
  readonly readExactly: <A>(length: number, read: () => A) => A
  readonly readUntilEnd: <A>(read: () => A) => ReadonlyArray<A>
}

/** A field of the data of a record, in presentation format (RFC 1035 section 5.1) and in a DNS message. */
export interface RecordField {
  /** How the field stands in presentation format: a `text` is in quotes, and a `name` ends in a dot. */
  readonly form: "number" | "word" | "text" | "name"
  /** How many words a last field takes: all that are left, where there must be some; otherwise one. */
  readonly takes?: "some" | "any"
  /** Parses its words into its normal form, which has names without a final dot; relative ones lie below `origin`. */
  readonly parse: (words: ReadonlyArray<string>, origin: string) => ParseResult<string>
  /** Encodes its normal form. */
  readonly encode: (text: string) => Bytes
  readonly decode: (reader: RecordDataReader) => string
}

const decodeHex = (digits: string): Option.Option<Uint8Array> => Either.getRight(Encoding.decodeHex(digits))

const wholeNumber = (
  maximum: number,
  encode: (value: number) => Bytes,
  read: (reader: RecordDataReader) => number
): RecordField => ({
  form: "number",
  parse: ([word = ""]) =>
    /^\d{1,10}$/.test(word) && Number(word) <= maximum
      ? Either.right(`${Number(word)}`)
      : Either.left(`${quoteWord(word)} is not a whole number of at most ${maximum}`),
  encode: (text) => encode(Number(text)),
  decode: (reader) => `${read(reader)}`
})

export const uint8 = wholeNumber(
  255,
  (value) => [value],
  (reader) => reader.readUint8()
)

export const uint16 = wholeNumber(65_535, encodeUint16, (reader) => reader.readUint16())

export const uint32 = wholeNumber(
  2 ** 32 - 1,
  (value) => [...encodeUint16(Math.floor(value / 2 ** 16)), ...encodeUint16(value % 2 ** 16)],
  (reader) => reader.readUint32()
)

/** Seconds, which a zone file may write with units. */
export const seconds: RecordField = {
  ...uint32,
  parse: ([word = ""]) => Either.map(parseDuration(word, 2 ** 32 - 1), String)
}

export const name: RecordField = {
  form: "name",
  parse: ([word = ""], origin) => toAbsoluteName(word, origin),
  encode: encodeName,
  decode: (reader) => reader.readName()
}

const address = (family: 4 | 6, codec: Pick<RecordField, "encode" | "decode">): RecordField => ({
  form: "word",
  parse: ([word = ""]) =>
    Either.fromOption(
      canonicalizeAddressOfFamily(family, word),
      () => `${quoteWord(word)} is not an IPv${family} address`
    ),
  ...codec
})

export const ipv4 = address(4, {
  encode: (text) => text.split(".").map(Number),
  decode: (reader) => Array.from({ length: 4 }, () => reader.readUint8()).join(".")
})

export const ipv6 = address(6, {
  encode: (text) => {
    const [head = [], tail] = text.split("::").map((part) => (part === "" ? [] : part.split(":")))
    const missing = 8 - head.length - (tail?.length ?? 0)
    const groups = tail === undefined ? head : [...head, ...Array<string>(missing).fill("0"), ...tail]
    return groups.flatMap((group) => encodeUint16(Number.parseInt(group, 16)))
  },
  decode: (reader) => formatIpv6Groups(Array.from({ length: 8 }, () => reader.readUint16()))
})

/** Bytes in hexadecimal, to the end of the data; a zone file may divide them into words. */
export const hex: RecordField = {
  form: "word",
  takes: "some",
  parse: (words) => {
    const digits = words.join("").toLowerCase()
    return /^([\da-f]{2})+$/.test(digits)
      ? Either.right(digits)
      : Either.left(`${quoteWord(digits)} is not hexadecimal`)
  },
  encode: (text) => Option.getOrElse(decodeHex(text), () => []),
  decode: (reader) => Encoding.encodeHex(reader.readBytes(reader.remaining))
}

/** A character-string of at most 255 bytes (RFC 1035 section 3.3), in quotes. */
export const characterString: RecordField = {
  form: "text",
  parse: ([word = ""]) => {
    const bytes = bytesOf(word)
    return bytes.length <= maxTxtStringLength ? Either.right(quote(bytes)) : Either.left(stringTooLong)
  },
  encode: (text) => prefixWithLength(bytesOf(text)),
  decode: (reader) => quote(reader.readBytes(reader.readUint8()))
}

/** The most bytes that one character-string holds (RFC 1035 section 3.3). */
export const maxTxtStringLength = 255

export const stringTooLong = `a character-string of more than ${maxTxtStringLength} bytes (RFC 1035 section 3.3)`

/** Escapes quotes and backslashes by a backslash, as people write them. */
const quote = (bytes: Uint8Array): string =>
  `"${escapeQuoted(bytes).replace(/\\(034|092)/g, (_, code) => (code === "034" ? '\\"' : "\\\\"))}"`

/** Data without a form of their own here: the words of a zone file, and the generic form (RFC 3597) of a message. */
export const generic: RecordField = {
  form: "word",
  takes: "some",
  parse: (words) => Either.right(words.join(" ")),
  encode: (text) => parseGeneric(text) ?? [],
  decode: (reader) => formatGeneric(reader.readBytes(reader.remaining))
}

/** Formats bytes in the generic form `\\# length hex` (RFC 3597 section 5). */
export const formatGeneric = (bytes: Uint8Array): string => `\\# ${bytes.length} ${Encoding.encodeHex(bytes)}`.trimEnd()

/** Parses the generic form as `formatGeneric` writes it; undefined for any other text. */
export const parseGeneric = (text: string): Uint8Array | undefined => {
  const [, digits] = /^\\# \d+ ?([\da-f]*)$/i.exec(text) ?? []
  return digits === undefined ? undefined : Option.getOrUndefined(decodeHex(digits))
}
