import { Either, Encoding } from "effect"
import { maxTxtStringLength } from "../../domain/DnsRecord.ts"
import { canonicalAddressOf } from "../../domain/IpAddress.ts"
import { WireReader } from "../wire/WireReader.ts"
import { decodeRecordData, type RecordData } from "../wire/decodeRecordData.ts"
import { formatLabel } from "../wire/formatLabel.ts"
import { typeNameOf } from "../wire/recordTypes.ts"

/** A value, or the rule that the words of a master file break. */
type Ruled<A> = Either.Either<A, string>

/**
 * The type and data of a record from its words in presentation format, where relative names lie below `origin`. The
 * data are in the form of `ZoneRecord`; of types that no intent asks for, the words as they stand, names absolute.
 */
export const parseRecordData = (
  [typeWord, ...words]: ReadonlyArray<string>,
  origin: string
): Ruled<RecordData & { readonly type: string }> => {
  if (typeWord === undefined) return Either.left("a record needs a type")
  const number = typeNumber(typeWord)
  const type = number === undefined ? typeWord.toUpperCase() : typeNameOf(number)
  const form = forms.get(type)
  if (form === undefined && number === undefined) return Either.left(`${quoteWord(typeWord)} is no record type`)
  const data =
    words[0] === "\\#"
      ? generic(type, words.slice(1))
      : (form?.(words, origin, type) ??
        Either.left(`the data of ${type} must be in the form \\# length hex (RFC 3597)`))
  return Either.map(data, (data) => ({ type, ...data }))
}

/** An absolute name in the form of `labelText`, without a dot at its end; the root is `.`. */
export const toAbsoluteName = (word: string, origin: string): Ruled<string> => {
  if (word === "@") return Either.right(origin)
  if (word === ".") return Either.right(word)
  if (/(^|=)"/.test(word)) return Either.left(`a name stands without quotes: ${quoteWord(word)}`)
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

/** Seconds, written so or with BIND's units, `1h30m`; a TTL is at most 2^31 - 1 (RFC 2181 section 8). */
export const parseDuration = (word: string, maximum = 2 ** 31 - 1): Ruled<number> => {
  const parts = Array.from(word.toLowerCase().matchAll(/(\d+)(\D?)/g), ([, count, unit = ""]) => ({ count, unit }))
  const seconds = parts.reduce((sum, { count, unit }) => sum + Number(count) * (units.get(unit) ?? 1), 0)
  return /^\d{1,10}$|^(\d{1,10}[wdhms]){1,5}$/i.test(word) && seconds <= maximum
    ? Either.right(seconds)
    : Either.left(`${quoteWord(word)} is no time up to ${maximum} seconds`)
}

/** The beginning of a word, fit to be printed. */
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

/** Of `TYPE1`, where it is one (RFC 3597 section 5). */
const typeNumber = (word: string): number | undefined => {
  const number = Number(/^TYPE(\d{1,5})$/i.exec(word)?.[1])
  return number <= 65_535 ? number : undefined
}

/** The bytes that a word means, without its quotes; what is not ASCII in UTF-8. */
const bytesOf = (word: string): Uint8Array =>
  Buffer.concat(
    Array.from(word.matchAll(/\\(\d{3})|\\(\D)|"|[^\\"]+/gu), ([plain, code, escaped]) =>
      code === undefined ? Buffer.from(plain === '"' ? "" : (escaped ?? plain)) : Buffer.of(Number(code))
    )
  )

const decoded = (type: string, bytes: Uint8Array): Ruled<RecordData> => {
  if (bytes.length > maxDataLength) return Either.left(`a record of more than ${maxDataLength} bytes`)
  const reader = new WireReader(bytes)
  const data = decodeRecordData(reader, type, bytes.length)
  return reader.fault === undefined ? Either.right(data) : Either.left(`these are not the data of a record ${type}`)
}

const generic = (type: string, [length = "", ...hex]: ReadonlyArray<string>): Ruled<RecordData> =>
  Either.flatMap(
    Either.mapLeft(Encoding.decodeHex(hex.join("")), () => "what follows \\# must be a length and hex (RFC 3597)"),
    (bytes) =>
      length === `${bytes.length}`
        ? decoded(type, bytes)
        : Either.left(`the length after \\# is ${quoteWord(length)}, the data have ${bytes.length} bytes`)
  )

type Field = (word: string, origin: string) => Ruled<string>

type Form = (words: ReadonlyArray<string>, origin: string, type: string) => Ruled<RecordData>

const asIs: Field = (word) => Either.right(word)

const address =
  (family: 4 | 6): Field =>
  (word) =>
    Either.fromOption(canonicalAddressOf(family, word), () => `${quoteWord(word)} is no IPv${family} address`)

const integer =
  (maximum: number): Field =>
  (word) =>
    /^\d{1,10}$/.test(word) && Number(word) <= maximum
      ? Either.right(`${Number(word)}`)
      : Either.left(`${quoteWord(word)} is no whole number up to ${maximum}`)

const uint16 = integer(65_535)

const time: Field = (word) => Either.map(parseDuration(word, 2 ** 32 - 1), String)

const inOrder = (words: ReadonlyArray<string>, origin: string, read: ReadonlyArray<Field>): Ruled<RecordData> =>
  Either.map(Either.all(words.map((word, at) => (read[at] ?? asIs)(word, origin))), (values) => ({
    value: values.join(" ")
  }))

const exactly =
  (...read: ReadonlyArray<Field>): Form =>
  (words, origin, type) =>
    words.length === read.length
      ? inOrder(words, origin, read)
      : Either.left(`${words.length} words of data, where ${type} has ${read.length}`)

/** Whatever follows these fields stays as it is. */
const atLeast =
  (...read: ReadonlyArray<Field>): Form =>
  (words, origin, type) =>
    words.length >= read.length
      ? inOrder(words, origin, read)
      : Either.left(`${words.length} words of data, where ${type} has at least ${read.length}`)

/** With the first field, a priority, apart. */
const prioritized =
  (...read: ReadonlyArray<Field>): Form =>
  (words, origin, type) =>
    Either.map(exactly(uint16, ...read)(words, origin, type), ({ value }) => {
      const [priority = "", ...rest] = value.split(" ")
      return { priority: Number(priority), value: rest.join(" ") }
    })

const sized = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => [Buffer.of(bytes.length), bytes]

const characterStrings: Form = (words, _, type) => {
  const strings = words.map(bytesOf)
  if (strings.length === 0) return Either.left(`${type} needs at least one character-string`)
  return strings.some(({ length }) => length > maxTxtStringLength)
    ? Either.left(`a character-string of more than ${maxTxtStringLength} bytes (RFC 1035 section 3.3)`)
    : decoded(type, Buffer.concat(strings.flatMap(sized)))
}

/** RFC 8659 section 4.1.1. */
const authorization: Form = (words, origin, type) =>
  Either.flatMap(exactly(integer(255), asIs, asIs)(words, origin, type), () => {
    const [flags = "", tag = "", value = ""] = words
    const tagBytes = bytesOf(tag)
    return tagBytes.length <= maxTxtStringLength
      ? decoded(type, Buffer.concat([Buffer.of(Number(flags)), ...sized(tagBytes), bytesOf(value)]))
      : Either.left(`a tag of more than ${maxTxtStringLength} bytes (RFC 8659 section 4.1)`)
  })

/** How the data of each type are written; a type that is not here can only come in the generic form. */
const forms: ReadonlyMap<string, Form> = new Map([
  ["A", exactly(address(4))],
  ["AAAA", exactly(address(6))],
  ...["NS", "CNAME", "DNAME", "PTR", "ALIAS", "ANAME"].map((type) => [type, exactly(toAbsoluteName)] as const),
  ["MX", prioritized(toAbsoluteName)],
  ["SRV", prioritized(uint16, uint16, toAbsoluteName)],
  ["TXT", characterStrings],
  ["SPF", characterStrings],
  ["CAA", authorization],
  ["SOA", exactly(toAbsoluteName, toAbsoluteName, integer(2 ** 32 - 1), time, time, time, time)],
  ["HTTPS", atLeast(uint16, toAbsoluteName)],
  ["SVCB", atLeast(uint16, toAbsoluteName)],
  ["NAPTR", exactly(uint16, uint16, asIs, asIs, asIs, toAbsoluteName)],
  ["NSEC", atLeast(toAbsoluteName, asIs)],
  ["RRSIG", atLeast(asIs, asIs, asIs, asIs, asIs, asIs, asIs, toAbsoluteName, asIs)],
  ["RP", exactly(toAbsoluteName, toAbsoluteName)],
  ...["AFSDB", "KX", "RT", "LP"].map((type) => [type, exactly(uint16, toAbsoluteName)] as const),
  ...[
    ["APL", "AMTRELAY", "AVC", "CDNSKEY", "CDS", "CERT", "CSYNC", "DHCID", "DLV", "DNSKEY", "DS", "DSYNC", "EUI48"],
    ["EUI64", "GPOS", "HINFO", "HIP", "IPSECKEY", "ISDN", "KEY", "L32", "L64", "LOC", "NID", "NSEC3", "NSEC3PARAM"],
    ["OPENPGPKEY", "RESINFO", "SMIMEA", "SSHFP", "TLSA", "URI", "WALLET", "WKS", "X25", "ZONEMD"]
  ]
    .flat()
    .map((type) => [type, atLeast(asIs)] as const)
])
