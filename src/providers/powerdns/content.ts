import { Either } from "effect"
import { presentedData } from "../../dns/master/presentedData.ts"
import { characterStrings } from "../../dns/wire/characterStrings.ts"
import { escaping } from "../../dns/wire/labels.ts"
import type { RecordData } from "../../dns/wire/recordData.ts"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { ChangeRecord } from "../../domain/Plan.ts"

/** The content of a record as PowerDNS shows it, in the form of a `ZoneRecord`; what makes no sense stays as it is. */
export const dataOf = (type: string, content: string): RecordData & Pick<ZoneRecord, "type"> =>
  Either.getOrElse(presentedData([type, ...(content.match(words) ?? [])], "."), () => ({ type, value: content }))

/** The content that PowerDNS takes for a planned record: names end in a dot, texts are quoted. */
export const contentOf = ({ priority, type, value }: ChangeRecord): string => {
  if (type === "TXT") {
    return characterStrings(value)
      .map((part) => `"${quotable(part)}"`)
      .join(" ")
  }
  if (!endsInName.has(type)) return value
  return [...(priority === undefined ? [] : [priority]), value.replace(/([^.])$/, "$1.")].join(" ")
}

/** Quoted strings, words, and words with a quoted string in them (RFC 9460). */
const words = /(?:"(?:[^"\\]|\\.)*"|[^\s"\\]|\\.)+/gs

const endsInName: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"])

const quotable = escaping(/^[ !#-[\]-~]$/)
