import { Array, Either, Option } from "effect"
import { checkDmarcValue, isDmarc, isDmarcHost, normalizeDmarcTags, parseDmarc } from "./DmarcRecord.ts"
import { refuse, suggestionOf, type ValueIssue } from "../error/ErrorDetail.ts"
import { checkPolicyHost } from "./policyHost.ts"
import { checkSpfValue } from "./checkSpfValue.ts"
import { isSpf, normalizeSpf, parseSpf } from "./SpfRecord.ts"
import { repairPolicyText, repairSpaces, unquoteText } from "./unquoteText.ts"
import { maxTxtStringLength, type RecordDataReader, type RecordField, stringTooLong } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { prefixWithLength } from "./encodeName.ts"
import { bytesOf, joinBytes, makeEscaper } from "./presentation.ts"

/** The character-strings of a TXT record, joined and without quotes; there is at least one (RFC 1035 section 3.3.14). */
export const joinedStrings: RecordField = {
  form: "text",
  takes: "any",
  parse: (words) => {
    const strings = words.map(bytesOf)
    if (strings.length === 0) return Either.left("TXT needs at least one character-string")
    if (strings.some(({ length }) => length > maxTxtStringLength)) return Either.left(stringTooLong)
    const bytes = joinBytes(strings)
    return bytes.length + strings.length > maxDataLength
      ? Either.left(`a record of more than ${maxDataLength} bytes`)
      : Either.right(formatBytes(bytes))
  },
  encode: (text) => toCharacterStrings(text).flatMap(prefixWithLength),
  decode: (reader) =>
    formatBytes(joinBytes([readCharacterString(reader), ...reader.readUntilEnd(() => readCharacterString(reader))]))
}

const maxDataLength = 65_535

const readCharacterString = (reader: RecordDataReader): Uint8Array => reader.readBytes(reader.readUint8())

/** Keeps UTF-8 as it is; bytes that are not, or hold a NUL, which no text column stores, are escaped as `\DDD`. */
const formatBytes = (bytes: Uint8Array): string =>
  Option.match(
    Option.filter(decodeUtf8(bytes), (text) => !text.includes("\0")),
    {
      onNone: () => escapeBinary(bytes),
      onSome: (text) => text
    }
  )

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeUtf8 = Option.liftThrowable((bytes: Uint8Array) => strictUtf8.decode(bytes))

const escapeBinary = makeEscaper(/^[ -[\]-~]$/)

/** Splits a text into the character-strings of a TXT record, in UTF-8. */
export const toCharacterStrings = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return Array.makeBy(Math.ceil(bytes.length / maxTxtStringLength), (index) =>
    bytes.subarray(index * maxTxtStringLength, (index + 1) * maxTxtStringLength)
  )
}

const parse = (value: string): Either.Either<string, ValueIssue> => {
  if (value === "") return refuse("value_is_empty", "a TXT record needs at least one character")
  const unquoted = unquoteText(value)
  if (unquoted !== undefined) {
    const message = "a value is written without the quotes of a zone file, and in one piece"
    return Either.left({ code: "value_has_quotes", message, ...suggestionOf(parse(unquoted)) })
  }
  const repaired = repairPolicyText(value)
  if (repaired !== undefined) {
    const message =
      "the value has quotes or backslashes that are left over from a zone file, and would not be understood"
    return Either.left({ code: "value_has_quotes", message, ...suggestionOf(parse(repaired)) })
  }
  const spaced = repairSpaces(value)
  if (spaced !== undefined) {
    const message = "the value begins with a space, or has characters that only look like spaces or are invisible"
    return Either.left({ code: "value_has_space", message, ...suggestionOf(parse(spaced)) })
  }
  if (/[\n\r]/.test(value)) return refuse("value_has_bad_character", "the value has a line break; write it on one line")
  if (/\p{Cc}/u.test(value))
    return refuse(
      "value_has_bad_character",
      "the value has a tab or another control character, which no TXT record holds"
    )
  return value.isWellFormed()
    ? Either.right(value)
    : refuse("value_has_bad_character", "the value has half of a character: a surrogate without its other half")
}

/** The value of a policy; other texts are alike only if they are the same. */
const spellAlike = (value: string, name: string): string => {
  if (isSpf(value)) return normalizeSpf(parseSpf(value, name))
  return isDmarcHost(name) && isDmarc(value) ? normalizeDmarcTags(parseDmarc(value).tags) : value
}

export const txt: RecordTypeDefinition = {
  code: 16,
  fields: { text: joinedStrings },
  parse,
  checkHost: checkPolicyHost,
  checkPolicy: (value, host) => (isDmarcHost(host) ? checkDmarcValue(value) : checkSpfValue(value)),
  spellAlike,
  conflicts: { replaces: "kind", excludes: ["CNAME"] },
  order: 6
}

/** A kind of TXT record that a host may have only one of. */
type SingletonTxtKind = "SPF" | "DMARC" | "DKIM" | "MTA-STS" | "TLS-RPT" | "BIMI"

/** The kind of a TXT record that a host may have only one of, by its host and version tag; none for other records. */
export const findSingletonTxtKind = (record: {
  readonly host: string
  readonly type: string
  readonly value: string
}): SingletonTxtKind | undefined => {
  if (record.type !== "TXT") return undefined
  if (isSpf(record.value)) return "SPF"
  if (isDmarcHost(record.host) && isDmarc(record.value)) return "DMARC"
  return singletonTxtKinds.find(({ host, text }) => host.test(record.host) && text.test(record.value))?.kind
}

/** By their standards these kinds exist at certain hosts only; other texts at these hosts are none of them. */
const singletonTxtKinds: ReadonlyArray<{
  readonly kind: SingletonTxtKind
  readonly host: RegExp
  readonly text: RegExp
}> = [
  // RFC 6376 section 3.6.1: the version may be missing, the key may not.
  { kind: "DKIM", host: /(^|\.)_domainkey(\.|$)/, text: /^\s*v\s*=\s*DKIM1\s*(;|$)|(^|;)\s*p\s*=/i },
  { kind: "MTA-STS", host: /^_mta-sts(\.|$)/, text: /^\s*v\s*=\s*STSv1\s*(;|$)/i },
  { kind: "TLS-RPT", host: /^_smtp\._tls(\.|$)/, text: /^\s*v\s*=\s*TLSRPTv1\s*(;|$)/i },
  { kind: "BIMI", host: /(^|\.)_bimi(\.|$)/, text: /^\s*v\s*=\s*BIMI1\s*(;|$)/i }
]
