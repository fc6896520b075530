import { parseXml, XmlElement } from "@rgrove/parse-xml"
import { Effect, Option, Predicate, Schema } from "effect"
import type { LongComputation } from "../runtime/LongComputation.ts"
import { computeInSlices } from "../runtime/computeInSlices.ts"
import type { ProviderResponse } from "./callProvider.ts"
import { ProviderError } from "./ProviderError.ts"

/** The elements of a provider's documents that are lists, and the elements in them. */
export type XmlLists = Readonly<Record<string, string>>

/** Encodes a document: objects become elements in the order of their fields, the reverse of decoding. */
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

/**
 * Decodes a body by the schema of its root's content. The elements of lists are parsed in parts; a document that is
 * incomplete, or long without them, is malformed.
 */
export const decodeXmlBody = <A, I>(
  { excerpt, text }: Pick<ProviderResponse, "excerpt" | "text">,
  schema: Schema.Schema<A, I>,
  lists: XmlLists
): Effect.Effect<A, ProviderError> =>
  Effect.flatten(computeInSlices(parseLongXml(text, lists))).pipe(
    Effect.flatMap(Schema.decodeUnknown(schema)),
    Effect.mapError(() => new ProviderError({ kind: "malformed", detail: `not the expected XML: ${excerpt}` }))
  )

/** Parses a document into its content, with a possible pause after each part of its longest list; none if it is malformed. */
function* parseLongXml(text: string, lists: XmlLists): LongComputation<Option.Option<unknown>> {
  if (text.length <= wholeLength) return parseContent(text, lists)
  const split = splitLongestList(text, lists)
  if (split === undefined || split.rest.length > maxWholeLength) return Option.none()
  const { item, list, rest } = split
  const items: Array<unknown> = []
  for (let start = split.start; start < split.end;) {
    const itemEnd = text.indexOf(`</${item}>`, start + partLength)
    const end = itemEnd < 0 || itemEnd >= split.end ? split.end : itemEnd + item.length + 3
    const part =
      end - start > maxWholeLength ? Option.none() : parseContent(toElement(list, text.slice(start, end)), lists)
    if (Option.isNone(part) || !Array.isArray(part.value)) return Option.none()
    items.push(...part.value)
    start = end
    yield
  }
  return Option.filterMap(parseContent(rest, lists), (content) =>
    Predicate.isRecord(content) && list in content ? Option.some({ ...content, [list]: items }) : Option.none()
  )
}

const parseContent = Option.liftThrowable((text: string, lists: XmlLists): unknown => {
  const { root } = parseXml(text)
  return root === null ? undefined : toContent(root, lists)
})

/** Finds the list with the longest text; `rest` is the document without its elements. In XML, no value contains a `<`. */
const splitLongestList = (text: string, lists: XmlLists) => {
  const found = Object.entries(lists).map(([list, item]) => {
    const start = text.indexOf(`<${list}>`) + list.length + 2
    const end = text.lastIndexOf(`</${list}>`)
    return { list, item, start, end, length: start < list.length + 2 ? -1 : end - start }
  })
  const [longest] = found.toSorted((one, other) => other.length - one.length)
  return longest === undefined || longest.length <= 0
    ? undefined
    : { ...longest, rest: text.slice(0, longest.start) + text.slice(longest.end) }
}

/** A document of that length is parsed at once, in a few milliseconds. */
const wholeLength = 128 * 1024

const partLength = 32 * 1024

/** An element of a list, or all that is beside it. */
const maxWholeLength = 1024 * 1024

/** Lists are arrays, other elements with elements in them objects, and the rest texts. */
const toContent = (parent: XmlElement, lists: XmlLists): unknown => {
  const parts = parent.children.filter((child) => child instanceof XmlElement)
  if (lists[parent.name] !== undefined) return parts.map((part) => toContent(part, lists))
  return parts.length === 0 ? parent.text : Object.fromEntries(parts.map((part) => [part.name, toContent(part, lists)]))
}
