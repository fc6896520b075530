import { Either, Encoding } from "effect"
import { maxTxtStringLength } from "../../domain/DnsRecord.ts"
import { canonicalizeAddressOfFamily } from "../../domain/IpAddress.ts"
import { WireReader } from "../wire/WireReader.ts"
import { decodeRecordData, type RecordData } from "../wire/decodeRecordData.ts"
import { formatLabel } from "../wire/encodeName.ts"
import { typeNameOf } from "../wire/recordTypes.ts"

/** A value, or the rule that the words of a zone file break. */
type ParseResult<A> = Either.Either<A, string>

/**
 * Parses the type and data of a record from its words in presentation format, with relative names below `origin`. The
 * data have the form of `ZoneRecord`; for types that no intent contains, they are the words with absolute names.
 */
export const parseRecordData = (
  [typeWord, ...words]: ReadonlyArray<string>,
  origin: string
): ParseResult<RecordData & { readonly type: string }> => {
  if (typeWord === undefined) return Either.left("a record needs a type")
  const code = parseTypeCode(typeWord)
  const type = code === undefined ? typeWord.toUpperCase() : typeNameOf(code)
  const parse = parsers.get(type)
  if (parse === undefined && code === undefined) return Either.left(`${quoteWord(typeWord)} is not a record type`)
  const data =
    words[0] === "\\#"
      ? parseGeneric(type, words.slice(1))
      : (parse?.(words, origin, type) ??
        Either.left(`the data of ${type} must be in the form \\# length hex (RFC 3597)`))
  return Either.map(data, (data) => ({ type, ...data }))
}

/** Makes a name absolute: labels in the form of `formatLabel`, without a final dot; the root is `.`. */
export const toAbsoluteName = (word: string, origin: string): ParseResult<string> => {
  if (word === "@") return Either.right(origin)
  if (word === ".") return Either.right(word)
  if (/(^|=)"/.test(word)) return Either.left(`a name must not be quoted: ${quoteWord(word)}`)
  const labels = word.replace(/\\\D/gs, (escape) => (escape === "\\." ? "\\046" : escape)).split(".")
  const isAbsolute = labels.at(-1) === ""
  const bytes = (isAbsolute ? labels.slice(0, -1) : labels).map(bytesOf)
  if (bytes.some(({ length }) => length === 0)) return Either.left(`an empty label in ${quoteWord(word)}`)
  if (bytes.some(({ length }) => length > maxLabelLength)) {
    return Either.left(`a label of more than ${maxLabelLength} bytes in ${quoteWord(word)} (RFC 1035 section 2.3.4)`)
  }
  const name = [...bytes.map(formatLabel), ...(isAbsolute || origin === "." ? [] : [origin])].join(".")
  return name.replace(/\\\d{3}/g, "-").length > maxNameLength
    ? Either.left(`a name of more than ${maxNameLength} bytes: ${quoteWord(word)} (RFC 1035 section 2.3.4)`)
    : Either.right(name)
}

/** Parses seconds, in plain digits or with BIND's units, as in `1h30m`; a TTL is at most 2^31 - 1 (RFC 2181 section 8). */
export const parseDuration = (word: string, maximum = 2 ** 31 - 1): ParseResult<number> => {
  const parts = Array.from(word.toLowerCase().matchAll(/(\d+)(\D?)/g), ([, count, unit = ""]) => ({ count, unit }))
  const seconds = parts.reduce((sum, { count, unit }) => sum + Number(count) * (units.get(unit) ?? 1), 0)
  return /^\d{1,10}$|^(\d{1,10}[wdhms]){1,5}$/i.test(word) && seconds <= maximum
    ? Either.right(seconds)
    : Either.left(`${quoteWord(word)} is not a time of at most ${maximum} seconds`)
}

/** Quotes a word in a message: its beginning, in printable ASCII. */
export const quoteWord = (word: string): string => {
  const beginning = word.slice(0, maxShown).replace(/[^ -~]/g, "?")
  return `\`${beginning}\`${word.length > maxShown ? "…" : ""}`
}

const maxShown = 60
const maxLabelLength = 63
const maxNameLength = 253
const maxDataLength = 65_535

const units: ReadonlyMap<string, number> = new Map([
  ["w", 604_800],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60]
])

/** The code in a word such as `TYPE1` (RFC 3597 section 5). */
const parseTypeCode = (word: string): number | undefined => {
  const code = Number(/^TYPE(\d{1,5})$/i.exec(word)?.[1])
  return code <= 65_535 ? code : undefined
}

/** Decodes the bytes of a word, without its quotes; characters beyond ASCII in UTF-8. */
const bytesOf = (word: string): Uint8Array =>
  Buffer.concat(
    Array.from(word.matchAll(/\\(\d{3})|\\(\D)|"|[^\\"]+/gu), ([plain, code, escaped]) =>
      code === undefined ? Buffer.from(plain === '"' ? "" : (escaped ?? plain)) : Buffer.of(Number(code))
    )
  )

const decodeData = (type: string, bytes: Uint8Array): ParseResult<RecordData> => {
  if (bytes.length > maxDataLength) return Either.left(`a record of more than ${maxDataLength} bytes`)
  const reader = new WireReader(bytes)
  const data = decodeRecordData(reader, type, bytes.length)
  return reader.fault === undefined ? Either.right(data) : Either.left(`these are not the data of type ${type}`)
}

const parseGeneric = (type: string, [length = "", ...hex]: ReadonlyArray<string>): ParseResult<RecordData> =>
  Either.flatMap(
    Either.mapLeft(Encoding.decodeHex(hex.join("")), () => "\\# must be followed by a length and hex (RFC 3597)"),
    (bytes) =>
      length === `${bytes.length}`
        ? decodeData(type, bytes)
        : Either.left(`the length after \\# is ${quoteWord(length)}, the data have ${bytes.length} bytes`)
  )

/** Parses one word of the data. */
type FieldParser = (word: string, origin: string) => ParseResult<string>

/** Parses all words of the data of a type. */
type DataParser = (words: ReadonlyArray<string>, origin: string, type: string) => ParseResult<RecordData>

const keepWord: FieldParser = (word) => Either.right(word)

const addressOf =
  (family: 4 | 6): FieldParser =>
  (word) =>
    Either.fromOption(
      canonicalizeAddressOfFamily(family, word),
      () => `${quoteWord(word)} is not an IPv${family} address`
    )

const integerUpTo =
  (maximum: number): FieldParser =>
  (word) =>
    /^\d{1,10}$/.test(word) && Number(word) <= maximum
      ? Either.right(`${Number(word)}`)
      : Either.left(`${quoteWord(word)} is not a whole number of at most ${maximum}`)

const parseUint16 = integerUpTo(65_535)

const parseTime: FieldParser = (word) => Either.map(parseDuration(word, 2 ** 32 - 1), String)

const parseFields = (
  words: ReadonlyArray<string>,
  origin: string,
  fields: ReadonlyArray<FieldParser>
): ParseResult<RecordData> =>
  Either.map(Either.all(words.map((word, at) => (fields[at] ?? keepWord)(word, origin))), (values) => ({
    value: values.join(" ")
  }))

const exactly =
  (...fields: ReadonlyArray<FieldParser>): DataParser =>
  (words, origin, type) =>
    words.length === fields.length
      ? parseFields(words, origin, fields)
      : Either.left(`${words.length} words of data, where ${type} needs ${fields.length}`)

/** Parses these fields and keeps the words that follow. */
const atLeast =
  (...fields: ReadonlyArray<FieldParser>): DataParser =>
  (words, origin, type) =>
    words.length >= fields.length
      ? parseFields(words, origin, fields)
      : Either.left(`${words.length} words of data, where ${type} needs at least ${fields.length}`)

/** Separates the first field, a priority, from the others. */
const prioritized =
  (...fields: ReadonlyArray<FieldParser>): DataParser =>
  (words, origin, type) =>
    Either.map(exactly(parseUint16, ...fields)(words, origin, type), ({ value }) => {
      const [priority = "", ...rest] = value.split(" ")
      return { priority: Number(priority), value: rest.join(" ") }
    })

const withLength = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => [Buffer.of(bytes.length), bytes]

const parseTxt: DataParser = (words, _, type) => {
  const strings = words.map(bytesOf)
  if (strings.length === 0) return Either.left(`${type} needs at least one character-string`)
  return strings.some(({ length }) => length > maxTxtStringLength)
    ? Either.left(`a character-string of more than ${maxTxtStringLength} bytes (RFC 1035 section 3.3)`)
    : decodeData(type, Buffer.concat(strings.flatMap(withLength)))
}

/** RFC 8659 section 4.1.1. */
const parseCaa: DataParser = (words, origin, type) =>
  Either.flatMap(exactly(integerUpTo(255), keepWord, keepWord)(words, origin, type), () => {
    const [flags = "", tag = "", value = ""] = words
    const tagBytes = bytesOf(tag)
    return tagBytes.length <= maxTxtStringLength
      ? decodeData(type, Buffer.concat([Buffer.of(Number(flags)), ...withLength(tagBytes), bytesOf(value)]))
      : Either.left(`a tag of more than ${maxTxtStringLength} bytes (RFC 8659 section 4.1)`)
  })

/** The parser of each type; other types can be given only in the generic form. */
const parsers: ReadonlyMap<string, DataParser> = new Map([
  ["A", exactly(addressOf(4))],
  ["AAAA", exactly(addressOf(6))],
  ...["NS", "CNAME", "DNAME", "PTR", "ALIAS", "ANAME"].map((type) => [type, exactly(toAbsoluteName)] as const),
  ["MX", prioritized(toAbsoluteName)],
  ["SRV", prioritized(parseUint16, parseUint16, toAbsoluteName)],
  ["TXT", parseTxt],
  ["SPF", parseTxt],
  ["CAA", parseCaa],
  [
    "SOA",
    exactly(toAbsoluteName, toAbsoluteName, integerUpTo(2 ** 32 - 1), parseTime, parseTime, parseTime, parseTime)
  ],
  ["HTTPS", atLeast(parseUint16, toAbsoluteName)],
  ["SVCB", atLeast(parseUint16, toAbsoluteName)],
  ["NAPTR", exactly(parseUint16, parseUint16, keepWord, keepWord, keepWord, toAbsoluteName)],
  ["NSEC", atLeast(toAbsoluteName, keepWord)],
  ["RRSIG", atLeast(keepWord, keepWord, keepWord, keepWord, keepWord, keepWord, keepWord, toAbsoluteName, keepWord)],
  ["RP", exactly(toAbsoluteName, toAbsoluteName)],
  ...["AFSDB", "KX", "RT", "LP"].map((type) => [type, exactly(parseUint16, toAbsoluteName)] as const),
  ...[
    ["APL", "AMTRELAY", "AVC", "CDNSKEY", "CDS", "CERT", "CSYNC", "DHCID", "DLV", "DNSKEY", "DS", "DSYNC", "EUI48"],
    ["EUI64", "GPOS", "HINFO", "HIP", "IPSECKEY", "ISDN", "KEY", "L32", "L64", "LOC", "NID", "NSEC3", "NSEC3PARAM"],
    ["OPENPGPKEY", "RESINFO", "SMIMEA", "SSHFP", "TLSA", "URI", "WALLET", "WKS", "X25", "ZONEMD"]
  ]
    .flat()
    .map((type) => [type, atLeast(keepWord)] as const)
])
