import { Array, Predicate, Record } from "effect"

/**
 * A part of the OpenAPI document without what Effect says of a schema that has no words of its own: titles such as
 * `maxLength(1000)`, and descriptions such as "an integer", which are no sentences. The limits stand in keywords.
 */
export const cleanSchemas = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(cleanSchemas)
  if (!Predicate.isRecord(part)) return part
  const kept = Record.filter(part, (value, key) => typeof value !== "string" || !isOfEffect(key, value))
  return Record.map(kept, cleanSchemas)
}

const isOfEffect = (keyword: string, text: string): boolean =>
  keyword === "title" || (keyword === "description" && !/[.?]$/.test(text))
