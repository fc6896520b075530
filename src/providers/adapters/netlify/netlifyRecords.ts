import { Option, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { nullTarget } from "../../../domain/records/target.ts"
import { parseContent } from "../../writing/recordContent.ts"
import { formatRecordFields, parseCaaFields, toRecordFields } from "../../writing/recordFields.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { type CheckRecord, isEmptyText, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

const optionalNumber = Schema.optional(Schema.NullOr(Schema.Number))

/** A record as Netlify lists it; a member without a meaning for the type is `null` or missing. */
export const NetlifyRecord = Schema.Struct({
  id: Schema.String,
  /** Absolute, without a final dot. */
  hostname: Schema.String,
  type: Schema.String,
  /** A TXT unquoted and in one piece; a target as it was written, with or without a final dot. */
  value: Schema.String,
  /** Seconds. */
  ttl: optionalNumber,
  priority: optionalNumber,
  weight: optionalNumber,
  port: optionalNumber,
  flag: optionalNumber,
  tag: Schema.optional(Schema.NullOr(Schema.String)),
  /** Netlify keeps the record itself. */
  managed: Schema.optional(Schema.NullOr(Schema.Boolean))
})
export type NetlifyRecord = typeof NetlifyRecord.Type

/** The body of a request that creates a record. */
type NewNetlifyRecord = Pick<NetlifyRecord, "hostname" | "type" | "value"> &
  Partial<Record<"ttl" | "priority" | "weight" | "port" | "flag", number>> & { readonly tag?: string }

/** A stored record in DNS. `NETLIFY`, `NETLIFYv6`: a site's addresses, which the API neither creates nor removes. */
export const toZoneRecord = (stored: NetlifyRecord): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const { hostname: name, managed, ttl, type, value } = stored
  const isSite = /^NETLIFY/i.test(type)
  return {
    name,
    ttl: ttl ?? defaultTtl,
    // A text has neither the quotes nor the escapes of a zone file.
    ...(type === "TXT" || type === "SPF"
      ? { type, value }
      : parseContent(type, formatRecordFields(type, { ...stored, flags: stored.flag }))),
    ...(isSite ? { web: true } : {}),
    ...(isSite || managed === true ? { locked: "fixed" as const } : {})
  }
}

const defaultTtl = 3600

/** What a request has to say to create a record; Netlify has a type of its own for an alias at the apex of the zone. */
export const toNewRecord = (record: RecordAtName, zone: string): NewNetlifyRecord => {
  const { name: hostname, ttl, type } = record
  const { flags: flag, ...fields } = toRecordFields(record)
  const isAlias = type === "CNAME" && hostname === zone
  return { hostname, type: isAlias ? "ALIAS" : type, ttl, ...fields, ...(flag === undefined ? {} : { flag }) }
}

const checkValue: CheckRecord = (record) => {
  const { host, type, value } = record
  const reason =
    type === "MX" && value === nullTarget
      ? "no null MX"
      : isEmptyText(record)
        ? "no empty TXT"
        : type === "CAA" && !isUtf8(parseCaaFields(value).bytes)
          ? "no CAA with bytes that are not UTF-8"
          : undefined
  return reason === undefined
    ? Option.none()
    : refuseRecord("record_value_rejected", `Netlify stores ${reason}: ${host}`)
}

/** Why a zone cannot store a record: by the types it names, else those in the manual of the R package yay. */
export const makeNetlifyCheck = (zoneTypes: ReadonlyArray<string> | null | undefined): CheckRecord => {
  const named = new Set(zoneTypes?.map((type) => type.toUpperCase()))
  const types = named.size === 0 ? writtenTypes : writtenTypes.filter((type) => named.has(type))
  return makeTypeCheck("Netlify", types.join(" "), checkValue)
}

const writtenTypes = ["A", "AAAA", "ALIAS", "CAA", "CNAME", "MX", "NS", "SPF", "SRV", "TXT"]
