import { Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import type { KeyScope } from "../../domain/Tenancy.ts"
import type { AccessRule } from "../middleware/RouteTable.ts"

const header = (pattern: RegExp, what: string, description: string) =>
  Schema.optionalWith(
    Schema.String.pipe(Schema.pattern(pattern)).annotations({ description, message: () => `must be ${what}` }),
    { exact: true }
  )

/** `Idempotency-Key` of a request that is to have its effect once. */
export const IdempotencyKeyHeader = header(
  /^[\u0021-\u007e]{1,255}$/,
  "1 to 255 visible ASCII characters",
  "Makes the request safe to repeat for 24 hours: the same key and body give the first answer again."
)

export const PreferHeader = header(
  /^[\u0020-\u007e\t]{1,255}$/,
  "1 to 255 printable ASCII characters",
  "`wait=N` (RFC 7240): answer when discovery has ended, or after N seconds, at most 30."
)

export const IfNoneMatchHeader = header(
  /^[\u0020-\u007e\t]{1,1000}$/,
  "1 to 1000 printable ASCII characters",
  "The ETag of the answer that the client has: 304 if it still holds."
)

export const IfMatchHeader = header(
  /^[\u0020-\u007e\t]{1,1000}$/,
  "1 to 1000 printable ASCII characters",
  "The ETag of the answer that the request starts from: 412 if it no longer holds."
)

/** The path of one connection. */
export const connectionPath = Schema.Struct({ connectionId: ConnectionId })

/** Every error at once, and nothing that is not known. */
export const strictParsing = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const

/** For API keys with this scope. */
export const allowServers = (scope: KeyScope): AccessRule => ({ scope, allowsBrowsers: false })

/** For API keys with this scope, and for the browser token of the one connection. */
export const allowServersAndBrowsers = (scope: KeyScope): AccessRule => ({ scope, allowsBrowsers: true })

/** Where a list goes on: the `nextCursor` of the part before. */
export const PageCursor = Schema.optionalWith(
  Schema.String.pipe(Schema.pattern(/^[a-z]{3}_[0-9a-z]{1,60}$/)).annotations({
    description: "The `nextCursor` of the part before; without it the list begins.",
    message: () => "must be the nextCursor of another answer"
  }),
  { exact: true }
)

export const NextPageCursor = Schema.optionalWith(
  Schema.String.annotations({ description: "Where the list goes on; absent at its end." }),
  { exact: true }
)

export const PageLimit = Schema.optionalWith(
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 100)).annotations({
    jsonSchema: { type: "integer", minimum: 1, maximum: 100, description: "How many at most; without it 50." },
    message: () => ({ message: "must be a whole number from 1 to 100", override: true })
  }),
  { exact: true }
)
