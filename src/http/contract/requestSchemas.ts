import { Schema } from "effect"
import { ConnectionId } from "../../domain/connection/Connection.ts"
import { Timestamp } from "../../domain/values/Timestamp.ts"
import { FalseByDefault } from "../../domain/values/documentedDefaults.ts"

const defineOptionalHeader = (
  { max, pattern }: { readonly max: number; readonly pattern: RegExp },
  expected: string,
  description: string
) => {
  const message = () => `must be ${expected}`
  return Schema.optionalWith(
    Schema.String.pipe(Schema.maxLength(max, { message }), Schema.pattern(pattern, { message })).annotations({
      description
    }),
    { exact: true }
  )
}

/** `Idempotency-Key` of a request that must take effect only once. */
export const IdempotencyKeyHeader = defineOptionalHeader(
  { max: 255, pattern: /^[\u0021-\u007e]+$/ },
  "1 to 255 visible ASCII characters",
  "Makes the request safe to repeat for 24 hours: the same key and body give the first response again."
)

export const PreferHeader = defineOptionalHeader(
  { max: 255, pattern: /^[\u0020-\u007e\t]+$/ },
  "1 to 255 printable ASCII characters",
  "`wait=N` (RFC 7240): answer when the domain has been read and planned, or after N seconds, at most 30. Without `Preference-Applied` the answer did not wait: the tenant has as many streams and waiting requests open as it may."
)

export const IfNoneMatchHeader = defineOptionalHeader(
  { max: 1_000, pattern: /^[\u0020-\u007e\t]+$/ },
  "1 to 1000 printable ASCII characters",
  "The ETag of the response that the client has: 304 if it is still current."
)

export const IfMatchHeader = defineOptionalHeader(
  { max: 1_000, pattern: /^[ \t]*(?:\*|"[!#-~]*"(?:[ \t]*,[ \t]*"[!#-~]*")*)[ \t]*$/ },
  'the ETag of a response as it was sent, in quotes and not weak, such as "3"',
  "The ETag of the response that the request is based on: 412 if it is no longer current."
)

/** The path parameter of endpoints on one connection. */
export const connectionPath = Schema.Struct({ connectionId: ConnectionId })

/** Reports all errors of a body at once, and rejects unknown fields. */
export const strictParsing = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const

/** A moment in a request, of the years 1 to 9999, which the database can hold. */
export const QueryTimestamp = Schema.String.pipe(
  Schema.pattern(/^[^-+].{0,39}$/s),
  Schema.compose(Timestamp),
  Schema.filter(({ epochMillis }) => epochMillis >= firstMoment && epochMillis <= lastMoment)
).annotations({
  jsonSchema: { type: "string", format: "date-time", description: "ISO 8601 in UTC with milliseconds." },
  message: () => ({ message: "must be a moment such as 2026-01-31T09:30:00.000Z", override: true })
})

const firstMoment = Date.parse("0001-01-01T00:00:00.000Z")

const lastMoment = Date.parse("9999-12-31T23:59:59.999Z")

/** Lets a tenant have several connections with the same intent. */
export const AllowDuplicate = Schema.optionalWith(FalseByDefault, { exact: true }).annotations({
  description: "Whether the tenant may have another connection with this domain and these records."
})
