import { HttpApiMiddleware, HttpApiSecurity, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { ForbiddenResponse, RateLimitedResponse, UnauthenticatedResponse } from "../contract/errorResponses.ts"
import { type AuthenticatedServer, Authenticator } from "./Authenticator.ts"

/** The platform's server that calls. */
export class ServerCaller extends Context.Tag("http/ServerCaller")<ServerCaller, AuthenticatedServer>() {}

/** For endpoints that only a platform's server may call, with its API key in `x-api-key`. */
export class ApiKeyAuth extends HttpApiMiddleware.Tag<ApiKeyAuth>()("http/ApiKeyAuth", {
  failure: Schema.Union(UnauthenticatedResponse, ForbiddenResponse, RateLimitedResponse),
  provides: ServerCaller,
  security: { apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }) }
}) {
  static readonly layer = Layer.effect(
    ApiKeyAuth,
    Effect.map(Authenticator, (admission) => ({
      apiKey: Effect.fnUntraced(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { route } = yield* HttpRouter.RouteContext
        return yield* admission.authenticateServer(request, route, Option.none())
      })
    }))
  )
}
