import { HttpMethod, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Context, Effect, Either, Tracer } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import { releasePermit } from "../../limits/ConcurrencyLimiter.ts"
import { RateLimiter } from "../../limits/RateLimiter.ts"
import { metrics } from "../../runtime/metrics.ts"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import { DrainInProgress, InvalidRequest } from "../contract/errorResponses.ts"
import { admit } from "./admit.ts"
import { allowHeaderOf, corsHeadersOf, preflightOf } from "./crossOrigin.ts"
import { Drain } from "./Drain.ts"
import { encodeError, RequestRefused } from "./encodeError.ts"
import { type Endpoint, Endpoints, type FoundPath } from "./Endpoints.ts"
import { beginExchange, Exchange, type RequestExchange, type RequestServices } from "./Exchange.ts"
import { BodyRateFloor, limitJsonBody } from "./limitJsonBody.ts"

/** Responds to a request. */
export type Pipeline = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Makes what every request goes through: find the endpoint, authenticate, admit, decode, handle, encode. */
export const makePipeline = Effect.gen(function* () {
  const { find } = yield* Endpoints
  const drain = yield* Drain
  const identifiers = yield* Identifiers
  const rateFloor = yield* BodyRateFloor
  const rateLimiter = yield* RateLimiter
  const errorsUrl = (yield* PublicUrl).referTo(errorsPath)

  /** The steps of a request whose endpoint is known. */
  const respond = (endpoint: Endpoint, exchange: RequestExchange, parameters: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const services = yield* endpoint.authenticate
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!endpoint.isPublic) yield* admit(rateLimiter, exchange, request, endpoint, parameters)
      const input = yield* endpoint.decode
      const result = yield* Effect.mapInputContext(
        endpoint.handle(input),
        (context: Context.Context<RequestServices>) => Context.merge(context, services)
      )
      return yield* endpoint.encode(result)
    })

  const pipeline: Pipeline = (received) =>
    Effect.flatMap(identifiers.next("req"), (newId) => {
      const found = find(received.url)
      const endpoint = findEndpoint(received, found, drain.isDraining())
      const sharesStatements = Either.isRight(endpoint) && endpoint.right.sharesStatements
      const exchange = beginExchange(received, { errorsUrl, newId, sharesStatements })
      const limited = HttpMethod.hasBody(received.method)
        ? limitJsonBody(received, exchange, rateFloor)
        : Either.right(received)
      const steps = Effect.gen(function* () {
        const served = yield* endpoint
        const request = yield* limited
        return yield* Effect.mapInputContext(
          respond(served, exchange, Object.keys(found?.searchParams ?? {})),
          (outer: Context.Context<never>) => {
            const span = outer.unsafeMap.get(Tracer.ParentSpan.key)
            if (span?._tag === "Span") span.attribute("http.route", found?.path.template)
            return Context.merge(outer, makeContext(request, exchange, found))
          }
        )
      })
      const leave = drain.enter()
      const end = (response: HttpServerResponse.HttpServerResponse) => {
        leave()
        releasePermit(exchange)
        metrics.httpRequests.labeled(`${Math.floor(response.status / 100)}xx`).unsafeUpdate(1, [])
        return addCommonHeaders(response, received, exchange, found)
      }
      return Effect.matchCauseEffect(Effect.interruptible(steps), {
        onFailure: (cause) => {
          if (!Cause.isInterruptedOnly(cause))
            return Effect.map(
              encodeError(
                cause,
                exchange,
                Either.getOrElse(limited, () => received)
              ),
              end
            )
          leave()
          releasePermit(exchange)
          return Effect.failCause(cause as Cause.Cause<never>)
        },
        onSuccess: (response) => Effect.sync(() => end(response))
      })
    })
  return pipeline
})

/** The endpoint of a request, in the order of the contract: 400 for the `Host` header, 404, 405, 503 draining. */
const findEndpoint = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  found: FoundPath | undefined,
  isDraining: boolean
): Either.Either<Endpoint, InvalidRequest | RequestRefused | DrainInProgress> => {
  if (!hasOneHost(headers["host"])) return Either.left(invalidHost)
  if (found === undefined) return Either.left(RequestRefused.routeNotFound)
  const { path } = found
  const endpoint =
    method === "OPTIONS" && path.browserMethods.length > 0 ? preflightOf(path) : path.endpoints.get(method)
  if (endpoint === undefined) return Either.left(makeMethodNotAllowed(allowHeaderOf(path)))
  return isDraining && !endpoint.isPublic ? Either.left(DrainInProgress.error) : Either.right(endpoint)
}

/** Whether the request names one host. Bun joins several `Host` headers with commas, which no host has. */
const hasOneHost = (host: string | undefined): boolean =>
  // Only a request of HTTP/1.0 may have none; Bun refuses others.
  host === undefined || /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)

const invalidHost = InvalidRequest.of([
  { pointer: "/host", code: "invalid", message: "must be one header, with a host name or address and at most a port" }
])

const makeMethodNotAllowed = (allow: string) =>
  new RequestRefused({
    status: 405,
    code: "method_not_allowed",
    message: `this path answers ${allow}`,
    headers: { allow }
  })

/** All services of one request; handlers have captured the others. */
const makeContext = (
  request: HttpServerRequest.HttpServerRequest,
  exchange: RequestExchange,
  found: FoundPath | undefined
): Context.Context<RequestServices> =>
  Context.unsafeMake(
    new Map<string, unknown>([
      [HttpServerRequest.HttpServerRequest.key, request],
      [HttpServerRequest.ParsedSearchParams.key, found?.searchParams ?? {}],
      [
        HttpRouter.RouteContext.key,
        { [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId, params: found?.params ?? {} }
      ],
      [Exchange.key, exchange]
    ])
  )

const noStore = { "cache-control": "no-store" }

const addCommonHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  { headers, url }: HttpServerRequest.HttpServerRequest,
  { id, responseHeaders }: RequestExchange,
  found: FoundPath | undefined
) =>
  HttpServerResponse.setHeaders(response, {
    ...responseHeaders,
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    ...(url.startsWith("/v1") && response.headers["cache-control"] === undefined ? noStore : {}),
    ...(response.status === 503 ? { "retry-after": "1" } : {}),
    ...(found === undefined ? {} : corsHeadersOf(found.path, headers, response.status))
  })
