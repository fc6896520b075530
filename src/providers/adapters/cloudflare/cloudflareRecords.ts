import { Option, Schema } from "effect"
import { escapeQuoted } from "../../../dns/wire/decodeRecordData.ts"
import { escapeBySign, formatText, parseContent, toQuotedStrings } from "../../writing/recordContent.ts"
import { toRecordFields } from "../../writing/recordFields.ts"
import type { RecordAtName, SingleRecordAdapter } from "../../writing/makeSingleRecordZoneClient.ts"
import { isEmptyText, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

/** A record as Cloudflare stores it, as far as it matters in DNS; `ttl` in seconds, 1 is automatic. */
export const CloudflareRecord = Schema.Struct({
  id: Schema.NonEmptyString,
  /** Also `ALIAS`, `SPF` and types of later days. */
  type: Schema.String,
  /** Absolute, as targets in the content, and without a final dot. */
  name: Schema.String,
  content: Schema.optionalWith(Schema.String, { default: () => "" }),
  ttl: Schema.Number,
  priority: Schema.optionalWith(Schema.Number, { nullable: true }),
  proxied: Schema.optional(Schema.Boolean),
  data: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { nullable: true }),
  meta: Schema.optionalWith(Schema.Struct({ read_only: Schema.optional(Schema.Boolean) }), { nullable: true })
})
export type CloudflareRecord = typeof CloudflareRecord.Type

/** What a stored record is in DNS. Records that Cloudflare keeps, such as those of its mail routing, are locked. */
export const toZoneRecord: SingleRecordAdapter<CloudflareRecord>["toRecord"] = (stored) => ({
  name: stored.name,
  ttl: stored.ttl,
  ...parseContent(stored.type, toPresentation(stored)),
  ...(stored.proxied === true ? { proxied: true } : stored.ttl === 1 ? { automaticTtl: true } : {}),
  ...(stored.meta?.read_only === true ? { locked: "fixed" } : {})
})

/**
 * The fields that create or change a record. It must be seen in DNS, so it is not proxied, even if it was before; only a
 * restore brings back one that was. The TTL of a proxied record is automatic.
 */
export const toRecordBody = (record: RecordAtName) => {
  const { automaticTtl, name, priority, proxied = false, ttl, type, value } = record
  const written = proxied || automaticTtl === true ? 1 : ttl
  const common = { type, name, ttl: written, ...(proxiableTypes.has(type) ? { proxied } : {}) }
  const data = toData(record)
  if (data !== undefined) return { ...common, data }
  const content = type === "TXT" ? escapeBySign(formatText(value)) : value
  return { ...common, content, ...(priority === undefined ? {} : { priority }) }
}

/** Cloudflare has no empty text; the batch, which is refused as a whole, says what else it cannot store. */
export const checkRecord = makeTypeCheck("Cloudflare", "A AAAA CAA CNAME HTTPS MX NS PTR SRV SVCB TXT", (record) =>
  isEmptyText(record) ? refuseRecord("record_value_rejected", `TXT ${record.host} is empty`) : Option.none()
)

const proxiableTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"])

/** The fields of the types whose data Cloudflare takes in fields. */
const toData = (record: RecordAtName) => {
  const { value, ...fields } = toRecordFields(record)
  const [priority, target, ...parameters] = value.split(" ")
  if (record.type === "SRV") return { ...fields, target: value }
  if (record.type === "CAA") return { ...fields, value }
  if (record.type !== "HTTPS" && record.type !== "SVCB") return undefined
  return { priority: Number(priority), target, value: parameters.join(" ") }
}

/** The content in presentation format (RFC 1035 section 5.1). */
const toPresentation = ({ content, data, priority, type }: CloudflareRecord): string => {
  if (type === "TXT" || type === "SPF") return toQuotedStrings(content)
  if (type === "MX") return `${priority} ${content}`
  // The null target also comes as `false`.
  if (type === "SRV" && data) return `${data["priority"]} ${data["weight"]} ${data["port"]} ${data["target"] || "."}`
  if (type !== "CAA" || data === undefined) return content
  return `${data["flags"]} ${data["tag"]} "${escapeQuoted(Buffer.from(String(data["value"])))}"`
}
