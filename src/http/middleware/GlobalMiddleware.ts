import {
  type Headers,
  HttpLayerRouter,
  HttpMethod,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Effect, Either, Option } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import { parseOrigin } from "../../domain/Origin.ts"
import { metrics } from "../../runtime/metrics.ts"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import type { RateFloor } from "../contract/bodyLimits.ts"
import { DrainInProgress, type ErrorContent, InvalidRequest, toErrorBody } from "../contract/errorResponses.ts"
import { registerRequest, releasePermit, requestIdOf, responseHeadersOf } from "../requestMetadata.ts"
import { Drain } from "./Drain.ts"
import { allowHeaderOf, type Route, RouteTable } from "./RouteTable.ts"
import { BodyRateFloor, limitJsonBody, RequestBodyError } from "./limitJsonBody.ts"

/**
 * Makes what runs around every request, in the order of the contract: 400 for the `Host` header, 404, 405, draining, 415 and
 * 413; then the endpoint; then the error body for whatever failed, and the headers of every response.
 */
export const makeGlobalMiddleware = Effect.gen(function* () {
  const routes = yield* RouteTable
  const drain = yield* Drain
  const identifiers = yield* Identifiers
  const rateFloor = yield* BodyRateFloor
  const errorsUrl = (yield* PublicUrl).referTo(errorsPath)

  return <E, R>(app: RequestApp<E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.flatMap(identifiers.next("req"), (newId) => {
        const route = routes.find(pathOf(request.url))
        const sharesStatements = Option.exists(route, ({ sharingMethods }) => sharingMethods.includes(request.method))
        const requestId = registerRequest(request, { errorsUrl, newId, sharesStatements })
        const response = !hasOneHost(request)
          ? Effect.succeed(respondWithError(400, invalidHost, request))
          : Option.isNone(route)
            ? Effect.succeed(respondRouteNotFound(request))
            : dispatch(route.value, request, app)
        return Effect.map(response, (response) => {
          metrics.httpRequests.labeled(`${Math.floor(response.status / 100)}xx`).unsafeUpdate(1, [])
          return withCommonHeaders(response, request, requestId, route)
        })
      })
    )

  function dispatch<E, R>(route: Route, request: HttpServerRequest.HttpServerRequest, app: RequestApp<E, R>) {
    const method = request.method === "HEAD" ? "GET" : request.method
    if (route.allowsBrowsers && method === "OPTIONS") return Effect.succeed(respondToPreflight(route, request.headers))
    if (!route.methods.includes(method)) return Effect.succeed(respondMethodNotAllowed(route, request))
    const response = drain.track(handleUndeclaredErrors(request, withCheckedBody(app, request, rateFloor)), () =>
      releasePermit(request)
    )
    return route.isPublic
      ? response
      : Effect.if(drain.isDraining, {
          onTrue: () => Effect.succeed(respondDraining(request)),
          onFalse: () => response
        })
  }
})

/** What runs around the requests that go the platform's way. */
export const GlobalMiddleware = HttpLayerRouter.middleware(
  Effect.map(makeGlobalMiddleware, (runAround) => (app) => runAround(app)),
  { global: true }
)

type RequestApp<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Whether the request names one host. Bun joins several `Host` headers with commas, which no host has. */
const hasOneHost = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  // Only a request of HTTP/1.0 may have none; Bun refuses others.
  headers["host"] === undefined || /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(headers["host"])

const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const withCheckedBody = <E, R>(
  app: RequestApp<E, R>,
  request: HttpServerRequest.HttpServerRequest,
  rateFloor: RateFloor
) =>
  HttpMethod.hasBody(request.method)
    ? Effect.matchEffect(limitJsonBody(request, rateFloor), {
        onFailure: (error) => Effect.succeed(respondBodyRejected(error, request)),
        onSuccess: (checked) =>
          Effect.withFiberRuntime<HttpServerResponse.HttpServerResponse, E, R>(({ currentContext }) => {
            // Each request has a context of its own; a copy would cost more than all else here.
            currentContext.unsafeMap.set(HttpServerRequest.HttpServerRequest.key, checked)
            return app
          })
      })
    : app

/**
 * Responds to every error that no endpoint declares with 404 or 500, and logs the latter; only an interruption passes through.
 * A defect that is a declared error, such as an unavailable database, does not get here: HttpApi encodes it.
 */
const handleUndeclaredErrors = <E, R>(request: HttpServerRequest.HttpServerRequest, app: RequestApp<E, R>) =>
  Effect.catchAllCause(app, (cause) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    const error = findFirstError(cause)
    if (error instanceof HttpServerError.RouteNotFound) return Effect.succeed(respondRouteNotFound(request))
    if (error instanceof RequestBodyError) return Effect.succeed(respondBodyRejected(error, request))
    return Effect.logError("Request failed unexpectedly", cause).pipe(
      Effect.annotateLogs({ requestId: requestIdOf(request) }),
      Effect.as(respondWithError(500, internalError, request))
    )
  })

const findFirstError = <E>(cause: Cause.Cause<E>): unknown =>
  Option.getOrElse(Cause.failureOption(cause), () => Option.getOrUndefined(Cause.dieOption(cause)))

const respondWithError = (status: number, content: ErrorContent, request: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.unsafeJson(toErrorBody(status, content, request), { status })

const respondRouteNotFound = (request: HttpServerRequest.HttpServerRequest) =>
  respondWithError(404, { code: "route_not_found", message: "there is nothing at this path" }, request)

const respondMethodNotAllowed = (route: Route, request: HttpServerRequest.HttpServerRequest) => {
  const allow = allowHeaderOf(route)
  const content: ErrorContent = { code: "method_not_allowed", message: `this path answers ${allow}` }
  return HttpServerResponse.setHeader(respondWithError(405, content, request), "allow", allow)
}

/** The rest of the body is not read: the connection ends with the response. */
const respondBodyRejected = (error: RequestBodyError, request: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.setHeader(respondWithError(error.status, error, request), "connection", "close")

const respondDraining = (request: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.setHeader(respondWithError(503, DrainInProgress.error, request), "connection", "close")

const invalidHost = InvalidRequest.of([
  { pointer: "/host", code: "invalid", message: "must be one header, with a host name or address and at most a port" }
])

const internalError: ErrorContent = {
  code: "internal_error",
  message: "something went wrong on our side; it has been logged"
}

const noStore = { "cache-control": "no-store" }

const withCommonHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
  route: Option.Option<Route>
) =>
  HttpServerResponse.setHeaders(response, {
    ...responseHeadersOf(request),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    ...(request.url.startsWith("/v1") && response.headers["cache-control"] === undefined ? noStore : {}),
    ...(response.status === 503 ? { "retry-after": "1" } : {}),
    ...(response.status === 401 ? { "www-authenticate": toChallenge(request.url) } : {}),
    ...(Option.exists(route, ({ allowsBrowsers }) => allowsBrowsers)
      ? toCorsHeaders(request.headers, response.status)
      : {})
  })

/** The credentials that a path takes (RFC 9110 section 11.6.1). */
const toChallenge = (url: string): string =>
  url.startsWith("/v1/admin/") ? 'ApiKey header="x-admin-key"' : 'ApiKey header="x-api-key", Bearer'

/** Responds to a CORS preflight (Fetch standard 4.8) for a route that browsers may call. */
const respondToPreflight = (route: Route, headers: Headers.Headers) =>
  HttpServerResponse.empty({
    status: 204,
    headers: isOrigin(headers["origin"])
      ? {
          ...allowOrigin(headers["origin"]),
          "access-control-allow-methods": route.methods.join(", "),
          "access-control-allow-headers": allowedHeaders,
          "access-control-max-age": "7200"
        }
      : { allow: allowHeaderOf(route) }
  })

const allowedHeaders = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer"

/**
 * The headers that let a page read a response. No page may read a 403; every other response is for the origin of the token,
 * which was checked, or contains no data of a tenant.
 */
const toCorsHeaders = (headers: Headers.Headers, status: number): Record<string, string> => ({
  vary: "Origin",
  ...(status !== 403 && isOrigin(headers["origin"])
    ? { ...allowOrigin(headers["origin"]), "access-control-expose-headers": exposedHeaders }
    : {})
})

const exposedHeaders = "etag, idempotent-replayed, preference-applied, retry-after, x-request-id"

const allowOrigin = (origin: string) => ({ "access-control-allow-origin": origin })

const isOrigin = (origin: string | undefined): origin is string =>
  origin !== undefined && Either.isRight(parseOrigin(origin))
