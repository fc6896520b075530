import { parseXml, XmlElement } from "@rgrove/parse-xml"
import { Effect, Schema } from "effect"
import { ProviderError } from "../../ProviderError.ts"
import type { ProviderResponse } from "../../callProvider.ts"

/**
 * The records of one name and type, or an alias, which has a target instead of TTL (seconds) and values. Fields that
 * are not named here are kept.
 */
export const ResourceRecordSet = Schema.Struct({
  Name: Schema.String,
  Type: Schema.String,
  TTL: Schema.optional(Schema.NumberFromString),
  ResourceRecords: Schema.optional(Schema.Array(Schema.Struct({ Value: Schema.String }))),
  AliasTarget: Schema.optional(Schema.Struct({ DNSName: Schema.String }))
}).annotations({ parseOptions: { onExcessProperty: "preserve" } })
export type ResourceRecordSet = typeof ResourceRecordSet.Type

/** Whether a set has nothing but a TTL and values; a batch would lose any other field. */
export const isSimpleSet: (set: ResourceRecordSet) => boolean = Schema.is(ResourceRecordSet.omit("AliasTarget"), {
  onExcessProperty: "error"
})

/** One change of a batch; a deletion must name the set exactly as it is stored. */
export interface BatchChange {
  readonly Action: "CREATE" | "DELETE"
  readonly ResourceRecordSet: ResourceRecordSet
}

/** Encodes the body of ChangeResourceRecordSets. */
export const encodeBatch = (changes: ReadonlyArray<BatchChange>): string =>
  `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${toXml({ ChangeBatch: { Changes: changes } })}</ChangeResourceRecordSetsRequest>`

/** The elements of an object, in the order of its fields: the reverse of `toPlain`. */
const toXml = (plain: unknown): string =>
  typeof plain === "object" && plain !== null
    ? Object.entries(plain)
        .map(([name, inner]) => toElement(name, Array.isArray(inner) ? inner.map(toItem(name)).join("") : toXml(inner)))
        .join("")
    : String(plain).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const toItem = (list: string) => (item: unknown) => toElement(itemNames[list] ?? "", toXml(item))

const toElement = (name: string, content: string): string => `<${name}>${content}</${name}>`

/** The elements that are lists, and those in them. */
const itemNames: Readonly<Record<string, string>> = {
  Changes: "Change",
  HostedZones: "HostedZone",
  NameServers: "NameServer",
  ResourceRecordSets: "ResourceRecordSet",
  ResourceRecords: "ResourceRecord"
}

/** Decodes an answer; the schema is that of the content of the document's root. Any other text is malformed. */
export const decodeAnswer = <A, I>(
  { excerpt, text }: Pick<ProviderResponse, "excerpt" | "text">,
  schema: Schema.Schema<A, I>
): Effect.Effect<A, ProviderError> =>
  Effect.try(() => parseXml(text).root ?? undefined).pipe(
    Effect.flatMap((root) => Schema.decodeUnknown(schema)(root && toPlain(root))),
    Effect.mapError(() => new ProviderError({ kind: "malformed", detail: `not the expected XML: ${excerpt}` }))
  )

/** Lists are arrays, other elements with elements in them objects, and the rest texts. */
const toPlain = (parent: XmlElement): unknown => {
  const parts = parent.children.filter((child) => child instanceof XmlElement)
  if (itemNames[parent.name] !== undefined) return parts.map(toPlain)
  return parts.length === 0 ? parent.text : Object.fromEntries(parts.map((part) => [part.name, toPlain(part)]))
}
