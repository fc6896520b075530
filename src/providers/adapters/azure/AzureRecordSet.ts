import { Schema } from "effect"
import { apexHost } from "../../../domain/names/DomainName.ts"
import { escapeQuoted, parseLabel } from "../../../domain/records/presentation.ts"
import { longArray } from "../../JsonApi.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { RecordSet, SetMember } from "../../writing/RecordSet.ts"
import { type FieldLayout, formatFields, parseFields } from "../../writing/recordFields.ts"

/** A set as Azure stores it, with records in a member of their type; an alias has a target of Azure instead. */
export const AzureRecordSet = Schema.Struct({
  /** Relative to the zone. */
  name: Schema.String,
  type: Schema.String,
  etag: Schema.NonEmptyString,
  properties: Schema.Struct(
    {
      /** Seconds. */
      TTL: Schema.optionalWith(Schema.Number, { default: () => 0 }),
      targetResource: Schema.optional(Schema.NullOr(Schema.Struct({ id: Schema.optional(Schema.String) })))
    },
    { key: Schema.String, value: Schema.Unknown }
  )
})
type AzureRecordSet = typeof AzureRecordSet.Type

export const AzureRecordSets = Schema.Struct({
  value: longArray(AzureRecordSet),
  nextLink: Schema.optional(Schema.NullOr(Schema.String))
})

/** The fields of each type but TXT, whose records are lists of strings. */
const layouts: Readonly<Record<string, FieldLayout>> = {
  A: { ipv4Address: "word" },
  AAAA: { ipv6Address: "word" },
  CNAME: { cname: "name" },
  MX: { preference: "number", exchange: "name" },
  NS: { nsdname: "name" },
  PTR: { ptrdname: "name" },
  SRV: { priority: "number", weight: "number", port: "number", target: "name" },
  CAA: { flags: "number", tag: "word", value: "text" }
}

/** The types in the document, without the zone's own SOA. */
export const azureTypes = [...Object.keys(layouts), "TXT"].join(" ")

type AzureRecord = Readonly<Record<string, unknown>>

/** A set with absolute names, and what Azure stores for each record. */
export interface AzureSet extends RecordSet {
  readonly records: ReadonlyArray<SetMember & { readonly stored: AzureRecord }>
  readonly etag: string
  readonly metadata: unknown
}

/** Converts a set as Azure lists it; the name servers of the zone itself are locked, and an alias, which has a target. */
export const toAzureSet =
  (zone: string) =>
  ({ etag, name, properties, type: resourceType }: AzureRecordSet): AzureSet => {
    const type = resourceType.slice(resourceType.lastIndexOf("/") + 1).toUpperCase()
    const target = properties.targetResource?.id
    const stored = target === undefined ? [properties[memberOf(type)] ?? []].flat().map(Object) : [{ target }]
    return {
      name: name === apexHost ? zone : `${name}.${zone}`,
      type,
      ttl: properties.TTL,
      records: stored.map((record) => ({ stored: record, content: target ?? toContent(type, record) })),
      ...(target !== undefined || (name === apexHost && type === "NS") ? { locked: "fixed" } : {}),
      etag,
      metadata: properties["metadata"]
    }
  }

const memberOf = (type: string): string =>
  type === "CNAME" ? "CNAMERecord" : type === "CAA" ? "caaRecords" : `${type}Records`

const toContent = (type: string, record: AzureRecord): string => {
  if (type !== "TXT") return formatFields(layouts[type] ?? {}, record)
  const strings = [record["value"] ?? ""].flat().map((text) => escapeQuoted(Buffer.from(String(text))))
  return `"${strings.join('" "')}"`
}

/** The body that makes a set as it must be: what it has besides records stays, and so do records, as they were read. */
export const toBody = ({ after, before, type }: SetChange<AzureSet>) => {
  const records = after?.records.map((member) => ("stored" in member ? member.stored : toStored(type, member.content)))
  return {
    properties: {
      TTL: after?.ttl,
      ...(before?.metadata === undefined ? {} : { metadata: before.metadata }),
      [memberOf(type)]: type === "CNAME" ? records?.[0] : records
    }
  }
}

const toStored = (type: string, content: string): AzureRecord => {
  if (type !== "TXT") return parseFields(layouts[type] ?? {}, { value: content })
  const strings = Array.from(content.matchAll(/"((?:[^"\\]|\\.)*)"/gs), ([, text = ""]) => parseLabel(text))
  return { value: strings.map((bytes) => Buffer.from(bytes).toString()) }
}
