import { Schema } from "effect"
import { apexHost, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent } from "../../writing/recordContent.ts"
import { parseCaaFields, toRecordFields } from "../../writing/recordFields.ts"
import {
  type CheckRecord,
  hasNullTarget,
  isEmptyText,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseValues
} from "../../writing/requireStorable.ts"

const optionalNumber = Schema.optional(Schema.NullOr(Schema.Number))

/** A record as Vercel lists it: its name is relative to the zone, and empty at the apex. */
export const VercelRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  /** A text as it is; of an MX, SRV or HTTPS, what follows the priority. */
  value: Schema.String,
  mxPriority: optionalNumber,
  priority: optionalNumber,
  /** Seconds. */
  ttl: optionalNumber,
  /** `system` for the records that Vercel keeps itself. */
  creator: Schema.String
})
export type VercelRecord = typeof VercelRecord.Type

/** What a stored record is in DNS. An own record goes before one of Vercel, except for CAA records, which count together. */
export const toZoneRecord = (
  { creator, mxPriority, name, priority, ttl, type, value }: VercelRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const words = type === "MX" ? [mxPriority ?? 0] : type === "SRV" || type === "HTTPS" ? [priority ?? 0] : []
  return {
    name: name === "" || name === apexHost ? zone : `${name}.${zone}`,
    ttl: ttl ?? 60,
    ...(type === "TXT" ? { type, value } : parseContent(type, [...words, value].join(" "))),
    ...(creator === "system" ? { locked: type === "CAA" ? ("fixed" as const) : ("overridable" as const) } : {})
  }
}

/** What a request changes of a record, whose type stays. */
export const toChangedRecord = (record: RecordAtName, zone: string) => {
  const host = toZoneHost(record.name, zone)
  const { port, priority, value: target, weight } = toRecordFields(record)
  return {
    name: host === apexHost ? "" : host,
    ttl: record.ttl,
    ...(record.type === "SRV" ? { srv: { priority, weight, port, target } } : { value: record.value }),
    ...(record.type === "MX" ? { mxPriority: priority } : {})
  }
}

/** What a request says to create a record; an alias at the apex has a type of its own. */
export const toNewRecord = (record: RecordAtName, zone: string) => ({
  type: record.type === "CNAME" && record.name === zone ? "ALIAS" : record.type,
  ...toChangedRecord(record, zone)
})

const checkValue = refuseValues("Vercel", (record) => {
  const { type, value } = record
  return isEmptyText(record) || (type === "TXT" && /\p{Cc}/u.test(value))
    ? "no empty text, and none with a control character, as far as is known"
    : hasNullTarget(record)
      ? "no null target"
      : type === "CAA" && !isStorableCaa(value)
        ? "no CAA without a name, and none with other parameters than cansignhttpexchanges"
        : undefined
})

const isStorableCaa = (data: string): boolean =>
  /^[^\s;"\\\ufffd]+(; ?cansignhttpexchanges=yes)?$/.test(parseCaaFields(data).bytes.toString())

/** Makes the check of why a record cannot be stored: the types of the document, without HTTPS, which has another form. */
export const makeVercelCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Vercel",
    "A AAAA ALIAS CAA CNAME MX NS SRV TXT",
    refuseByAny(refuseApexNs("Vercel", location), checkValue)
  )
