import { Option, Schema } from "effect"
import { apexHost, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { maxTxtStringLength } from "../../../domain/records/RecordField.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { formatText, parseContent, toContentWithPriority } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseRecord,
  refuseUnseenValues
} from "../../writing/requireStorable.ts"

/** A record as Name.com shows it: its host is relative to the zone, and empty at the apex. */
export const NamecomRecord = Schema.Struct({
  id: Schema.Number,
  host: Schema.optional(Schema.NullOr(Schema.String)),
  type: Schema.String,
  /** A target without a dot at its end; a text as it was written; of an SRV, what follows the priority. */
  answer: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  priority: Schema.optional(Schema.NullOr(Schema.Number))
})
export type NamecomRecord = typeof NamecomRecord.Type

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  { answer, host, priority, ttl, type }: NamecomRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const isApex = (host ?? "") === "" || host === apexHost
  return {
    name: isApex ? zone : `${host}.${zone}`,
    ttl,
    ...parseContent(type === "ANAME" ? "ALIAS" : type, toContentWithPriority(type, answer, priority)),
    ...(type === "NS" && isApex ? { locked: "fixed" as const } : {})
  }
}

/** The body that creates or replaces a record. Name.com calls an alias that it flattens ANAME. */
export const toRecordBody = (record: RecordAtName, zone: string) => {
  const { name, priority, ttl, type, value } = record
  const host = toZoneHost(name, zone)
  const isFlattened = type === "ALIAS" || (type === "CNAME" && name === zone)
  return {
    type: isFlattened ? "ANAME" : type,
    host: host === apexHost ? "" : host,
    answer: isLongText(record) ? formatText(value) : value,
    ttl,
    ...(priority === undefined ? {} : { priority })
  }
}

/** A text that takes several strings is written as them; any other as it is. */
const isLongText = ({ type, value }: Pick<RecordAtName, "type" | "value">): boolean =>
  type === "TXT" && Buffer.byteLength(value) > maxTxtStringLength

const refuseTexts: CheckRecord = (record) => {
  const { host, type, value } = record
  if (type !== "TXT") return Option.none()
  const isTooLong = isLongText(record) && (formatText(value).length > maxTextLength || !/^[ -~]*$/.test(value))
  return isTooLong || value.endsWith(" ")
    ? refuseRecord(
        "record_value_rejected",
        `Name.com stores texts of ${maxTextLength} bytes, quoted as in a zone file, that do not end in a space: ${host}`
      )
    : Option.none()
}

const maxTextLength = 512

/** Makes the check of why a record cannot be stored: the types of the document, which has no CAA. */
export const makeNamecomCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Name.com",
    "A AAAA ALIAS CNAME MX NS SRV TXT",
    refuseByAny(refuseTexts, refuseApexNs("Name.com", location), refuseUnseenValues("Name.com"))
  )
