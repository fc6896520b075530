import type { HttpApiError } from "@effect/platform"
import { Array, type ParseResult, Schema } from "effect"
import { type ErrorDetail, OptionalErrorDetails, toJsonPointer } from "../../domain/ErrorDetail.ts"

/** The request does not fit what the endpoint takes. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  code: Schema.String,
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** What the decoder of HttpApi found. */
export const invalidRequestFrom = ({ issues }: HttpApiError.HttpApiDecodeError): InvalidRequest =>
  new InvalidRequest({
    code: "invalid_request",
    message: "the request does not fit its schema; see details",
    details: errorDetailsOf(issues)
  })

/** What a decoder found, in our words: it would print schemas and echo what was sent. */
export const errorDetailsOf = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): ReadonlyArray<ErrorDetail> => {
  const details = issues.map(({ _tag, message, path }) => ({
    pointer: toJsonPointer(path),
    code: codes[_tag] ?? "invalid",
    message: sentences[_tag] ?? inOurWords(message)
  }))
  const ofEach = Array.groupBy(details, ({ code, pointer }) => `${pointer} ${code}`)
  return Object.values(ofEach).slice(0, maxDetails).map(together)
}

/** A value that is none of several is told once, with all that it might be. */
const together = ([first, ...others]: Array.NonEmptyReadonlyArray<ErrorDetail>): ErrorDetail => ({
  ...first,
  message: Array.dedupe([first.message, ...others.map(({ message }) => message.replace(/^must be /, ""))])
    .join(", ")
    .slice(0, 300)
})

const maxDetails = 20

const codes: { readonly [tag: string]: string } = { Missing: "missing", Unexpected: "unknown_field" }

const sentences: { readonly [tag: string]: string } = { Missing: "is missing", Unexpected: "is not a known field" }

const inOurWords = (message: string): string => {
  const expected = /^Expected (.*?)(?:, actual .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message.slice(0, 200)
  if (expected.startsWith("{") || expected.endsWith("Request")) return "must be an object"
  if (expected.startsWith("ReadonlyArray")) return "must be an array"
  return `must be ${/^(string|number|boolean)$/.test(expected) ? "a " : ""}${expected}`.slice(0, 200)
}
