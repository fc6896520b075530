import { HttpLayerRouter, HttpMethod, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Metric, Option } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import { metrics } from "../../metrics/metrics.ts"
import { registerRequest, responseHeadersOf } from "../requestMetadata.ts"
import { DrainInProgress } from "../contract/errors.ts"
import { Drain } from "./Drain.ts"
import { allowHeaderOf, type Route, RouteTable } from "./RouteTable.ts"
import { corsHeaders, preflightResponse } from "./cors.ts"
import { errorResponse, handleUndeclaredErrors, routeNotFoundResponse } from "./handleUndeclaredErrors.ts"
import { readJsonBody } from "./readJsonBody.ts"

/**
 * What every request passes through before and after its endpoint, in the order of the contract: 404, 405, draining,
 * 415 and 413; then the endpoint; then one shape for whatever went wrong, and the headers that every answer carries.
 */
export const GlobalMiddleware = HttpLayerRouter.middleware(
  Effect.gen(function* () {
    const routes = yield* RouteTable
    const drain = yield* Drain
    const identifiers = yield* Identifiers

    return (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = registerRequest(request, yield* identifiers.next("req"))
        const route = routes.find(pathOf(request.url))
        const answer = Option.isNone(route)
          ? routeNotFoundResponse(requestId)
          : yield* answerOn(route.value, request, requestId)(app)
        yield* Metric.increment(metrics.httpRequests.labeled(`${Math.floor(answer.status / 100)}xx`))
        return withCommonHeaders(answer, request, requestId, route)
      })

    function answerOn(route: Route, request: HttpServerRequest.HttpServerRequest, requestId: string) {
      return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
        const method = request.method === "HEAD" ? "GET" : request.method
        if (route.allowsBrowsers && method === "OPTIONS")
          return Effect.succeed(preflightResponse(route, request.headers))
        if (!route.methods.includes(method)) return Effect.succeed(methodNotAllowed(route, requestId))
        const answer = drain.track(handleUndeclaredErrors(requestId)(withBody(app, request, requestId)))
        return route.isPublic
          ? answer
          : Effect.if(drain.isDraining, { onTrue: () => Effect.succeed(draining(requestId)), onFalse: () => answer })
      }
    }
  }),
  { global: true }
)

const withBody = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
) =>
  HttpMethod.hasBody(request.method)
    ? Effect.matchEffect(readJsonBody(request), {
        onFailure: (refused) => Effect.succeed(errorResponse(refused.status, refused, requestId)),
        onSuccess: (checked) => Effect.provideService(app, HttpServerRequest.HttpServerRequest, checked)
      })
    : app

const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const methodNotAllowed = (route: Route, requestId: string) => {
  const allow = allowHeaderOf(route)
  const answer = errorResponse(405, { code: "method_not_allowed", message: `this path answers ${allow}` }, requestId)
  return HttpServerResponse.setHeader(answer, "allow", allow)
}

const draining = (requestId: string) =>
  HttpServerResponse.setHeader(errorResponse(503, DrainInProgress.error, requestId), "connection", "close")

const noStore = { "cache-control": "no-store" }

const withCommonHeaders = (
  answer: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
  route: Option.Option<Route>
) =>
  HttpServerResponse.setHeaders(answer, {
    ...responseHeadersOf(request),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    ...(request.url.startsWith("/v1") && answer.headers["cache-control"] === undefined ? noStore : {}),
    ...(answer.status === 503 ? { "retry-after": "1" } : {}),
    ...(answer.status === 401 ? { "www-authenticate": 'ApiKey header="x-api-key", Bearer' } : {}),
    ...(Option.exists(route, ({ allowsBrowsers: browser }) => browser)
      ? corsHeaders(request.headers, answer.status)
      : {})
  })
