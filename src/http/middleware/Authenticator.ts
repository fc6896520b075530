import type { Headers, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { Origin } from "../../domain/Origin.ts"
import type { ApiKeyId, Tenancy } from "../../domain/Tenancy.ts"
import { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { ApiKeys, Unauthenticated } from "../../security/ApiKeys.ts"
import { BrowserTokens } from "../../security/BrowserTokens.ts"
import { RateLimiter, type RateLimitStatus } from "./RateLimiter.ts"
import { RouteTable } from "./RouteTable.ts"
import { addResponseHeaders } from "./requestMetadata.ts"

/** The caller is known and may not do this, here or in this way. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  code: Schema.Literal("api_key_in_browser", "origin_not_allowed", "insufficient_scope"),
  message: Schema.String
}) {}

/** The application and tenant have used up their requests of this minute. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  code: Schema.Literal("rate_limited"),
  message: Schema.String
}) {}

/** A platform's server with its key, and the connection asked for if it is theirs. */
export interface AuthenticatedServer {
  readonly keyId: ApiKeyId
  readonly tenancy: Tenancy
  readonly connection: Option.Option<StoredConnection>
  /** The connection again, for as long as the key is good. */
  readonly reread: Effect.Effect<Option.Option<StoredConnection>, StoreUnavailable>
}

/** A browser with the token of one connection, standing at the token's origin. */
export interface AuthenticatedBrowser {
  readonly tenancy: Tenancy
  readonly origin: Origin
  readonly connection: StoredConnection
  /** The connection again, for as long as the token is good, and once more when its end ends the token. */
  readonly reread: Effect.Effect<Option.Option<StoredConnection>, StoreUnavailable>
}

/**
 * Lets callers in, in the order of the contract: 401 no good credential, 403 a key in a browser or a foreign origin,
 * 429 quota, 403 scope. An unreachable database dies here; HttpApi answers it on every route
 * by the one declared 503.
 */
export class Authenticator extends Context.Tag("http/Authenticator")<
  Authenticator,
  {
    readonly authenticateServer: (
      request: HttpServerRequest.HttpServerRequest,
      route: HttpRouter.Route<unknown, unknown>,
      connectionId: Option.Option<ConnectionId>
    ) => Effect.Effect<AuthenticatedServer, Unauthenticated | Forbidden | RateLimited>
    readonly authenticateBrowser: (
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<AuthenticatedBrowser, Unauthenticated | Forbidden | RateLimited>
  }
>() {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const tokens = yield* BrowserTokens
      const limits = yield* RateLimiter
      const routes = yield* RouteTable

      /** Counts the request and tells the caller; whether it was one too many is said after what weighs more. */
      const counted = (request: HttpServerRequest.HttpServerRequest, tenancy: Tenancy) =>
        Effect.map(limits.consume(tenancy), (quota) => {
          if (quota.limit > 0) addResponseHeaders(request, rateLimitHeaders(quota))
          return quota
        })

      return {
        authenticateServer: Effect.fnUntraced(function* (request, route, connectionId) {
          const { headers } = request
          const key = Redacted.make(headers["x-api-key"] ?? "")
          const found = yield* keys.authenticate(key, connectionId).pipe(dieUnavailable)
          const quota = yield* counted(request, found.tenancy)
          if (headers["origin"] !== undefined) return yield* keyInBrowser
          if (quota.isExceeded) return yield* tooMany(quota)
          const access = routes.accessRuleOf(route.method, route.path)
          if (!Option.exists(access, ({ scope }) => found.scopes.includes(scope))) return yield* outOfScope
          const reread = seenBy(Effect.map(keys.authenticate(key, connectionId), ({ connection }) => connection))
          return { keyId: found.id, tenancy: found.tenancy, connection: found.connection, reread }
        }),
        authenticateBrowser: Effect.fnUntraced(function* (request) {
          const { headers } = request
          const token = yield* bearerToken(headers)
          const found = yield* tokens.verify(token).pipe(dieUnavailable)
          const quota = yield* counted(request, found.tenancy)
          if (!standsAt(found.origin, headers)) return yield* foreignOrigin
          if (quota.isExceeded) return yield* tooMany(quota)
          const reread = seenBy(Effect.map(tokens.verifyForStream(token), ({ connection }) => Option.some(connection)))
          return { tenancy: found.tenancy, origin: found.origin, connection: found.connection, reread }
        })
      }
    })
  )
}

/** What a credential shows; one that is no longer good shows nothing. */
const seenBy = <A>(shown: Effect.Effect<Option.Option<A>, Unauthenticated | StoreUnavailable>) =>
  Effect.catchTag(shown, "Unauthenticated", () => Effect.succeedNone)

/** Structured fields of the IETF draft `ratelimit-headers`. */
const rateLimitHeaders = ({ isExceeded: exceeded, limit, remaining, resetSeconds }: RateLimitStatus) => ({
  "ratelimit-policy": `"default";q=${limit};w=60`,
  ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
  ...(exceeded ? { "retry-after": String(resetSeconds) } : {})
})

const tooMany = ({ limit, resetSeconds }: RateLimitStatus) =>
  new RateLimited({
    code: "rate_limited",
    message: `more than ${limit} requests in this minute; try again in ${resetSeconds} seconds`
  })

const dieUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | StoreUnavailable, R>
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | StoreUnavailable, StoreUnavailable> => error instanceof StoreUnavailable,
    Effect.die
  )

const bearerToken = (headers: Headers.Headers): Effect.Effect<Redacted.Redacted, Unauthenticated> =>
  Option.match(Option.fromNullable(/^Bearer ([^\s]+)$/i.exec(headers["authorization"] ?? "")?.[1]), {
    onNone: () => Unauthenticated.error,
    onSome: (token) => Effect.succeed(Redacted.make(token))
  })

/**
 * Whether a request comes from a page of this origin. Browsers leave `Origin` out where a page reads from its own server,
 * as the hosted page does, and say `Sec-Fetch-Site`, which no page can set (Fetch Metadata).
 */
const standsAt = (origin: Origin, headers: Headers.Headers): boolean =>
  headers["origin"] === undefined
    ? headers["sec-fetch-site"] === "same-origin" && new URL(origin).host === headers["host"]
    : headers["origin"] === origin

const keyInBrowser = new Forbidden({
  code: "api_key_in_browser",
  message: "the request comes from a browser (it has an Origin header); an API key belongs on a server only"
})

const foreignOrigin = new Forbidden({
  code: "origin_not_allowed",
  message: "the request does not come from the origin that this token was issued for"
})

const outOfScope = new Forbidden({
  code: "insufficient_scope",
  message: "the API key has not the scope that this endpoint asks for"
})
