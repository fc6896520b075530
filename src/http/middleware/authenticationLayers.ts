import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Either, Layer, Option, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import { type Origin, parseOrigin } from "../../domain/Origin.ts"
import { Forbidden } from "../contract/errorResponses.ts"
import { AdminAuth, ApiKeyAuth, CallerAuth, HostedPageOnly } from "../contract/securitySchemes.ts"
import { Authenticator } from "./Authenticator.ts"
import { CredentialGate } from "./CredentialGate.ts"
import { RouteTable } from "./RouteTable.ts"
import { requireKnownParameters } from "./requireKnownParameters.ts"

/** Checks the API key in `x-api-key`. */
export const apiKeyAuthLayer = Layer.effect(
  ApiKeyAuth,
  Effect.map(Effect.all([Authenticator, RouteTable]), ([authenticator, routes]) => {
    const authenticate = withRoute((request, { route }) =>
      Effect.zipLeft(authenticator.authenticateServer(request, route, Option.none()), requireKnownParameters(routes))
    )
    return { apiKey: () => authenticate }
  })
)

/** Reads the request and its route from the context of its fiber. */
const withRoute = <A, E, R>(
  use: (request: HttpServerRequest.HttpServerRequest, route: HttpRouter.RouteContext) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext> =>
  Effect.withFiberRuntime(({ currentContext }) =>
    use(
      Context.unsafeGet(currentContext, HttpServerRequest.HttpServerRequest),
      Context.unsafeGet(currentContext, HttpRouter.RouteContext)
    )
  )

/** Checks the admin key in `x-admin-key`. */
export const adminAuthLayer = Layer.effect(
  AdminAuth,
  Effect.map(Effect.all([Authenticator, RouteTable]), ([authenticator, routes]) => ({
    adminKey: Effect.fnUntraced(function* () {
      const admin = yield* authenticator.authenticateAdmin(yield* HttpServerRequest.HttpServerRequest)
      yield* requireKnownParameters(routes)
      return admin
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
  Effect.map(Effect.all([Authenticator, RouteTable]), ([authenticator, routes]) => {
    const errors = new WeakMap<HttpServerRequest.HttpServerRequest, AuthenticationError>()

    const authenticate = (request: HttpServerRequest.HttpServerRequest, { params, route }: HttpRouter.RouteContext) => {
      const pathId = decodeConnectionId(params["connectionId"])
      return request.headers["x-api-key"] !== undefined || request.headers["authorization"] === undefined
        ? Effect.map(authenticator.authenticateServer(request, route, pathId), (server) => ({
            ...server,
            credentialId: server.keyId,
            origin: Option.none<Origin>()
          }))
        : Effect.map(authenticator.authenticateBrowser(request), ({ connection, origin, ...browser }) => ({
            ...browser,
            origin: Option.some(origin),
            connection: Option.filter(Option.some(connection), ({ id }) => Option.contains(pathId, id))
          }))
    }

    const authenticateOnce = withRoute((request, route) => {
      const error = errors.get(request)
      return error === undefined
        ? Effect.zipLeft(
            Effect.tapError(authenticate(request, route), (error) => Effect.sync(() => errors.set(request, error))),
            requireKnownParameters(routes)
          )
        : Effect.fail(error)
    })

    return { apiKey: () => authenticateOnce, browserToken: () => authenticateOnce }
  })
)

const decodeConnectionId = Schema.decodeUnknownOption(ConnectionId)

type AuthenticationError = Effect.Effect.Error<ReturnType<Authenticator["Type"]["authenticateBrowser"]>>

/** Checks the headers by which browsers say where a request comes from, and the refused credentials of its address. */
export const hostedPageOnlyLayer = Layer.effect(
  HostedPageOnly,
  Effect.map(Effect.all([CredentialGate, RouteTable]), ([gate, routes]) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      // Browsers set this header, pages cannot (Fetch Metadata): so the origin is this service, by whatever name.
      if (request.headers["sec-fetch-site"] !== "same-origin") return yield* notFromHostedPage
      const origin = yield* Either.mapLeft(parseOrigin(request.headers["origin"] ?? ""), () => notFromHostedPage)
      yield* requireKnownParameters(routes)
      yield* gate.requireAttempt(request)
      return origin
    })
  )
)

const notFromHostedPage = new Forbidden({
  code: "origin_not_allowed",
  message: "a link is opened on the page of this service only"
})
