import { Option, Schema } from "effect"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { toZoneHost } from "../../../domain/names/DomainName.ts"
import { maxTxtStringLength } from "../../../domain/records/RecordField.ts"
import { parseContent } from "../../writing/recordContent.ts"
import { formatRecordFields, toRecordFields } from "../../writing/recordFields.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { type CheckRecord, isEmptyText, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

const field = Schema.NullOr(Schema.Number)

/** A record as DigitalOcean stores it: `name` is relative to the zone, `@` in `name` and `data` is the zone itself. */
export const DomainRecord = Schema.Struct({
  id: Schema.Number,
  type: Schema.String,
  name: Schema.String,
  data: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  priority: field,
  weight: field,
  port: field,
  flags: field,
  tag: Schema.NullOr(Schema.String)
})
export type DomainRecord = typeof DomainRecord.Type

/** The body that creates or replaces a record. */
type RecordBody = Partial<Omit<DomainRecord, "id">>

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  stored: DomainRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const { data, name, ttl, type } = stored
  return {
    name: name === "@" ? zone : `${name}.${zone}`,
    ttl,
    // Of a text DigitalOcean shows neither the quotes nor the escapes of a zone file.
    ...(type === "TXT" ? { type, value: data } : parseContent(type, toContent(stored, zone)))
  }
}

/** The data in presentation format; targets come without the dot at their end. */
const toContent = (stored: DomainRecord, zone: string): string => {
  const { data, type } = stored
  return formatRecordFields(type, {
    ...stored,
    value: typesWithTarget.has(type) ? endInDot(data === "@" ? zone : data) : data
  })
}

const typesWithTarget: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"])

/** The body that writes a planned record; targets, and the CA of a CAA record, have a dot at their end. */
export const toRecordBody = (record: RecordAtName, zone: string): RecordBody => {
  const { name, ttl, type } = record
  const { value, ...fields } = toRecordFields(record)
  const hasDot = typesWithTarget.has(type) || (type === "CAA" && fields.tag !== "iodef")
  return { type, name: toZoneHost(name, zone), ttl, ...fields, data: hasDot ? endInDot(value) : value }
}

const endInDot = (name: string): string => name.replace(/\.?$/, ".")

const checkValue: CheckRecord = (record) => {
  const { type, value } = record
  if (type === "TXT" && value.includes("\\"))
    return refuseRecord("record_value_rejected", "DigitalOcean stores no text with a backslash")
  if (isEmptyText(record) || (type === "TXT" && quotedLengthOf(value) > maxTextLength))
    return refuseRecord(
      "record_value_rejected",
      `DigitalOcean stores texts of 1 to ${maxTextLength} bytes, quoted as in a zone file`
    )
  if (type === "MX" && value === ".") return refuseRecord("record_value_rejected", "DigitalOcean stores no null MX")
  if (type === "CAA" && /".*[\s;\\]/s.test(value))
    return refuseRecord(
      "record_value_rejected",
      "DigitalOcean stores no CAA value with a blank, semicolon or backslash"
    )
  return Option.none()
}

/** Why DigitalOcean cannot store a record: its types are those of its document, where the SOA is DigitalOcean's own. */
export const checkDigitalOceanRecord = makeTypeCheck("DigitalOcean", "A AAAA CAA CNAME MX NS SRV TXT", checkValue)

const maxTextLength = 509

/** The length in a zone file: strings of at most 255 bytes in quotes, with blanks between them and quotes escaped. */
const quotedLengthOf = (text: string): number => {
  const bytes = Buffer.byteLength(text)
  return bytes + text.split('"').length - 1 + 3 * Math.ceil(bytes / maxTxtStringLength) - 1
}
