import { HttpApiMiddleware, HttpApiSecurity, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Admission, type AdmittedServer } from "./Admission.ts"
import { ForbiddenBody, RateLimitedBody, UnauthenticatedBody } from "./errors.ts"

/** The platform's server that calls. */
export class ServerCaller extends Context.Tag("api/ServerCaller")<ServerCaller, AdmittedServer>() {}

/** For endpoints that only a platform's server may call, with its API key in `x-api-key`. */
export class ApiKeyAuth extends HttpApiMiddleware.Tag<ApiKeyAuth>()("api/ApiKeyAuth", {
  failure: Schema.Union(UnauthenticatedBody, ForbiddenBody, RateLimitedBody),
  provides: ServerCaller,
  security: { apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }) }
}) {
  static readonly layer = Layer.effect(
    ApiKeyAuth,
    Effect.map(Admission, (admission) => ({
      apiKey: Effect.fnUntraced(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { route } = yield* HttpRouter.RouteContext
        return yield* admission.server(request, route, Option.none())
      })
    }))
  )
}
