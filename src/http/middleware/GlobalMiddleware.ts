import {
  type Headers,
  HttpLayerRouter,
  HttpMethod,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Context, Effect, Either, Option } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import { parseOrigin } from "../../domain/Origin.ts"
import { metrics } from "../../runtime/metrics.ts"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
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

  return <E, R>(app: RequestApp<E, R>): RequestApp<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(identifiers.next("req"), (newId) =>
      Effect.withFiberRuntime(({ currentContext }) => {
        const request = Context.unsafeGet(currentContext, HttpServerRequest.HttpServerRequest)
        const route = routes.find(pathOf(request.url))
        const canShareStatements = route?.sharingMethods.includes(request.method) === true
        const requestId = registerRequest(request, { errorsUrl, newId, canShareStatements })
        const end = (response: HttpServerResponse.HttpServerResponse) => {
          metrics.httpRequests.labeled(`${Math.floor(response.status / 100)}xx`).unsafeUpdate(1, [])
          return Effect.succeed(withCommonHeaders(response, request, requestId, route))
        }

        const response = respondAtOnce(request, route, drain.isDraining())
        if (response !== undefined) return end(response)
        const checked = HttpMethod.hasBody(request.method) ? limitJsonBody(request, rateFloor) : Either.right(request)
        if (Either.isLeft(checked)) return end(respondBodyRejected(checked.left, request))
        // Each request has a context of its own; a copy would cost more than all else here.
        currentContext.unsafeMap.set(HttpServerRequest.HttpServerRequest.key, checked.right)

        const leave = drain.enter()
        return Effect.matchCauseEffect(app, {
          onFailure: (cause) => {
            leave()
            releasePermit(request)
            return Cause.isInterruptedOnly(cause)
              ? Effect.failCause(cause)
              : Effect.flatMap(respondToUndeclaredError(request, cause), end)
          },
          onSuccess: (response) => {
            leave()
            releasePermit(request)
            return end(response)
          }
        })
      })
    )
})

/** The middleware of the requests that `@effect/platform` routes. */
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

/** The response to what reaches no endpoint, in the order of the contract. */
const respondAtOnce = (
  request: HttpServerRequest.HttpServerRequest,
  route: Route | undefined,
  isDraining: boolean
): HttpServerResponse.HttpServerResponse | undefined => {
  if (!hasOneHost(request)) return respondWithError(400, invalidHost, request)
  if (route === undefined) return respondRouteNotFound(request)
  const method = request.method === "HEAD" ? "GET" : request.method
  if (route.browserMethods.length > 0 && method === "OPTIONS") return respondToPreflight(route, request.headers)
  if (!route.methods.includes(method)) return respondMethodNotAllowed(route, request)
  return isDraining && !route.isPublic ? respondDraining(request) : undefined
}

/**
 * Responds to an error that no endpoint declares with 404 or 500, and logs the latter. A defect that is a declared error, such
 * as an unavailable database, does not get here: HttpApi encodes it.
 */
const respondToUndeclaredError = <E>(request: HttpServerRequest.HttpServerRequest, cause: Cause.Cause<E>) => {
  const error = findFirstError(cause)
  if (error instanceof HttpServerError.RouteNotFound) return Effect.succeed(respondRouteNotFound(request))
  if (error instanceof RequestBodyError) return Effect.succeed(respondBodyRejected(error, request))
  return Effect.logError("Request failed unexpectedly", cause).pipe(
    Effect.annotateLogs({ requestId: requestIdOf(request) }),
    Effect.as(respondWithError(500, internalError, request))
  )
}

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
  route: Route | undefined
) =>
  HttpServerResponse.setHeaders(response, {
    ...responseHeadersOf(request),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    ...(request.url.startsWith("/v1") && response.headers["cache-control"] === undefined ? noStore : {}),
    ...(response.status === 503 ? { "retry-after": "1" } : {}),
    ...(route !== undefined && route.browserMethods.length > 0 ? toCorsHeaders(request.headers, response.status) : {})
  })

/** Responds to a CORS preflight (Fetch standard 4.8) for a route that browsers may call. */
const respondToPreflight = (route: Route, headers: Headers.Headers) =>
  HttpServerResponse.empty({
    status: 204,
    headers: isOrigin(headers["origin"])
      ? {
          ...allowOrigin(headers["origin"]),
          "access-control-allow-methods": route.browserMethods.join(", "),
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
