import { Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"

const optionalHeader = (pattern: RegExp, expected: string, description: string) =>
  Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(pattern)).annotations({ description, message: () => `must be ${expected}` }),
    { exact: true }
  )

/** `Idempotency-Key` of a request that must take effect only once. */
export const IdempotencyKeyHeader = optionalHeader(
  /^[\u0021-\u007e]{1,255}$/,
  "1 to 255 visible ASCII characters",
  "Makes the request safe to repeat for 24 hours: the same key and body give the first response again."
)

export const PreferHeader = optionalHeader(
  /^[\u0020-\u007e\t]{1,255}$/,
  "1 to 255 printable ASCII characters",
  "`wait=N` (RFC 7240): answer when discovery has ended, or after N seconds, at most 30."
)

export const IfNoneMatchHeader = optionalHeader(
  /^[\u0020-\u007e\t]{1,1000}$/,
  "1 to 1000 printable ASCII characters",
  "The ETag of the response that the client has: 304 if it is still current."
)

export const IfMatchHeader = optionalHeader(
  /^[\u0020-\u007e\t]{1,1000}$/,
  "1 to 1000 printable ASCII characters",
  "The ETag of the response that the request is based on: 412 if it is no longer current."
)

/** The path parameter of endpoints on one connection. */
export const connectionPath = Schema.Struct({ connectionId: ConnectionId })

/** Reports all errors of a body at once, and rejects unknown fields. */
export const strictParsing = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const
