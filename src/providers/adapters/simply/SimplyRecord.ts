import { Schema } from "effect"
import { apexHost, toFqdn, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent, toContentWithPriority } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  hasNullTarget,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseValues
} from "../../writing/requireStorable.ts"

/** A record as Simply.com shows it. */
export const SimplyRecord = Schema.Struct({
  record_id: Schema.Number,
  /** Relative to the zone, and `@` at the apex. */
  name: Schema.String,
  type: Schema.String,
  /** A target without a dot at its end; a text without quotes; of an SRV, what follows the priority. */
  data: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  /** Of an MX or SRV; of other types 0 or null. */
  priority: Schema.optional(Schema.NullOr(Schema.Number)),
  /** What the customer has noted about the record. */
  comment: Schema.optional(Schema.NullOr(Schema.String))
})
export type SimplyRecord = typeof SimplyRecord.Type

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  { data, name, priority, ttl, type }: SimplyRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const isApex = name === apexHost || name === ""
  return {
    name: isApex ? zone : `${name}.${zone}`,
    ttl,
    ...parseContent(type, toContentWithPriority(type, data, priority)),
    ...(type === "NS" && isApex ? { locked: "fixed" as const } : {})
  }
}

/** The body that creates a record, or replaces one: a replacement has all fields, so that it keeps the comment. */
export const toRecordBody = (
  { name, priority, ttl, type, value }: RecordAtName,
  zone: string,
  comment?: string | null
) => ({
  type,
  name: toZoneHost(name, zone),
  data: value,
  ttl,
  ...(priority === undefined ? {} : { priority }),
  ...(typeof comment === "string" ? { comment } : {})
})

/** Makes the check of why a record cannot be stored: the types that a client of Simply.com's own developer writes. */
export const makeSimplyCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Simply.com",
    "A AAAA CAA CNAME MX NS SRV TLSA TXT",
    refuseByAny(
      refuseApexNs("Simply.com", location),
      refuseValues("Simply.com", (record) => reasonAt(toFqdn(record.host, location.domain), location.zone, record))
    )
  )

/** Why a record at an absolute name is not stored as it is sent. What is not known has been published by nobody. */
const reasonAt = (name: string, zone: string, record: ChangeRecord): string | undefined => {
  const { type, value } = record
  if (`.${toZoneHost(name, zone)}`.endsWith(`.${zone}`))
    return "a name that ends in that of its zone as an absolute one"
  if (type === "TXT" && !/^[!-~]([ -~]*[!-~])?$/.test(value))
    return "no empty text, no space at its end, and no other characters than those of ASCII, as far as is known"
  if (type === "TXT" && /["\\]/.test(value)) return "no text with a quote or a backslash, as far as is known"
  if (type === "CAA" && value.includes("\\")) return "no CAA value with a backslash, as far as is known"
  return hasNullTarget(record) ? "no null target, as far as is known" : undefined
}
