import { Option, Schema } from "effect"
import { maxTxtStringLength, type ZoneRecord } from "../../../domain/DnsRecord.ts"
import { toZoneHost } from "../../../domain/DomainName.ts"
import { parseContent } from "../../writing/recordContent.ts"
import type { RecordAtName } from "../../writing/recordwise.ts"
import { type CheckRecord, makeTypeCheck, refuseRecord } from "../../writing/requireStorable.ts"

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
const toContent = ({ data, flags, port, priority, tag, type, weight }: DomainRecord, zone: string): string => {
  const target = endInDot(data === "@" ? zone : data)
  switch (type) {
    case "CNAME":
    case "NS":
      return target
    case "MX":
      return `${priority} ${target}`
    case "SRV":
      return `${priority} ${weight} ${port} ${target}`
    case "CAA":
      return `${flags} ${tag} "${data}"`
    default:
      return data
  }
}

/** The body that writes a planned record; targets, and the CA of a CAA record, have a dot at their end. */
export const toRecordBody = ({ name, priority, ttl, type, value }: RecordAtName, zone: string): RecordBody => {
  const common = { type, name: toZoneHost(name, zone), ttl }
  switch (type) {
    case "CNAME":
    case "NS":
      return { ...common, data: endInDot(value) }
    case "MX":
      return { ...common, data: endInDot(value), priority: priority ?? 0 }
    case "SRV": {
      const [weight, port, target = ""] = value.split(" ")
      return { ...common, data: endInDot(target), priority: priority ?? 0, weight: Number(weight), port: Number(port) }
    }
    case "CAA": {
      const { flags, tag, text } = parseCaa(value)
      return { ...common, data: tag === "iodef" ? text : endInDot(text), flags, tag }
    }
    default:
      return { ...common, data: value }
  }
}

const endInDot = (name: string): string => name.replace(/\.?$/, ".")

const parseCaa = (value: string) => {
  const [, flags = "0", tag = "", text = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(value) ?? []
  return { flags: Number(flags), tag, text }
}

const checkValue: CheckRecord = ({ type, value }) => {
  if (type === "TXT" && value.includes("\\"))
    return refuseRecord("record_value_rejected", "DigitalOcean stores no text with a backslash")
  if (type === "TXT" && (value === "" || quotedLengthOf(value) > maxTextLength))
    return refuseRecord(
      "record_value_rejected",
      `DigitalOcean stores texts of 1 to ${maxTextLength} bytes, quoted as in a zone file`
    )
  if (type === "MX" && value === ".") return refuseRecord("record_value_rejected", "DigitalOcean stores no null MX")
  if (type === "CAA" && /[\s;\\]/.test(parseCaa(value).text))
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
