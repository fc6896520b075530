import { Option, Schema } from "effect"
import { escapeQuoted } from "../../../dns/wire/decodeRecordData.ts"
import { parseLabel } from "../../../dns/wire/encodeName.ts"
import { escapeBySign, formatText, parseContent } from "../../writing/recordContent.ts"
import type { RecordAtName, RecordwiseAdapter } from "../../writing/recordwise.ts"
import { makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

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
export const toZoneRecord: RecordwiseAdapter<CloudflareRecord>["toRecord"] = (stored) => ({
  name: stored.name,
  ttl: stored.ttl,
  ...parseContent(stored.type, toPresentation(stored)),
  ...(stored.proxied === true ? { proxied: true } : stored.ttl === automatic ? { automaticTtl: true } : {}),
  ...(stored.meta?.read_only === true ? { locked: "fixed" } : {})
})

/**
 * The fields that create or change a record. It must be seen in DNS, so it is not proxied, even if it was before; only a
 * restore brings back one that was. The TTL of a proxied record is automatic.
 */
export const toWritten = ({ automaticTtl, name, priority, proxied = false, ttl, type, value }: RecordAtName) => {
  const common = {
    type,
    name,
    ttl: proxied || automaticTtl === true ? automatic : ttl,
    ...(proxiableTypes.has(type) ? { proxied } : {})
  }
  const fields = dataFields[type]
  if (fields !== undefined) return { ...common, data: toData(fields, `${priority ?? ""} ${value}`.trimStart()) }
  const content = type === "TXT" ? escapeBySign(formatText(value)) : value
  return { ...common, content, ...(priority === undefined ? {} : { priority }) }
}

/** The TTL that leaves it to Cloudflare. */
const automatic = 1

/** Cloudflare has no empty text; the batch, which is refused as a whole, says what else it cannot store. */
export const checkRecord = makeTypeCheck(
  "Cloudflare",
  "A AAAA CAA CNAME HTTPS MX NS PTR SRV SVCB TXT",
  ({ host, type, value }) =>
    type === "TXT" && value === "" ? refuseRecord("record_value_rejected", `TXT ${host} is empty`) : Option.none()
)

const proxiableTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"])

/** The types whose data Cloudflare takes in fields, in the order of the presentation format. */
const dataFields: Readonly<Record<string, ReadonlyArray<string>>> = {
  CAA: ["flags", "tag", "value"],
  HTTPS: ["priority", "target", "value"],
  SRV: ["priority", "weight", "port", "target"],
  SVCB: ["priority", "target", "value"]
}

const toData = (fields: ReadonlyArray<string>, text: string): Readonly<Record<string, string | number>> => {
  const words = text.split(" ")
  const last = fields.length - 1
  const values = [...words.slice(0, last), words.slice(last).join(" ")]
  return Object.fromEntries(fields.map((field, index) => [field, toField(values[index] ?? "")]))
}

const toField = (text: string): string | number =>
  /^\d+$/.test(text) ? Number(text) : Buffer.from(parseLabel(text.replace(/^"(.*)"$/s, "$1"))).toString()

/** The content in presentation format (RFC 1035 section 5.1). */
const toPresentation = ({ content, data, priority, type }: CloudflareRecord): string => {
  if (type === "TXT" || type === "SPF") return toQuotedStrings(content)
  if (type === "MX") return `${priority} ${content}`
  // The null target also comes as `false`.
  if (type === "SRV" && data !== undefined)
    return `${data["priority"]} ${data["weight"]} ${data["port"]} ${data["target"] || "."}`
  if (type === "CAA" && data !== undefined)
    return `${data["flags"]} ${data["tag"]} "${escapeQuoted(Buffer.from(String(data["value"])))}"`
  return content
}

/** A text comes as quoted strings, which may be longer than those of DNS, or as it is. */
const toQuotedStrings = (content: string): string =>
  /^\s*("([^"\\]|\\.)*"\s*)+$/s.test(content)
    ? Array.from(content.matchAll(/"((?:[^"\\]|\\.)*)"/gs), ([, text = ""]) => text)
        .flatMap((text) => text.match(/(\\\d{3}|\\.|[^\\]){1,60}/gsu) ?? [""])
        .map((part) => `"${part}"`)
        .join(" ")
    : formatText(content)
