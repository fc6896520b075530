import { Option, Schema } from "effect"
import type { LongComputation } from "../runtime/LongComputation.ts"
import { splitJsonArray } from "./splitJsonArray.ts"

/**
 * Parses a JSON text whose length is that of one long array, which is the text itself or a member of its object: the
 * array in parts, with a possible pause after each. None if the text is not JSON, or if something else in it is long.
 */
export function* parseLongJson(text: string): LongComputation<Option.Option<unknown>> {
  if (text.length <= wholeLength) return parse(text)
  const split = yield* splitJsonArray(text, undefined)
  if (split === undefined || split.rest.length > maxWholeLength) return Option.none()
  const rest = parse(split.rest)
  const items: Array<unknown> = []
  for (const part of split.parts) {
    const parsed = part.length > maxWholeLength ? Option.none() : parse(`[${part}]`)
    if (Option.isNone(parsed) || !Array.isArray(parsed.value)) return Option.none()
    items.push(...parsed.value)
    yield
  }
  if (split.parts.length === 0) return rest
  return Option.map(rest, (value) =>
    Array.isArray(value) || typeof value !== "object" || value === null
      ? items
      : Object.defineProperty(value, String(JSON.parse(`"${split.key}"`)), { value: items, enumerable: true })
  )
}

const parse = Schema.decodeUnknownOption(Schema.parseJson())

/** Texts of that length are parsed at once, in a millisecond or two. */
const wholeLength = 256 * 1024

/** An item of a list, or all that is beside it; a set of records that fits into a DNS message takes less. */
const maxWholeLength = 1024 * 1024
