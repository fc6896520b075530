import { Option, Record, Schema } from "effect"
import { escapeBySign, formatText, parseContent, toQuotedStrings } from "../../writing/recordContent.ts"
import { type FieldLayout, formatFields, isInLayout, layoutOf, parseFields } from "../../writing/recordFields.ts"
import type { RecordAtName, SingleRecordAdapter } from "../../writing/makeSingleRecordZoneClient.ts"
import { isEmptyText, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

/** A record as Cloudflare stores it; `ttl` in seconds, 1 is automatic; names are absolute, without a final dot. */
export const CloudflareRecord = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.String,
  name: Schema.String,
  content: Schema.optionalWith(Schema.String, { default: () => "" }),
  ttl: Schema.Number,
  priority: Schema.optionalWith(Schema.Number, { nullable: true }),
  proxied: Schema.optional(Schema.Boolean),
  data: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { nullable: true }),
  settings: Schema.optionalWith(Schema.Struct({ flatten_cname: Schema.optional(Schema.Boolean) }), { nullable: true }),
  meta: Schema.optionalWith(Schema.Struct({ read_only: Schema.optional(Schema.Boolean) }), { nullable: true })
})
export type CloudflareRecord = typeof CloudflareRecord.Type

/** What a stored record is in DNS. Records that Cloudflare keeps, such as those of its mail routing, are locked. */
export const toZoneRecord: SingleRecordAdapter<CloudflareRecord>["toRecord"] = (stored) => ({
  name: stored.name,
  ttl: stored.ttl,
  ...parseContent(stored.type, toPresentation(stored)),
  ...(stored.proxied === true ? { proxied: true } : stored.ttl === 1 ? { automaticTtl: true } : {}),
  ...(stored.type === "CNAME" && stored.settings?.flatten_cname === true ? { flattened: true } : {}),
  ...(stored.meta?.read_only === true ? { locked: "fixed" } : {})
})

/**
 * The fields that create or change a record: neither proxied nor flattened, so that DNS shows it; only a restore brings
 * such a one back. The TTL of a proxied record is automatic, and it has no such setting.
 */
export const toRecordBody = (record: RecordAtName) => {
  const { automaticTtl, flattened = false, name, priority, proxied = false, ttl, type, value } = record
  const written = proxied || automaticTtl === true ? 1 : ttl
  const settings = type === "CNAME" && !proxied ? { settings: { flatten_cname: flattened } } : {}
  const common = { type, name, ttl: written, ...(/^(A|AAAA|CNAME)$/.test(type) ? { proxied } : {}), ...settings }
  const data = dataLayouts[type] && parseFields(dataLayouts[type], record)
  if (data !== undefined && type !== "URI") return { ...common, data }
  if (data !== undefined) return { ...common, priority: data["priority"], data: Record.remove(data, "priority") }
  const content = type === "TXT" ? escapeBySign(formatText(value)) : value
  return { ...common, content, ...(priority === undefined ? {} : { priority }) }
}

/** The fields of `data`, by which these types are written in place of `content`; the priority of a URI is beside them. */
const dataLayouts: Readonly<Record<string, FieldLayout>> = {
  ...Object.fromEntries("CAA DS HTTPS SRV SSHFP SVCB TLSA".split(" ").map((type) => [type, layoutOf(type)])),
  NAPTR: { ...layoutOf("NAPTR"), replacement: "name" },
  CERT: { type: "number", key_tag: "number", algorithm: "number", certificate: "word" },
  SMIMEA: layoutOf("TLSA"),
  URI: { priority: "number", weight: "number", target: "text" }
}

const writtenTypes = `A AAAA CNAME MX NS PTR TXT ${Object.keys(dataLayouts).join(" ")}`

/** Cloudflare has no empty text; the batch, which is refused as a whole, says what else it cannot store. */
export const checkRecord = makeTypeCheck("Cloudflare", writtenTypes, (record) =>
  isEmptyText(record) || !isInLayout(dataLayouts[record.type] ?? {}, record)
    ? refuseRecord("record_value_rejected", `${record.type} ${record.host} is empty, or in no form of its type`)
    : Option.none()
)

/** The content in presentation format (RFC 1035 section 5.1). */
const toPresentation = ({ content, data, priority, type }: CloudflareRecord): string => {
  if (type === "TXT" || type === "SPF") return toQuotedStrings(content)
  if (type === "MX") return `${priority} ${content}`
  const layout = dataLayouts[type]
  // Of HTTPS and SVCB, `data` divides the parameters half only (octodns-cloudflare, `_data_for_SVCB`).
  if (layout === undefined || layout["value"] === "word" || !data) return content
  // The null target of an SRV also comes as `false`.
  return formatFields(layout, { priority, ...data, target: data["target"] || "." })
}
