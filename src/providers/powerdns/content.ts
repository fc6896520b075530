import { Array, Either } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { ChangeRecord } from "../../domain/Plan.ts"
import { presentedData } from "../../dns/master/presentedData.ts"
import type { RecordData } from "../../dns/wire/recordData.ts"
import { escaping } from "../../dns/wire/labels.ts"

/** The content of a record as PowerDNS shows it, in the form of a `ZoneRecord`; what makes no sense stays as it is. */
export const dataOf = (type: string, content: string): RecordData & Pick<ZoneRecord, "type"> =>
  Either.getOrElse(presentedData([type, ...(content.match(words) ?? [])], "."), () => ({ type, value: content }))

/** The content that PowerDNS takes for a planned record: names end in a dot, texts are quoted. */
export const contentOf = ({ priority, type, value }: ChangeRecord): string => {
  if (type === "TXT") return quotedStrings(new TextEncoder().encode(value))
  if (!endsInName.has(type)) return value
  return [...(priority === undefined ? [] : [priority]), value.replace(/([^.])$/, "$1.")].join(" ")
}

/** Quoted strings, words, and words with a quoted string in them (RFC 9460). */
const words = /(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.)+/gs

const endsInName: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"])

/** Character-strings of at most 255 bytes (RFC 1035 section 3.3.14). */
const quotedStrings = (bytes: Uint8Array): string =>
  Array.makeBy(Math.ceil(bytes.length / maxStringLength), (index) =>
    bytes.subarray(index * maxStringLength, (index + 1) * maxStringLength)
  )
    .map((part) => `"${quotable(part)}"`)
    .join(" ")

const maxStringLength = 255

const quotable = escaping(/^[ !#-[\]-~]$/)
