import { Schema } from "effect"
import { apexHost, normalizeTarget, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { nullTarget } from "../../../domain/records/target.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent, toContentWithPriority } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  isEmptyText,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseValues
} from "../../writing/requireStorable.ts"

/** A record as Vultr shows it: its name is relative to the zone, and empty at the apex. */
export const VultrRecord = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  name: Schema.String,
  /** Without the priority; a target has no dot at its end and may be in Unicode, a text is in quotes. */
  data: Schema.String,
  /** 0 or -1 where the type has none. */
  priority: Schema.Number,
  /** Seconds. */
  ttl: Schema.Number
})
export type VultrRecord = typeof VultrRecord.Type

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  { data, name, priority, ttl, type }: VultrRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => ({
  name: name === "" ? zone : `${name}.${zone}`,
  ttl,
  ...(type === "TXT"
    ? { type, value: data.replace(/^"(.*)"$/s, "$1") }
    : parseContent(type, toContentWithPriority(type, toAsciiTarget(type, data), priority))),
  ...(type === "NS" && name === "" ? { locked: "fixed" as const } : {})
})

const typesWithTarget: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"])

const toAsciiTarget = (type: string, data: string): string =>
  typesWithTarget.has(type) && /[^ -~]/.test(data) ? data.replace(/\S+$/, normalizeTarget) : data

/** What a request changes of a record, whose type stays. A text is in quotes however long it is, without escapes. */
export const toChangedRecord = ({ name, priority = 0, ttl, type, value }: RecordAtName, zone: string) => {
  const host = toZoneHost(name, zone)
  return { name: host === apexHost ? "" : host, data: type === "TXT" ? `"${value}"` : value, priority, ttl }
}

/** Makes the check of why a record cannot be stored. The types are those of the document. */
export const makeVultrCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Vultr",
    "A AAAA CAA CNAME MX NS SRV SSHFP TXT",
    refuseByAny(refuseApexNs("Vultr", location), refuseValues("Vultr", reasonOf))
  )

/** Why the data of a record cannot be stored. */
const reasonOf = (record: ChangeRecord): string | undefined => {
  const { type, value } = record
  if (type === "TXT" && value.includes('"')) return "no text with a quote"
  if (isEmptyText(record) || (type === "TXT" && /\p{Cc}/u.test(value)))
    return "no empty text, and none with a control character, as far as is known"
  if (type === "MX" && value === nullTarget) return "no null MX"
  if (type === "SRV" && value.endsWith(` ${nullTarget}`)) return "no SRV without a target, as far as is known"
  return type === "CAA" && !/^\d+ (issue|issuewild|iodef) "[^\s"\\]+"$/.test(value)
    ? "a CAA only with issue, issuewild or iodef, and a value without a space, a quote or a backslash"
    : undefined
}
