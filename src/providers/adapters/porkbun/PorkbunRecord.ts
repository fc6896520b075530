import { Option, Schema } from "effect"
import { apexHost, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent, toContentWithPriority } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseRecord,
  refuseUnseenValues
} from "../../writing/requireStorable.ts"

/** Porkbun shows numbers as text. */
const ShownNumber = Schema.Union(Schema.Number, Schema.NumberFromString)

/** A record as Porkbun shows it: its name is absolute, without a final dot, and so are targets. */
export const PorkbunRecord = Schema.Struct({
  id: Schema.Union(Schema.String, Schema.Number),
  name: Schema.String,
  type: Schema.String,
  /** A text without quotes; of an MX or SRV, what follows the priority. */
  content: Schema.String,
  /** Seconds. */
  ttl: ShownNumber,
  prio: Schema.optional(Schema.NullOr(ShownNumber))
})
export type PorkbunRecord = typeof PorkbunRecord.Type

export const toZoneRecord = (
  { content, name, prio, ttl, type }: PorkbunRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => ({
  name,
  ttl,
  ...parseContent(type, toContentWithPriority(type, content, prio)),
  ...(type === "NS" && name === zone ? { locked: "fixed" as const } : {})
})

/** The body that creates or replaces a record: its name is relative, and empty at the apex. */
export const toRecordBody = ({ name, priority, ttl, type, value }: RecordAtName, zone: string) => {
  const host = toZoneHost(name, zone)
  return {
    type: type === "CNAME" && name === zone ? "ALIAS" : type,
    name: host === apexHost ? "" : host,
    content: value,
    ttl,
    ...(priority === undefined ? {} : { prio: priority })
  }
}

const refuseSpaces: CheckRecord = ({ host, type, value }) =>
  (type === "TXT" && value.endsWith(" ")) || (type === "CAA" && /".*\s/s.test(value))
    ? refuseRecord("record_value_rejected", `Porkbun stores no text that ends in a space, no CAA with one: ${host}`)
    : Option.none()

/** Makes the check of why a record cannot be stored: the types of the documentation with a form that is known. */
export const makePorkbunCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Porkbun",
    "A AAAA ALIAS CAA CNAME MX NS SRV TLSA TXT",
    refuseByAny(refuseSpaces, refuseApexNs("Porkbun", location), refuseUnseenValues("Porkbun"))
  )
