import { Option, Schema } from "effect"
import type { LongComputation } from "../runtime/LongComputation.ts"
import { splitJsonArray } from "./splitJsonArray.ts"

/**
 * Parses a JSON text whose length is that of its long arrays, which are the text itself, members of its object, or the
 * same within their items: each array in parts, with a possible pause after each. None if the text is not JSON, or if
 * something else in it is long.
 */
export function* parseLongJson(text: string, depth = 0): LongComputation<Option.Option<unknown>> {
  if (text.length <= wholeLength) return parse(text)
  if (depth > maxDepth) return Option.none()
  const split = yield* splitJsonArray(text, undefined)
  if (split === undefined) return Option.none()
  if (split.parts.length === 0) return text.length <= maxWholeLength ? parse(text) : Option.none()
  const items: Array<unknown> = []
  for (const part of split.parts) {
    const parsed = yield* parseItems(part, depth)
    if (Option.isNone(parsed)) return Option.none()
    items.push(...parsed.value)
    yield
  }
  return Option.map(yield* parseLongJson(split.rest, depth + 1), (value) =>
    Array.isArray(value) || typeof value !== "object" || value === null
      ? items
      : Object.defineProperty(value, String(JSON.parse(`"${split.key}"`)), { value: items, enumerable: true })
  )
}

/** Parses a part of an array; one that is long has an item with a long array in it. */
function* parseItems(part: string, depth: number): LongComputation<Option.Option<ReadonlyArray<unknown>>> {
  const list = `[${part}]`
  if (list.length <= wholeLength) return Option.filter(parse(list), Array.isArray)
  const split = yield* splitJsonArray(list, undefined, 0)
  if (split === undefined) return Option.none()
  const items: Array<unknown> = []
  for (const text of split.parts) {
    const item = yield* parseLongJson(text, depth + 1)
    if (Option.isNone(item)) return Option.none()
    items.push(item.value)
  }
  return Option.some(items)
}

const parse = Schema.decodeUnknownOption(Schema.parseJson())

/** How many long arrays are in each other, or beside each other in one object; answers of providers have two. */
const maxDepth = 8

/** Texts of that length are parsed at once, in a millisecond or two. */
const wholeLength = 256 * 1024

/** What has no long array: an item of a list, or all that is beside lists. A set of records of a DNS message takes less. */
const maxWholeLength = 1024 * 1024
