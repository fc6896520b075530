import { Schema } from "effect"
import { apexHost, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { nullTarget } from "../../../domain/records/target.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent } from "../../writing/recordContent.ts"
import { formatRecordFields, parseCaaFields, toRecordFields } from "../../writing/recordFields.ts"
import { makeTypeCheck, refuseValues } from "../../writing/requireStorable.ts"

const optionalNumber = Schema.optional(Schema.NullOr(Schema.Number))
const optionalText = Schema.optional(Schema.NullOr(Schema.String))

/** A record of GoDaddy: `name` is relative to the zone, `@` at the apex; an SRV's service and protocol stand apart. */
export const GoDaddyRecord = Schema.Struct({
  /** Absent where the record is GoDaddy's own. */
  recordId: optionalText,
  name: Schema.String,
  type: Schema.String,
  data: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  priority: optionalNumber,
  weight: optionalNumber,
  port: optionalNumber,
  service: optionalText,
  protocol: optionalText,
  flag: optionalNumber,
  tag: optionalText
})
export type GoDaddyRecord = typeof GoDaddyRecord.Type

/** What a stored record is in DNS, with its absolute name. Nobody changes SOA and NS records through the API. */
export const toZoneRecord = (
  stored: GoDaddyRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const { data, ttl, type } = stored
  const isFixed = type === "NS" || type === "SOA" || (stored.recordId ?? "") === ""
  const value = typesWithTarget.has(type) && data === apexHost ? `${zone}.` : data
  return {
    name: nameOf(stored, zone),
    ttl,
    // A text has neither the quotes nor the escapes of a zone file.
    ...(type === "TXT"
      ? { type, value: data }
      : parseContent(type, formatRecordFields(type, { ...stored, flags: stored.flag, value }))),
    ...(isFixed ? { locked: "fixed" as const } : {})
  }
}

const typesWithTarget: ReadonlySet<string> = new Set(["ALIAS", "CNAME", "MX", "NS", "SRV"])

/** The document says that service and protocol form the name with `name`; a `name` that has them already stays. */
const nameOf = ({ name, protocol, service }: GoDaddyRecord, zone: string): string => {
  const prefix = [service, protocol].filter((label) => (label ?? "") !== "").join(".")
  const labels = [prefix, name].filter((label) => label !== "" && label !== apexHost)
  const host = prefix !== "" && `${name}.`.startsWith(`${prefix}.`) ? name : labels.join(".")
  return host === "" ? zone : `${host}.${zone}`
}

/** Matches the host of an SRV: its service, its protocol, and the rest. */
const serviceHost = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/

/** Whether the API may show the records of a host under another name. */
export const isServiceHost = (host: string): boolean => serviceHost.test(host)

/** The body that creates a record; targets have a dot at their end. */
export const toNewRecord = (record: RecordAtName, zone: string) => {
  const { name, ttl, type } = record
  const { flags, value, ...fields } = toRecordFields(record)
  const host = toZoneHost(name, zone)
  const [, service, protocol, rest = apexHost] = (type === "SRV" ? serviceHost.exec(host) : null) ?? []
  return {
    type,
    ttl,
    ...(service === undefined ? { name: host } : { name: rest, service, protocol }),
    data: typesWithTarget.has(type) ? value.replace(/\.?$/, ".") : value,
    ...fields,
    ...(flags === undefined ? {} : { flag: flags })
  }
}

const checkValue = refuseValues("GoDaddy", (record) => {
  const { host, type } = record
  const { value } = toRecordFields(record)
  return value === nullTarget
    ? "no null target"
    : value === "" || Buffer.byteLength(value) > maxDataLength
      ? `data of 1 to ${maxDataLength} bytes`
      : type === "TXT" && /["\\\p{Cc}]/u.test(value)
        ? "texts without quotes and backslashes, as far as is known"
        : type === "CAA" && /["\\\ufffd]/.test(parseCaaFields(record.value).bytes.toString())
          ? "CAA values without quotes and backslashes, as far as is known"
          : type === "SRV" && !serviceHost.test(host)
            ? "an SRV below its service and protocol"
            : /^\*(\.|$)/.test(host) && !["A", "AAAA", "CNAME"].includes(type)
              ? "wildcards of the types A, AAAA and CNAME"
              : undefined
})

const maxDataLength = 512

/** Why GoDaddy cannot store a record: the types of its document, without SOA and NS, which are GoDaddy's own. */
export const checkGoDaddyRecord = makeTypeCheck("GoDaddy", "A AAAA CAA CNAME MX SRV TXT", checkValue)
