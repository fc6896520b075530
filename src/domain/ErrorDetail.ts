import { Schema } from "effect"

/** What is wrong at one place of a request; `pointer` is a JSON pointer (RFC 6901) into its body. */
export const ErrorDetail = Schema.Struct({
  pointer: Schema.String,
  code: Schema.String,
  message: Schema.String
}).annotations({ identifier: "ErrorDetail" })
export type ErrorDetail = typeof ErrorDetail.Type

/** Why a name or value is refused: a stable code and a sentence for people, without the place. */
export type ValueIssue = Pick<ErrorDetail, "code" | "message">

/** Of each culprit, where any are known. */
export const OptionalErrorDetails = Schema.optionalWith(Schema.Array(ErrorDetail), { exact: true })

/** The JSON pointer of a path of keys, of which none is echoed at any length. */
export const toJsonPointer = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `/${String(key).slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** The JSON pointer of a field of the record at `index` of the request. */
export const intentRecordPointer = (index: number, ...field: ReadonlyArray<string>): string =>
  toJsonPointer(["intent", "records", index, ...field])
