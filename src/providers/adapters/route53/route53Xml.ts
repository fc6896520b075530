import { parseXml, XmlElement } from "@rgrove/parse-xml"
import { Effect, Schema } from "effect"
import { ProviderError } from "../../ProviderError.ts"
import type { ProviderResponse } from "../../callProvider.ts"

/** The records of one name and type, or an alias, which has a target instead of TTL (seconds) and values. */
export const ResourceRecordSet = Schema.Struct({
  Name: Schema.String,
  Type: Schema.String,
  TTL: Schema.optional(Schema.NumberFromString),
  ResourceRecords: Schema.optional(Schema.Array(Schema.Struct({ Value: Schema.String }))),
  AliasTarget: Schema.optional(Schema.Struct({ DNSName: Schema.String })),
  SetIdentifier: Schema.optional(Schema.String),
  TrafficPolicyInstanceId: Schema.optional(Schema.String)
})
export type ResourceRecordSet = typeof ResourceRecordSet.Type

/** One change of a batch. */
export interface BatchChange {
  readonly action: "CREATE" | "DELETE"
  readonly name: string
  readonly type: string
  /** Seconds. */
  readonly ttl: number
  readonly values: ReadonlyArray<string>
}

/** Encodes the body of ChangeResourceRecordSets. */
export const encodeBatch = (changes: ReadonlyArray<BatchChange>): string => {
  const encoded = changes.map(({ action, name, ttl, type, values }) => {
    const records = values.map((value) => tag("ResourceRecord", tag("Value", escapeText(value)))).join("")
    const set =
      tag("Name", escapeText(name)) + tag("Type", type) + tag("TTL", `${ttl}`) + tag("ResourceRecords", records)
    return tag("Change", tag("Action", action) + tag("ResourceRecordSet", set))
  })
  const batch = tag("ChangeBatch", tag("Changes", encoded.join("")))
  return `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${batch}</ChangeResourceRecordSetsRequest>`
}

const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

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
  if (lists.has(parent.name)) return parts.map(toPlain)
  return parts.length === 0 ? parent.text : Object.fromEntries(parts.map((part) => [part.name, toPlain(part)]))
}

const lists: ReadonlySet<string> = new Set(["HostedZones", "NameServers", "ResourceRecords", "ResourceRecordSets"])
