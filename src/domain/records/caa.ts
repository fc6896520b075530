import { Either } from "effect"
import { checkCaaValue, isIssuanceTag, parseCaa } from "./CaaProperty.ts"
import { parseTarget } from "../names/DomainName.ts"
import { suggestionOf, type ValueIssue } from "../error/ErrorDetail.ts"
import { formatGeneric, maxTxtStringLength, type RecordDataReader, type RecordField, uint8 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { prefixWithLength } from "./encodeName.ts"
import { bytesOf, charactersOf, escapeQuoted, parseLabel, type ParseResult } from "./presentation.ts"

const tag: RecordField = {
  form: "word",
  parse: ([word = ""]) => Either.right(word),
  encode: (text) => prefixWithLength(parseLabel(text)),
  decode: (reader) => charactersOf(readTag(reader))
}

/** All bytes that follow the tag, in quotes. */
const quotedBytes: RecordField = {
  form: "text",
  parse: ([word = ""]) => Either.right(word),
  encode: (text) => parseLabel(text.slice(1, -1)),
  decode: (reader) => `"${escapeQuoted(reader.readBytes(reader.remaining))}"`
}

const readTag = (reader: RecordDataReader): Uint8Array => reader.readBytes(reader.readUint8())

/** RFC 8659 section 4.1; in the generic form if the tag has characters other than letters and digits. */
const format = (flags: number, tagBytes: Uint8Array, valueBytes: Uint8Array): string => {
  const tagText = charactersOf(tagBytes).toLowerCase()
  return /^[a-z0-9]+$/.test(tagText)
    ? `${flags} ${tagText} "${escapeQuoted(valueBytes)}"`
    : formatGeneric(Uint8Array.of(flags, tagBytes.length, ...tagBytes, ...valueBytes))
}

/** RFC 8659 section 4.1.1. */
const parseWords = ([flags = "", tagWord = "", text = ""]: ReadonlyArray<string>): ParseResult<string> => {
  const tagBytes = bytesOf(tagWord)
  return tagBytes.length <= maxTxtStringLength
    ? Either.right(format(Number(flags), tagBytes, bytesOf(text)))
    : Either.left(`a tag of more than ${maxTxtStringLength} bytes (RFC 8659 section 4.1)`)
}

/** Parses a CAA value (RFC 8659 section 4.1), also without quotes and with escapes (RFC 1035 section 5.1). */
const parse = (text: string): Either.Either<string, ValueIssue> => {
  const match = /^(\d{1,3})\s+([a-z0-9]+)\s+(?:"((?:[^"\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*)"|([^"\\\s]+))$/i.exec(
    text.trim()
  )
  const [, flags = "", tag = "", quoted, bare] = match ?? []
  return match !== null && Number(flags) <= 255
    ? Either.right(`${Number(flags)} ${tag.toLowerCase()} "${escapeCaaText(quoted ?? bare ?? "")}"`)
    : Either.left({
        code: "value_is_no_caa",
        message: 'the value must be `flags tag "value"` (RFC 8659 section 4.1)',
        ...suggestionOf(suggestCaaValue(text.trim()))
      })
}

/**
 * Adds what people often leave out: the flags, a quote at the end, or all but the name of the certificate authority.
 * A tag loses its hyphens, and the colon behind it.
 */
const suggestCaaValue = (text: string): Either.Either<string, ValueIssue> => {
  const [, flags = "0", tag = "", value = ""] =
    /^(?:(\d{1,3})\s+)?([a-z][a-z0-9_-]*)\s*[:=]?\s+(\S.*)$/is.exec(text) ?? []
  const respelled = `${flags} ${tag.replaceAll(/[-_]/g, "")} ${value}`
  if (tag !== "" && respelled !== text) return parse(respelled)
  return /"[^"]+$/.test(text)
    ? parse(`${text}"`)
    : Either.map(parseTarget(text), (authority) => `0 issue "${authority}"`)
}

/** Writes each byte that is not plainly printable as `\DDD`, however it was written. */
const escapeCaaText = (text: string): string =>
  text.replace(/\\(\d{3})|\\?([^ !#-[\]-~])|\\([^])/gu, (_, code?: string, odd?: string, plain = "") =>
    code === undefined
      ? odd === undefined
        ? plain
        : escapeQuoted(new TextEncoder().encode(odd))
      : escapeQuoted(Uint8Array.of(Number(code)))
  )

/** The permission that an issuance property gives; other values are alike only if they are the same. */
const spellAlike = (text: string): string => {
  const property = parseCaa(text)
  return isIssuanceTag(property.tag) ? JSON.stringify(property) : text
}

export const caa: RecordTypeDefinition = {
  code: 257,
  fields: { flags: uint8, tag, value: quotedBytes },
  decode: (reader) => format(reader.readUint8(), readTag(reader), reader.readBytes(reader.remaining)),
  parseWords,
  parse,
  checkPolicy: checkCaaValue,
  spellAlike,
  conflicts: { replaces: "nothing", excludes: ["CNAME"] },
  order: 7
}
