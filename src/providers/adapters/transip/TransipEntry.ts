import { Option, Schema } from "effect"
import { apexHost, toFqdn, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { nullTarget } from "../../../domain/records/target.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { formatContent, parseContent, toAbsoluteContent } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseRecord,
  refuseValues
} from "../../writing/requireStorable.ts"

/** A record as TransIP has it, without an id: a removal names it by all of this. */
export const TransipEntry = Schema.Struct({
  /** Relative to the zone, and `@` for the zone itself. */
  name: Schema.String,
  /** The TTL in seconds. */
  expire: Schema.Number,
  type: Schema.String,
  /** As in a zone file, where a target without a final dot is relative to the zone; but a text as it is served. */
  content: Schema.String
})
export type TransipEntry = typeof TransipEntry.Type

/** What a stored entry is in DNS. Quotes around a text are a part of it (DNSControl, pull request 4824). */
export const toZoneRecord = (
  { content, expire: ttl, name, type }: TransipEntry,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => ({
  name: name === apexHost ? zone : `${name}.${zone}`,
  ttl,
  ...(type === "TXT" ? { type, value: content } : parseContent(type, toAbsoluteContent(type, content, zone))),
  ...(type === "NS" && name === apexHost ? { locked: "fixed" as const } : {})
})

/** The entry of a record; an alias at the apex has a type of its own. */
export const toEntry = (record: RecordAtName, zone: string): TransipEntry => {
  const name = toZoneHost(record.name, zone)
  return {
    name,
    expire: record.ttl,
    type: record.type === "CNAME" && name === apexHost ? "ALIAS" : record.type,
    content: record.type === "TXT" ? record.value : formatContent(record)
  }
}

/** Makes the check of why a record cannot be stored. The types are those of TransIP's clients, with ALIAS and CAA. */
export const makeTransipCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "TransIP",
    "A AAAA ALIAS CAA CNAME MX NS SRV SSHFP TLSA TXT",
    refuseByAny(refuseApexNs("TransIP", location), refuseAliasBelow(location), refuseValues("TransIP", reasonOf))
  )

const refuseAliasBelow =
  ({ domain, zone }: ZoneLocation): CheckRecord =>
  ({ host, type }) =>
    type === "ALIAS" && toFqdn(host, domain) !== zone
      ? refuseRecord("record_type_unsupported", `TransIP has an ALIAS at the apex only, not at ${host}`)
      : Option.none()

/** What DNSControl's tests found to be refused, and what nobody has seen there. */
const reasonOf = ({ type, value }: ChangeRecord): string | undefined => {
  if (type === "TXT" && (value === "" || value.length > 1024 || /^ | $|[\\`]/.test(value)))
    return "texts of up to 1,024 characters, without a backslash, a backtick or a space at an end"
  if (type === "TXT" && /[^ -~]/.test(value)) return "texts in ASCII only, as far as is known"
  if (type === "MX" && value === nullTarget) return "no null MX"
  if (type === "SRV" && value.endsWith(` ${nullTarget}`)) return "no SRV without a target, as far as is known"
  if (type === "CAA" && value.includes("\\")) return "no CAA value with a backslash, as far as is known"
  return undefined
}
