import { HttpMethod, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect } from "effect"
import { Identifiers } from "../../domain/values/Identifiers.ts"
import { releasePermit } from "../../limits/ConcurrencyLimiter.ts"
import { RateLimiter } from "../../limits/RateLimiter.ts"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import { admit } from "./admit.ts"
import { Drain } from "./Drain.ts"
import { encodeError } from "./encodeError.ts"
import { Endpoints } from "./Endpoints.ts"
import { beginExchange, provideServices, type RequestExchange, servicesOf } from "./Exchange.ts"
import { corsHeadersOf, findEndpoint } from "./findEndpoint.ts"
import { BodyRateFloor, limitJsonBody } from "./limitJsonBody.ts"
import { clientGoneStatus, makeResponseRecorder, traceRequest } from "./observe.ts"

/** Responds to a request. */
export type Pipeline = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Makes the pipeline that every request goes through, from its arrival to its response. */
export const makePipeline = Effect.gen(function* () {
  const { find } = yield* Endpoints
  const drain = yield* Drain
  const identifiers = yield* Identifiers
  const rateFloor = yield* BodyRateFloor
  const rateLimiter = yield* RateLimiter
  const record = yield* makeResponseRecorder
  const publicUrl = yield* PublicUrl
  const errorsUrl = publicUrl.referTo(errorsPath)
  const securityHeaders = publicUrl.isSecure ? { ...commonHeaders, ...overTls } : commonHeaders

  /** The steps of a request, in the order of the contract; each is a file of this folder. */
  const respond = (exchange: RequestExchange): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> =>
    Effect.gen(function* () {
      const endpoint = yield* findEndpoint(exchange, {
        find,
        isDraining: drain.isDraining(),
        publicHost: publicUrl.publicHost
      })
      if (HttpMethod.hasBody(exchange.request.method)) exchange.request = yield* limitJsonBody(exchange, rateFloor)
      yield* provideServices(servicesOf(exchange))
      yield* provideServices(yield* endpoint.authenticate)
      yield* admit(exchange, endpoint, rateLimiter)
      const input = yield* endpoint.decode(exchange)
      return yield* endpoint.encode(yield* endpoint.handle(input))
      // What the steps require is in the context from the third one on.
    }) as Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

  const pipeline: Pipeline = (request) =>
    Effect.flatMap(identifiers.next("req"), (newId) => {
      const exchange = beginExchange(request, { errorsUrl, found: find(request.url), newId })
      const beganAt = performance.now()
      const leave = drain.enter()
      const end = () => {
        leave()
        releasePermit(exchange)
      }
      const send = (response: HttpServerResponse.HttpServerResponse) =>
        Effect.as(record(exchange, response.status, beganAt), addCommonHeaders(response, exchange, securityHeaders))
      const response = Effect.matchCauseEffect(Effect.interruptible(respond(exchange)), {
        onFailure: (cause) => {
          end()
          return Cause.isInterruptedOnly(cause)
            ? Effect.zipRight(
                record(exchange, clientGoneStatus, beganAt),
                Effect.failCause(cause as Cause.Cause<never>)
              )
            : Effect.flatMap(encodeError(cause, exchange), send)
        },
        onSuccess: (response) => {
          end()
          return send(response)
        }
      })
      return traceRequest(exchange, response)
    })
  return pipeline
})

const commonHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
}

/** Requires TLS for a year (RFC 6797); the other hosts of the operator's domain are the operator's decision. */
const overTls = { "strict-transport-security": "max-age=31536000" }

const noStore = { "cache-control": "no-store" }

const addCommonHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  { found, id, request: { headers, url }, responseHeaders }: RequestExchange,
  securityHeaders: Readonly<Record<string, string>>
) =>
  HttpServerResponse.setHeaders(response, {
    ...securityHeaders,
    ...responseHeaders,
    "x-request-id": id,
    ...(url.startsWith("/v1") && response.headers["cache-control"] === undefined ? noStore : {}),
    ...(response.status === 503 ? { "retry-after": "1" } : {}),
    ...(found === undefined ? {} : corsHeadersOf(found.path, headers, response.status))
  })
