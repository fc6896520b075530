import { Option, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import { escapeQuoted } from "../../../dns/wire/decodeRecordData.ts"
import { parseLabel } from "../../../dns/wire/encodeName.ts"
import { nullTarget, type ZoneRecord } from "../../../domain/DnsRecord.ts"
import type { ChangeRecord } from "../../../domain/Plan.ts"
import type { RecordAtName } from "../../writing/recordwise.ts"
import { type CheckRecord, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

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

/**
 * What a stored record is in DNS. `NETLIFY` and `NETLIFYv6` are the addresses of a site at Netlify, which the API
 * neither creates nor removes.
 */
export const toZoneRecord = (stored: NetlifyRecord): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const { hostname: name, managed, ttl, type } = stored
  const isSite = /^NETLIFY/i.test(type)
  return {
    name,
    type,
    ttl: ttl ?? defaultTtl,
    ...toData(stored),
    ...(isSite ? { web: true } : {}),
    ...(isSite || managed === true ? { locked: "fixed" as const } : {})
  }
}

const defaultTtl = 3600

const toData = ({ flag, port, priority, tag, type, value, weight }: NetlifyRecord) => {
  if (type === "MX") return { priority: priority ?? 0, value }
  if (type === "SRV") return { priority: priority ?? 0, value: `${weight ?? 0} ${port ?? 0} ${value}` }
  return { value: type === "CAA" ? `${flag ?? 0} ${tag ?? ""} "${escapeQuoted(Buffer.from(value))}"` : value }
}

/** What a request has to say to create a record; Netlify has a type of its own for an alias at the apex of the zone. */
export const toNewRecord = (record: RecordAtName, zone: string): NewNetlifyRecord => ({
  hostname: record.name,
  type: record.type === "CNAME" && record.name === zone ? "ALIAS" : record.type,
  ttl: record.ttl,
  ...toFields(record)
})

const toFields = ({ priority = 0, type, value }: ChangeRecord) => {
  if (type === "MX") return { priority, value }
  if (type === "SRV") {
    const [weight, port, target = ""] = value.split(" ")
    return { priority, weight: Number(weight), port: Number(port), value: target }
  }
  if (type !== "CAA") return { value }
  const { bytes, flag, tag } = parseCaa(value)
  return { flag, tag, value: bytes.toString() }
}

/** Parses `flags tag "value"`, in normal form. */
const parseCaa = (value: string) => {
  const [, flag, tag = "", property = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(value) ?? []
  return { flag: Number(flag), tag, bytes: Buffer.from(parseLabel(property)) }
}

const checkValue: CheckRecord = ({ host, type, value }) => {
  const reason =
    type === "MX" && value === nullTarget
      ? "no null MX"
      : type === "TXT" && value === ""
        ? "no empty TXT"
        : type === "CAA" && !isUtf8(parseCaa(value).bytes)
          ? "no CAA with bytes that are not UTF-8"
          : undefined
  return reason === undefined
    ? Option.none()
    : refuseRecord("record_value_rejected", `Netlify stores ${reason}: ${host}`)
}

/** Why Netlify cannot store a record; its document names no types, but the manual of the R package yay does. */
export const checkNetlifyRecord = makeTypeCheck("Netlify", "A AAAA ALIAS CAA CNAME MX NS SPF SRV TXT", checkValue)
