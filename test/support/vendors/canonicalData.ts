import { tokensOf } from "../lab/rdata.ts"
import { bytesOf, textOf } from "../lab/wireFormat.ts"

/** A word of a record, or all words that are left, in canonical form; `undefined` if they are none. */
type WordField = (words: ReadonlyArray<string>) => string | undefined

const one =
  (pattern: RegExp, show: (word: string) => string | undefined = (word) => word): WordField =>
  ([word = "", ...others]) =>
    others.length === 0 && pattern.test(word) ? show(word) : undefined

const number = (maximum: number): WordField =>
  one(/^\d+$/, (word) => (Number(word) > maximum ? undefined : String(Number(word))))

const isQuoted = (word: string): boolean => word.startsWith('"')
const bytesIn = (word: string): Uint8Array => bytesOf(word.replace(/^"(.*)"$/s, "$1"))
const quote = (bytes: Uint8Array): string => `"${textOf(bytes, /["\\]/)}"`

/** A string of more than 255 bytes becomes several. */
const quoteAll = (word: string): string => {
  const bytes = bytesIn(word)
  const starts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, index) => index * 255)
  return starts.map((start) => quote(bytes.subarray(start, start + 255))).join(" ")
}

const fields: Readonly<Record<string, WordField>> = {
  ipv4: one(/^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/),
  ipv6: one(/:/, (word) => URL.parse(`http://[${word}]/`)?.hostname.slice(1, -1)),
  byte: number(255),
  short: number(65_535),
  word: one(/./),
  lower: one(/./, (word) => word.toLowerCase()),
  name: one(/^(?=.{1,254}$)(\.|([^.]{1,63}\.)+)$/),
  quoted: one(/./, (word) => quote(bytesIn(word))),
  strings: (words) => (words.length > 0 && words.every(isQuoted) ? words.map(quoteAll).join(" ") : undefined),
  joined: (words) => words.join("") || undefined,
  hex: (words) => words.join("").toLowerCase() || undefined,
  rest: (words) => words.map((word) => (isQuoted(word) ? quote(bytesIn(word)) : word)).join(" ")
}

const typesByFields: Readonly<Record<string, string>> = {
  ipv4: "A",
  ipv6: "AAAA",
  name: "CNAME DNAME NS PTR",
  "short name": "AFSDB KX MX",
  "short short short name": "SRV",
  strings: "SPF TXT",
  "byte word quoted": "CAA",
  "name name": "RP",
  "short name rest": "HTTPS SVCB",
  "short short quoted quoted quoted name": "NAPTR",
  "short short quoted": "URI",
  "quoted quoted": "HINFO",
  "byte byte hex": "SSHFP",
  "byte byte byte hex": "SMIMEA TLSA",
  "short byte byte hex": "DS",
  "short short word joined": "CERT",
  joined: "DHCID OPENPGPKEY",
  lower: "EUI48 EUI64",
  rest: "LOC"
}

const formats = new Map(
  Object.entries(typesByFields).flatMap(([format, types]) =>
    types.split(" ").map((type) => [type, format.split(" ")] as const)
  )
)

/** The types of which the canonical form is known here. */
export const canonicalTypes: ReadonlyArray<string> = [...formats.keys()]

/** The data of a record in the form in which a server of DNS prints them; `undefined` if they are none of the type. */
export const toCanonicalData = (type: string, data: string): string | undefined => {
  const format = formats.get(type) ?? []
  const words = tokensOf(data)
  const shown = format.map((field, index) =>
    fields[field]?.(words.slice(index, index === format.length - 1 ? undefined : index + 1))
  )
  return format.length === 0 || shown.includes(undefined) ? undefined : shown.join(" ").trimEnd()
}

/** Whether the data of a record can be parsed, as far as their form is known; the dot at the end of a target may be missing. */
export const isZoneFileData = (type: string, data: string): boolean =>
  !formats.has(type) || [data, `${data}.`].some((each) => toCanonicalData(type, each) !== undefined)

/**
 * Whether a text is in quoted strings of at most 255 bytes, joined by blanks; `escapes` is the pattern of what may follow a
 * backslash. A code of three digits is a byte.
 */
export const areQuotedStrings = (value: string, escapes: string): boolean => {
  const strings = value.match(new RegExp(String.raw`"(?:[^"\\]|\\(?:${escapes}))*"`, "g")) ?? []
  return value !== "" && strings.join(" ") === value && strings.every((string) => lengthOfString(string) <= 255)
}

const lengthOfString = (string: string): number =>
  Buffer.byteLength(string.slice(1, -1).replaceAll(/\\(\d{3}|\D)/g, "?"))

/** Shows the byte of each code of three digits in another way; `base` is that of the digits. */
export const replaceCodes = (text: string, base: 8 | 10, show: (byte: number) => string): string =>
  text.replace(/\\(\d{3})|\\\D/g, (whole, digits?: string) => (digits ? show(parseInt(digits, base)) : whole))
