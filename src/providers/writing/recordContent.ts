import { Either } from "effect"
import { isUtf8 } from "node:buffer"
import { parseRecordData } from "../../dns/zonefile/parseRecordData.ts"
import { apexHost } from "../../domain/names/DomainName.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { mapNames } from "../../domain/records/dnsTypes.ts"
import { escapeQuoted } from "../../domain/records/presentation.ts"
import type { RecordData } from "../../domain/records/RecordFormat.ts"
import { toCharacterStrings } from "../../domain/records/txt.ts"

/** Parses presentation format (RFC 1035 section 5.1), names relative to the root; other content stays as it is. */
export const parseContent = (type: string, content: string): RecordData & Pick<ZoneRecord, "type"> =>
  Either.getOrElse(parseValidContent(type, content), () => ({ type, value: content }))

/** The same, where content that cannot be parsed is refused, with the rule that it breaks. */
export const parseValidContent = (
  type: string,
  content: string
): Either.Either<RecordData & Pick<ZoneRecord, "type">, string> => parseRecordData([type, ...splitWords(content)], ".")

/** Splits data in presentation format into words: quoted strings, and words that may have a quoted string in them. */
export const splitWords = (content: string): ReadonlyArray<string> => content.match(words) ?? []

/** Formats data in presentation format: names end in a dot, texts are quoted strings of at most 255 bytes. */
export const formatContent = ({ priority, type, value }: ChangeRecord): string => {
  if (type === "TXT" || type === "SPF") return formatText(value)
  return [
    ...(priority === undefined ? [] : [priority]),
    mapNames(type, value, (name) => name.replace(/\.?$/, "."))
  ].join(" ")
}

/** Formats a text as quoted strings of at most 255 bytes each. */
export const formatText = (text: string): string =>
  toCharacterStrings(text)
    .map((part) => `"${escapeQuoted(part)}"`)
    .join(" ")

/** Formats a text that a provider shows as quoted strings, which may be longer than those of DNS, or as it is. */
export const toQuotedStrings = (content: string): string =>
  /^\s*("([^"\\]|\\.)*"\s*)+$/s.test(content)
    ? Array.from(content.matchAll(/"((?:[^"\\]|\\.)*)"/gs), ([, text = ""]) => text)
        .flatMap((text) => text.match(/(\\\d{3}|\\.|[^\\]){1,60}/gsu) ?? [""])
        .map((part) => `"${part}"`)
        .join(" ")
    : formatText(content)

/** Formats content of which a provider shows the priority apart; a text may lack quotes. */
export const toContentWithPriority = (type: string, content: string, priority: number | null | undefined): string => {
  if (type === "TXT") return toQuotedStrings(content)
  return type === "MX" || type === "SRV" ? `${priority ?? 0} ${content}` : content
}

/** Formats zone file data: a target without a final dot is relative to the zone; a text may lack quotes. */
export const toAbsoluteContent = (type: string, stored: string, zone: string): string => {
  if (type === "TXT" || type === "SPF") return toQuotedStrings(stored)
  if (!typesWithTarget.has(type)) return stored
  return stored.replace(/\S+$/, (target) =>
    target === apexHost ? `${zone}.` : target.endsWith(".") ? target : `${target}.${zone}.`
  )
}

const typesWithTarget: ReadonlySet<string> = new Set(["ALIAS", "CNAME", "DNAME", "MX", "NS", "PTR", "SRV"])

/** Escapes quotes and backslashes by a backslash, as most providers do, and not by their codes. */
export const escapeBySign = (content: string): string =>
  replaceCodes(content, 10, (byte) => signs.get(byte) ?? formatCode(byte, 10))

/** Writes other scripts as they are, in place of the codes of their bytes in UTF-8. */
export const unescapeScripts = (content: string): string =>
  content.replace(/((?:\\\d{3})+)|\\./gs, (escaped, codes?: string) => {
    const bytes = Buffer.from((codes ?? "").split("\\").slice(1).map(Number))
    const text = bytes.toString()
    return codes === undefined || !isUtf8(bytes) || /\p{Cc}/u.test(text) ? escaped : text
  })

const signs: ReadonlyMap<number, string> = new Map(['"', "\\"].map((sign) => [sign.charCodeAt(0), `\\${sign}`]))

/** Replaces the codes of bytes, of three digits after a backslash; other escaped characters stay. */
export const replaceCodes = (text: string, radix: 8 | 10, format: (byte: number) => string): string =>
  text.replace(radix === 8 ? /\\(?:([0-3][0-7]{2})|.)/gs : /\\(?:(\d{3})|.)/gs, (other, code?: string) =>
    code === undefined ? other : format(parseInt(code, radix))
  )

export const formatCode = (byte: number, radix: 8 | 10): string => `\\${byte.toString(radix).padStart(3, "0")}`

/** Quoted strings, words, and words with a quoted string in them (RFC 9460). */
const words = /(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.)+/gs
