import { Schema } from "effect"
import { apexHost, toFqdn, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { nullTarget } from "../../../domain/records/target.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent } from "../../writing/recordContent.ts"
import { formatRecordFields, toRecordFields } from "../../writing/recordFields.ts"
import {
  type CheckRecord,
  isEmptyText,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseValues
} from "../../writing/requireStorable.ts"

const optionalNumber = Schema.optional(Schema.NullOr(Schema.Number))
const optionalText = Schema.optional(Schema.NullOr(Schema.String))

/** A record as Linode shows it: its name is relative to the zone, and empty at the apex. */
export const LinodeRecord = Schema.Struct({
  id: Schema.Number,
  type: Schema.String,
  name: optionalText,
  /** A target without a dot at its end, which is empty in a null MX; a text as it is; the value of a CAA without quotes. */
  target: Schema.String,
  /** Seconds; 0 for the TTL of the zone. */
  ttl_sec: Schema.Number,
  priority: optionalNumber,
  weight: optionalNumber,
  port: optionalNumber,
  /** Of an SRV, as its protocol: with or without an underscore. After the protocol comes what the SRV stands below. */
  service: optionalText,
  protocol: optionalText,
  tag: optionalText
})
export type LinodeRecord = typeof LinodeRecord.Type

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  stored: LinodeRecord,
  { ttl, zone }: { readonly zone: string; readonly ttl: number }
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const { target, ttl_sec, type } = stored
  const host = hostOf(stored)
  const value = type === "MX" && target === "" ? nullTarget : target
  return {
    name: host === "" ? zone : `${host}.${zone}`,
    ...(ttl_sec === 0 ? { ttl, automaticTtl: true } : { ttl: ttl_sec }),
    ...(type === "TXT" ? { type, value } : parseContent(type, formatRecordFields(type, { ...stored, value }))),
    ...(type === "NS" && host === "" ? { locked: "fixed" as const } : {})
  }
}

const hostOf = ({ name, protocol, service, type }: LinodeRecord): string =>
  type === "SRV" && name?.startsWith("_") !== true
    ? [service, protocol].map((word) => (word ?? "").replace(/^_?/, "_")).join(".")
    : (name ?? "")

/** The body that creates or replaces a record. The name of an SRV is its service and protocol. */
export const toRecordBody = (record: RecordAtName, zone: string) => {
  const { automaticTtl, name, ttl, type } = record
  const host = toZoneHost(name, zone)
  const { flags: _, value, ...fields } = toRecordFields(record)
  const [service = "", protocol = ""] = host.split(".").map((label) => label.slice(1))
  return {
    type,
    ttl_sec: automaticTtl === true ? 0 : ttl,
    ...fields,
    target: type === "MX" && value === nullTarget ? "" : value,
    ...(type === "SRV" ? { name: "", service, protocol } : { name: host === apexHost ? "" : host })
  }
}

/** Makes the check of why a record cannot be stored. The types are those of the document, without PTR. */
export const makeLinodeCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Linode",
    "A AAAA CAA CNAME MX NS SRV TXT",
    refuseByAny(
      refuseApexNs("Linode", location),
      refuseValues("Linode", (record) =>
        reasonAt(toZoneHost(toFqdn(record.host, location.domain), location.zone), record)
      )
    )
  )

/** Why a record at a host of the zone cannot be stored. */
const reasonAt = (host: string, record: ChangeRecord): string | undefined => {
  const { priority = 0, type, value } = record
  if (host.length > maxNameLength) return `no name of more than ${maxNameLength} characters`
  if (type === "NS" && host.startsWith("*")) return "no wildcard of name servers"
  if (isEmptyText(record) || (type === "TXT" && /\p{Cc}/u.test(value)))
    return "no empty text, and none with a control character, as far as is known"
  if (priority > maxPriority) return `no priority above ${maxPriority}`
  if (type === "MX" && value === nullTarget && priority !== 0) return "a null MX only with the priority 0"
  if (type === "SRV" && (priority === 0 || value.endsWith(` ${nullTarget}`)))
    return "no SRV with the priority 0 or without a target"
  if (type === "SRV" && !/^_[a-z\d-]+\._[a-z\d-]+$/.test(host)) return "an SRV only directly below the zone"
  if (type === "CAA" && !/^0 (issue|issuewild|iodef) "[^\s"\\]+"$/.test(value))
    return "a CAA only with issue, issuewild or iodef, without a flag, a space or a backslash"
  return undefined
}

const maxNameLength = 100
const maxPriority = 255
