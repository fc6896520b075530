import { HttpMethod, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import { releasePermit } from "../../limits/ConcurrencyLimiter.ts"
import { RateLimiter } from "../../limits/RateLimiter.ts"
import { metrics } from "../../runtime/metrics.ts"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import { admit } from "./admit.ts"
import { Drain } from "./Drain.ts"
import { encodeError } from "./encodeError.ts"
import { Endpoints } from "./Endpoints.ts"
import { beginExchange, inRequest, type RequestExchange } from "./Exchange.ts"
import { corsHeadersOf, findEndpoint } from "./findEndpoint.ts"
import { BodyRateFloor, limitJsonBody } from "./limitJsonBody.ts"

/** Responds to a request. */
export type Pipeline = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Makes what every request goes through, from its arrival to its response. */
export const makePipeline = Effect.gen(function* () {
  const { find } = yield* Endpoints
  const drain = yield* Drain
  const identifiers = yield* Identifiers
  const rateFloor = yield* BodyRateFloor
  const rateLimiter = yield* RateLimiter
  const errorsUrl = (yield* PublicUrl).referTo(errorsPath)

  /** The steps of a request, in the order of the contract; each is a file of this folder. */
  const respond = (exchange: RequestExchange) =>
    Effect.gen(function* () {
      const endpoint = yield* findEndpoint(exchange, drain.isDraining())
      if (HttpMethod.hasBody(exchange.request.method)) exchange.request = yield* limitJsonBody(exchange, rateFloor)
      const services = yield* inRequest(endpoint.authenticate, exchange)
      yield* admit(exchange, endpoint, rateLimiter)
      const input = yield* inRequest(endpoint.decode, exchange)
      const result = yield* inRequest(endpoint.handle(input), exchange, services)
      return yield* endpoint.encode(result)
    })

  const pipeline: Pipeline = (request) =>
    Effect.flatMap(identifiers.next("req"), (newId) => {
      const exchange = beginExchange(request, { errorsUrl, found: find(request.url), newId })
      const leave = drain.enter()
      const end = () => {
        leave()
        releasePermit(exchange)
      }
      return Effect.interruptible(respond(exchange)).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause) ? Effect.interrupt : encodeError(cause, exchange)
        ),
        Effect.map((response) => addCommonHeaders(response, exchange)),
        Effect.tap(({ status }) => metrics.httpRequests.labeled(`${Math.floor(status / 100)}xx`).unsafeUpdate(1, [])),
        Effect.ensuring(Effect.sync(end))
      )
    })
  return pipeline
})

const noStore = { "cache-control": "no-store" }

const addCommonHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  { found, id, request: { headers, url }, responseHeaders }: RequestExchange
) =>
  HttpServerResponse.setHeaders(response, {
    ...responseHeaders,
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    ...(url.startsWith("/v1") && response.headers["cache-control"] === undefined ? noStore : {}),
    ...(response.status === 503 ? { "retry-after": "1" } : {}),
    ...(found === undefined ? {} : corsHeadersOf(found.path, headers, response.status))
  })
