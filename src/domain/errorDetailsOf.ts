import { Array, type ParseResult } from "effect"
import { type ErrorDetail, toJsonPointer } from "./ErrorDetail.ts"

/**
 * Describes what a schema decoder rejected, in plain sentences: its own messages print schemas and echo the input. Gives
 * at most 20 details, one for each place and code.
 */
export const errorDetailsOf = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): ReadonlyArray<ErrorDetail> => {
  const details = issues.map(({ _tag, message, path }) => ({
    pointer: toJsonPointer(path),
    code: codes[_tag] ?? "invalid",
    message: sentences[_tag] ?? plainMessage(message)
  }))
  const byPlaceAndCode = Array.groupBy(details, ({ code, pointer }) => `${pointer} ${code}`)
  return Object.values(byPlaceAndCode).slice(0, maxDetails).map(mergeDetails)
}

const maxDetails = 20

const codes: { readonly [tag: string]: string } = { Missing: "missing", Unexpected: "unknown_field" }

const sentences: { readonly [tag: string]: string } = { Missing: "is missing", Unexpected: "is not a known field" }

/** Reports a value that matches no member of a union once, with all that it may be. */
const mergeDetails = ([first, ...others]: Array.NonEmptyReadonlyArray<ErrorDetail>): ErrorDetail => ({
  ...first,
  message: Array.dedupe([first.message, ...others.map(({ message }) => message.replace(/^must be /, ""))])
    .join(", ")
    .slice(0, 300)
})

const plainMessage = (message: string): string => {
  const expected = /^Expected (.*?)(?:, actual .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message.slice(0, 200)
  if (expected.startsWith("{") || expected.endsWith("Request")) return "must be an object"
  if (expected.startsWith("ReadonlyArray")) return "must be an array"
  return `must be ${/^(string|number|boolean)$/.test(expected) ? "a " : ""}${expected}`.slice(0, 200)
}
