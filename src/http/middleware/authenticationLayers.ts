import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Option, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import { ApiKeyAuth, CallerAuth } from "../contract/securitySchemes.ts"
import { Authenticator } from "./Authenticator.ts"

/** Checks the API key in `x-api-key`. */
export const apiKeyAuthLayer = Layer.effect(
  ApiKeyAuth,
  Effect.map(Authenticator, (authenticator) => ({
    apiKey: Effect.fnUntraced(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { route } = yield* HttpRouter.RouteContext
      return yield* authenticator.authenticateServer(request, route, Option.none())
    })
  }))
)

/**
 * Checks the API key in `x-api-key` or, without one, the browser token. HttpApi tries the schemes one after the other, and
 * the 401 of the second would hide the 403 of the first: so both handlers are the same, and the first one's error is kept
 * for the second.
 */
export const callerAuthLayer = Layer.effect(
  CallerAuth,
  Effect.map(Authenticator, (authenticator) => {
    const errors = new WeakMap<HttpServerRequest.HttpServerRequest, AuthenticationError>()

    const authenticate = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { params, route } = yield* HttpRouter.RouteContext
      const pathId = Schema.decodeUnknownOption(ConnectionId)(params["connectionId"])
      if (request.headers["x-api-key"] !== undefined || request.headers["authorization"] === undefined) {
        return { ...(yield* authenticator.authenticateServer(request, route, pathId)), origin: Option.none() }
      }
      const { connection, origin, reread, tenancy } = yield* authenticator.authenticateBrowser(request)
      return {
        tenancy,
        origin: Option.some(origin),
        reread,
        connection: Option.filter(Option.some(connection), ({ id }) => Option.contains(pathId, id))
      }
    })

    const caller = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const error = errors.get(request)
      return error === undefined
        ? Effect.tapError(authenticate(request), (error) => Effect.sync(() => errors.set(request, error)))
        : Effect.fail(error)
    })

    return { apiKey: () => caller, browserToken: () => caller }
  })
)

type AuthenticationError = Effect.Effect.Error<ReturnType<Authenticator["Type"]["authenticateBrowser"]>>
