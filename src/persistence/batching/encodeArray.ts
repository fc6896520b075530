import { Predicate } from "effect"

/** A value of an array of PostgreSQL; bytes are a `bytea`. */
export type ArrayElement = string | number | boolean | Uint8Array | null | undefined

/**
 * Encodes values as a literal of a one-dimensional array (PostgreSQL manual, 8.15.2). `pg` does the same, in three times the
 * time for documents, whose every quotation mark is escaped.
 */
export const encodeArray = (values: ReadonlyArray<ArrayElement>): string => `{${values.map(encodeElement).join()}}`

const encodeElement = (value: ArrayElement): string => {
  if (Predicate.isString(value)) return quote(value)
  if (Predicate.isNullable(value)) return "NULL"
  return Predicate.isUint8Array(value) ? `"\\\\x${Buffer.from(value).toString("hex")}"` : String(value)
}

/** JSON escapes quotation marks and backslashes as an array does, but other characters in its own way. */
const quote = (text: string): string =>
  hasJsonEscapes.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : JSON.stringify(text)

/** Control characters and halves of surrogate pairs. */
const hasJsonEscapes = /[\p{Cc}\p{Cs}]/u
