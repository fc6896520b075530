import { Schema } from "effect"
import { apexHost, toZoneHost } from "../../../domain/names/DomainName.ts"
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

/** A record as DNSimple shows it: its name is relative to the zone, and empty at the apex. */
export const DnsimpleRecord = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  type: Schema.String,
  /** Without the priority, and a target without its final dot; a text from before November 2023 has no quotes. */
  content: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  priority: Schema.NullOr(Schema.Number),
  /** The record that DNSimple made it for, and removes it with: the text `ALIAS for …`. */
  parent_id: Schema.NullOr(Schema.Number),
  /** Where it is served: `global`, or some places only. */
  regions: Schema.Array(Schema.String),
  /** DNSimple keeps it itself. */
  system_record: Schema.Boolean
})
export type DnsimpleRecord = typeof DnsimpleRecord.Type

/** What a stored record is in DNS. A redirect answers with addresses, as an alias that is flattened does. */
export const toZoneRecord = (
  { content, name, priority, regions, system_record, ttl, type }: DnsimpleRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const served = typesOfOwn.get(type)
  const isRegional = regions.length > 0 && !regions.includes("global")
  return {
    name: name === "" ? zone : `${name}.${zone}`,
    ttl,
    ...(served === undefined
      ? parseContent(type, toContentWithPriority(type, content, priority))
      : { type: served, value: content }),
    ...(system_record || isRegional || served !== undefined ? { locked: "fixed" as const } : {})
  }
}

/** DNSimple's own types, and how they are seen in DNS: a redirect, and an alias with several targets that take turns. */
const typesOfOwn: ReadonlyMap<string, string> = new Map([
  ["URL", "ALIAS"],
  ["POOL", "CNAME"]
])

/** What a request changes of a record, whose type stays: in this zone only, not at other providers linked to it. */
export const toChangedRecord = ({ name, priority, ttl, type, value }: RecordAtName, zone: string) => {
  const host = toZoneHost(name, zone)
  return {
    name: host === apexHost ? "" : host,
    content: type === "TXT" ? formatQuoted(value) : value,
    ttl,
    ...(priority === undefined ? {} : { priority }),
    integrated_zones: ["dnsimple"]
  }
}

/** What a request says to create a record; an alias at the apex has a type of its own. */
export const toNewRecord = (record: RecordAtName, zone: string) => ({
  type: record.type === "CNAME" && record.name === zone ? "ALIAS" : record.type,
  ...toChangedRecord(record, zone)
})

/** A text in quotes is stored as it is, and served as strings of 255 bytes, however long it is. */
const formatQuoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const maxTextLength = 1000

const checkValue = refuseValues("DNSimple", (record) => {
  const { type, value } = record
  return type === "TXT" && (value.endsWith(" ") || value.split('"').length % 2 === 0 || isEmptyText(record))
    ? "no empty text, none that ends in a space, and none with an unpaired quote"
    : type === "TXT" && (/\p{Cc}/u.test(value) || Buffer.byteLength(formatQuoted(value)) > maxTextLength)
      ? `texts of ${maxTextLength} characters with their quotes, without control characters as far as is known`
      : type === "SRV" && value.endsWith(` ${nullTarget}`)
        ? "no SRV without a target"
        : type === "CAA" && value.includes("\\")
          ? "no CAA value with a backslash, as far as is known"
          : undefined
})

/** Makes the check of why a record cannot be stored: the types of the document that other clients write. */
export const makeDnsimpleCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "DNSimple",
    "A AAAA ALIAS CAA CNAME MX NAPTR NS PTR SRV SSHFP TXT",
    refuseByAny(refuseApexNs("DNSimple", location), checkValue)
  )
