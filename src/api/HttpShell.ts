import { HttpLayerRouter, HttpMethod, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Identifiers } from "../domain/Identifiers.ts"
import { corsHeaders, preflight } from "./Cors.ts"
import { Drain, Draining } from "./Drain.ts"
import { answerUndeclared, problem, routeNotFound } from "./ErrorBoundary.ts"
import { withJsonBody } from "./RequestBody.ts"
import { countAnswer } from "./Metrics.ts"
import { answerHeadersOf, noteRequest } from "./RequestNotes.ts"
import { allowOf, type Route, RouteTable } from "./RouteTable.ts"

/**
 * What every request passes through before and after its endpoint, in the order of the contract: 404, 405, draining,
 * 415 and 413; then the endpoint; then one shape for whatever went wrong, and the headers that every answer carries.
 */
export const HttpShell = HttpLayerRouter.middleware(
  Effect.gen(function* () {
    const routes = yield* RouteTable
    const drain = yield* Drain
    const identifiers = yield* Identifiers

    return (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = noteRequest(request, yield* identifiers.next("req"))
        const route = routes.find(pathOf(request.url))
        const answer = Option.isNone(route)
          ? routeNotFound(requestId)
          : yield* answerOn(route.value, request, requestId)(app)
        yield* countAnswer(answer.status)
        return withCommonHeaders(answer, request, requestId, route)
      })

    function answerOn(route: Route, request: HttpServerRequest.HttpServerRequest, requestId: string) {
      return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
        const method = request.method === "HEAD" ? "GET" : request.method
        if (route.browser && method === "OPTIONS") return Effect.succeed(preflight(route, request.headers))
        if (!route.methods.includes(method)) return Effect.succeed(methodNotAllowed(route, requestId))
        const answer = drain.track(answerUndeclared(requestId)(withBody(app, request, requestId)))
        return route.plain
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
    ? Effect.matchEffect(withJsonBody(request), {
        onFailure: (refused) => Effect.succeed(problem(refused.status, refused, requestId)),
        onSuccess: (checked) => Effect.provideService(app, HttpServerRequest.HttpServerRequest, checked)
      })
    : app

const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const methodNotAllowed = (route: Route, requestId: string) => {
  const allow = allowOf(route)
  const answer = problem(405, { code: "method_not_allowed", message: `this path answers ${allow}` }, requestId)
  return HttpServerResponse.setHeader(answer, "allow", allow)
}

const draining = (requestId: string) =>
  HttpServerResponse.setHeader(problem(503, Draining.error, requestId), "connection", "close")

const noStore = { "cache-control": "no-store" }

const withCommonHeaders = (
  answer: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
  route: Option.Option<Route>
) =>
  HttpServerResponse.setHeaders(answer, {
    ...answerHeadersOf(request),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    ...(request.url.startsWith("/v1") && answer.headers["cache-control"] === undefined ? noStore : {}),
    ...(answer.status === 503 ? { "retry-after": "1" } : {}),
    ...(answer.status === 401 ? { "www-authenticate": 'ApiKey header="x-api-key", Bearer' } : {}),
    ...(Option.exists(route, ({ browser }) => browser) ? corsHeaders(request.headers, answer.status) : {})
  })
