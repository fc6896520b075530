import { Schema } from "effect"
import { apexHost, toFqdn, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { escapeBySign, formatContent, parseContent, toQuotedStrings } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  hasNullTarget,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseValues
} from "../../writing/requireStorable.ts"

/** A record as Infomaniak shows it. */
export const InfomaniakRecord = Schema.Struct({
  id: Schema.Number,
  /** Relative to the zone; a dot at the apex, in older answers empty. */
  source: Schema.String,
  type: Schema.String,
  /** As in a zone file, where targets have no dot at their end, and digests may be in groups. */
  target: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  /** Of Infomaniak's dynamic DNS, which keeps the address. */
  dyndns_id: Schema.optional(Schema.NullOr(Schema.Number))
})
export type InfomaniakRecord = typeof InfomaniakRecord.Type

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  { dyndns_id, source, target, ttl, type }: InfomaniakRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const isApex = source === apexSource || source === ""
  const isKept = (type === "NS" && isApex) || typeof dyndns_id === "number"
  return {
    name: isApex ? zone : `${source}.${zone}`,
    ttl,
    ...parseContent(type, type === "TXT" ? toQuotedStrings(target) : target),
    ...(isKept ? { locked: "fixed" as const } : {})
  }
}

const apexSource = "."

/** What a request changes of a record, whose type and name stay. */
export const toChangedRecord = (record: RecordAtName) => ({
  target: escapeBySign(formatContent(record)),
  ttl: record.ttl
})

/** What a request says to create a record. */
export const toNewRecord = (record: RecordAtName, zone: string) => {
  const { name, type, value } = record
  const host = toZoneHost(name, zone)
  return {
    type,
    source: host === apexHost ? apexSource : host,
    ...toChangedRecord(record),
    ...(type === "TXT" && host.split(".").includes("_domainkey")
      ? { dkim_type: /\bk\s*=\s*ed25519\b/.test(value) ? "ed25519" : "rsa" }
      : {})
  }
}

/** Makes the check of why a record cannot be stored: the types of the documentation that other clients write. */
export const makeInfomaniakCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Infomaniak",
    "A AAAA CAA CNAME MX NS SRV SSHFP TLSA TXT",
    refuseByAny(
      refuseApexNs("Infomaniak", location),
      refuseValues("Infomaniak", (record) => reasonAt(toFqdn(record.host, location.domain), record))
    )
  )

/** Why a record at an absolute name cannot be stored. */
const reasonAt = (name: string, record: ChangeRecord): string | undefined => {
  const { type, value } = record
  if (type === "TXT" && !/^[ -~]+$/.test(value))
    return "no empty text, and none with other characters than those of ASCII, as far as is known"
  if (type === "MX" && value === name) return "no MX whose mail server is its own name"
  if (hasNullTarget(record)) return "no null target, as far as is known"
  if (type === "CAA" && value.includes("\\")) return "no CAA value with a backslash, as far as is known"
  return undefined
}
