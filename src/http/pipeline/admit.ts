import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { maxErrorDetails, suggestName, toJsonPointer } from "../../domain/error/ErrorDetail.ts"
import { RateLimited } from "../../limits/limitErrors.ts"
import type { RateLimiter, RateLimitStatus } from "../../limits/RateLimiter.ts"
import type { KnownSource } from "../../limits/RequestSource.ts"
import { bodyBytesPerRequest, maxBodyBytes } from "../contract/bodyLimits.ts"
import { Forbidden, InvalidRequest } from "../contract/errorResponses.ts"
import type { AccessRule } from "../contract/securitySchemes.ts"
import type { RequestExchange, ServedEndpoint } from "./Exchange.ts"

/**
 * Admits a request, in the order of the contract: 429 above the rate, 403 without the scope, 400 for undeclared query
 * parameters, which HttpApi would ignore.
 */
export const admit = (
  exchange: RequestExchange,
  { access, isPublic, queryParameters, takesAnyScope }: ServedEndpoint,
  rateLimiter: typeof RateLimiter.Service
): Effect.Effect<void, RateLimited | Forbidden | InvalidRequest> => {
  if (isPublic) return Effect.void
  const { caller, found } = exchange
  if (caller !== undefined) {
    const exceeded = countRequest(exchange, caller.source, rateLimiter)
    if (exceeded !== undefined) return exceeded
    const scope = Option.getOrUndefined(access)?.scope
    if (
      takesAnyScope !== true &&
      caller.scopes !== undefined &&
      (scope === undefined || !caller.scopes.includes(scope))
    )
      return insufficientScope(caller.tenancy === undefined ? "admin key" : "API key", scope, caller.scopes)
    if (caller.role === "helper" && !Option.exists(access, ({ allowsHelpers }) => allowsHelpers)) return customerOnly
  }
  const unknown = Object.keys(found?.searchParams ?? {}).filter(
    (name) => !queryParameters.includes(name.replace(/^([^[]+)\[.+\]$/s, "$1[key]"))
  )
  return unknown.length > 0 ? makeUnknownParameters(unknown, queryParameters) : Effect.void
}

/** Refuses a request whose source is known and has reached its limit, before it takes a permit and a look-up. */
export const findExceeded = (
  exchange: RequestExchange,
  source: KnownSource | undefined,
  rateLimiter: typeof RateLimiter.Service
): RateLimited | undefined => {
  if (source === undefined) return undefined
  const { limit, remaining } = rateLimiter.read(source.kind, rateBucketOf(source))
  return limit > 0 && remaining === 0 ? countRequest(exchange, source, rateLimiter) : undefined
}

/** Counts a request of this source, and adds the headers of its rate limit; the error if it is above. */
export const countRequest = (
  { request, responseHeaders }: RequestExchange,
  source: KnownSource,
  rateLimiter: typeof RateLimiter.Service
): RateLimited | undefined => {
  const status = rateLimiter.consume(source.kind, rateBucketOf(source), countBodyAsRequests(request))
  if (status.limit > 0) Object.assign(responseHeaders, toRateLimitHeaders(source.kind, status))
  return status.isExceeded ? toRateLimited(source.kind, status) : undefined
}

const rateBucketOf = ({ client, kind, tenant }: KnownSource): string => (kind === "server" ? tenant : client)

/** How many requests a request counts as, by the length that its body declares. */
const countBodyAsRequests = ({ headers }: HttpServerRequest.HttpServerRequest): number => {
  const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : maxBodyBytes
  return Math.max(1, Math.ceil(Math.min(declared, maxBodyBytes) / bodyBytesPerRequest))
}

/** Structured fields of the IETF draft `ratelimit-headers`; the policy of servers has kept its first name. */
const toRateLimitHeaders = (kind: KnownSource["kind"], { limit, remaining, resetSeconds }: RateLimitStatus) => {
  const policy = kind === "server" ? "default" : kind
  return {
    "ratelimit-policy": `"${policy}";q=${limit};w=60`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`
  }
}

const toRateLimited = (kind: KnownSource["kind"], { limit, resetSeconds }: RateLimitStatus) =>
  RateLimited.of(
    `more than ${limit} requests ${kind === "browser" ? "from browsers for this connection " : ""}in this minute; try again in ${resetSeconds} seconds`,
    resetSeconds
  )

const customerOnly = new Forbidden({
  code: "insufficient_scope",
  message: "a session that a customer's link opened may read and check the connection; this is the customer's decision"
})

const insufficientScope = (
  kind: "API key" | "admin key",
  required: AccessRule["scope"] | undefined,
  scopes: ReadonlyArray<AccessRule["scope"]>
) =>
  new Forbidden({
    code: "insufficient_scope",
    message: `the ${kind} lacks the scope ${required ?? "of this endpoint"}; it has ${scopes.join(", ") || "none"}: create a key with \`--scopes\``
  })

const makeUnknownParameters = (unknown: ReadonlyArray<string>, known: ReadonlyArray<string>) =>
  InvalidRequest.of(
    unknown.slice(0, maxErrorDetails).map((name) => {
      const suggestion = suggestName(name, known)
      return {
        pointer: toJsonPointer([name]),
        code: "unknown_parameter",
        message: `${quote(name)} is no query parameter here; ${known.length === 0 ? "there are none" : `there are ${known.join(", ")}`}`,
        ...(suggestion === undefined ? {} : { suggestion })
      }
    }),
    unknown.length
  )

/** Quotes a name, cut, and with escapes for everything but plain text. */
const quote = (name: string): string =>
  JSON.stringify(
    name
      .slice(0, 40)
      .replaceAll(/\p{Cc}/gu, "")
      .toWellFormed()
  )
