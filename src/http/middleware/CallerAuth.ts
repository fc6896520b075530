import { HttpApiMiddleware, HttpApiSecurity, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import type { Origin } from "../../domain/Origin.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionNotFound } from "../../persistence/stores/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { ForbiddenResponse, RateLimitedResponse, UnauthenticatedResponse } from "../contract/errorResponses.ts"
import { Authenticator } from "./Authenticator.ts"

/**
 * Who calls, and the connection of the path where the caller may see it: a server all of its tenant's, a browser its
 * token's one.
 */
export class Caller extends Context.Tag("http/Caller")<
  Caller,
  {
    readonly tenancy: Tenancy
    readonly connection: Option.Option<StoredConnection>
    /** Where the browser stands, if it is one that calls. */
    readonly origin: Option.Option<Origin>
    /** The same connection again, for as long as the caller may see it, and its end. */
    readonly reread: Effect.Effect<Option.Option<StoredConnection>, StoreUnavailable>
  }
>() {}

/**
 * For endpoints that a server may call with its API key and a browser with its token. `x-api-key` decides which of the
 * two counts. HttpApi tries the schemes one after the other, and the 401 of the second would hide the 403 of the first:
 * so both handlers are the same, and what the first one said is kept for the second.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class CallerAuth extends HttpApiMiddleware.Tag<CallerAuth>()("http/CallerAuth", {
  failure: Schema.Union(UnauthenticatedResponse, ForbiddenResponse, RateLimitedResponse),
  provides: Caller,
  security: {
    apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }),
    browserToken: HttpApiSecurity.bearer
  }
}) {
  static readonly layer = Layer.effect(
    CallerAuth,
    Effect.map(Authenticator, (admission) => {
      const refused = new WeakMap<HttpServerRequest.HttpServerRequest, Refused>()

      const admit = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { params, route } = yield* HttpRouter.RouteContext
        const id = Schema.decodeUnknownOption(ConnectionId)(params["connectionId"])
        if (request.headers["x-api-key"] !== undefined || request.headers["authorization"] === undefined) {
          return { ...(yield* admission.authenticateServer(request, route, id)), origin: Option.none() }
        }
        const { connection, reread: look, origin, tenancy } = yield* admission.authenticateBrowser(request)
        return {
          tenancy,
          origin: Option.some(origin),
          reread: look,
          connection: Option.filter(Option.some(connection), (own) => Option.contains(id, own.id))
        }
      })

      const caller = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const known = refused.get(request)
        return known === undefined
          ? Effect.tapError(admit(request), (error) => Effect.sync(() => refused.set(request, error)))
          : Effect.fail(known)
      })

      return { apiKey: () => caller, browserToken: () => caller }
    })
  )
}

type Refused = Effect.Effect.Error<ReturnType<Context.Tag.Service<Authenticator>["authenticateBrowser"]>>

/** The connection of the path, for a caller who may see it; for all others there is none. */
export const requireConnection: Effect.Effect<StoredConnection, ConnectionNotFound, Caller> = Effect.flatMap(
  Caller,
  ({ connection }) => Effect.mapError(connection, () => ConnectionNotFound.error)
)
