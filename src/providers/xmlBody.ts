import { parseXml, XmlElement } from "@rgrove/parse-xml"
import { Effect, Schema } from "effect"
import type { ProviderResponse } from "./callProvider.ts"
import { ProviderError } from "./ProviderError.ts"

/** The elements of a provider's documents that are lists, and the elements in them. */
export type XmlLists = Readonly<Record<string, string>>

/** Encodes a document: objects as elements in the order of their fields, the reverse of what is decoded. */
export const encodeXml = (
  { name, namespace }: { readonly name: string; readonly namespace: string },
  content: unknown,
  lists: XmlLists
): string => `<${name} xmlns="${namespace}">${encodeContent(content, lists)}</${name}>`

const encodeContent = (content: unknown, lists: XmlLists): string =>
  typeof content === "object" && content !== null
    ? Object.entries(content)
        .map(([name, inner]) =>
          toElement(name, Array.isArray(inner) ? encodeItems(name, inner, lists) : encodeContent(inner, lists))
        )
        .join("")
    : String(content).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const encodeItems = (list: string, items: ReadonlyArray<unknown>, lists: XmlLists): string =>
  items.map((item) => toElement(lists[list] ?? "", encodeContent(item, lists))).join("")

const toElement = (name: string, content: string): string => `<${name}>${content}</${name}>`

/** Decodes the body of a response; the schema is that of the content of the document's root. Half a document is malformed. */
export const decodeXmlBody = <A, I>(
  { excerpt, text }: Pick<ProviderResponse, "excerpt" | "text">,
  schema: Schema.Schema<A, I>,
  lists: XmlLists
): Effect.Effect<A, ProviderError> =>
  Effect.try(() => parseXml(text).root ?? undefined).pipe(
    Effect.flatMap((root) => Schema.decodeUnknown(schema)(root && toContent(root, lists))),
    Effect.mapError(() => new ProviderError({ kind: "malformed", detail: `not the expected XML: ${excerpt}` }))
  )

/** Lists are arrays, other elements with elements in them objects, and the rest texts. */
const toContent = (parent: XmlElement, lists: XmlLists): unknown => {
  const parts = parent.children.filter((child) => child instanceof XmlElement)
  if (lists[parent.name] !== undefined) return parts.map((part) => toContent(part, lists))
  return parts.length === 0 ? parent.text : Object.fromEntries(parts.map((part) => [part.name, toContent(part, lists)]))
}
