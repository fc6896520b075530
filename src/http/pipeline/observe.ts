import { type HttpServerResponse, HttpTraceContext } from "@effect/platform"
import { Effect, FiberRef, Option } from "effect"
import { makeEventLogger } from "../../runtime/EventLog.ts"
import { metrics } from "../../runtime/metrics.ts"
import type { RequestExchange } from "./Exchange.ts"

/** Counts and logs responses by route, never by URL, which may hold a secret; 499: the client went away before. */
export const makeResponseRecorder = Effect.map(
  makeEventLogger,
  (logEvent) =>
    ({ caller, found, id, request }: RequestExchange, status: number, beganAt: number): Effect.Effect<void> => {
      const seconds = (performance.now() - beganAt) / 1_000
      return Effect.zipRight(
        count(found?.path.template ?? "", request.method, status, seconds),
        logEvent("Request", {
          method: request.method,
          route: found?.path.template,
          status,
          durationMillis: Math.round(seconds * 100_000) / 100,
          requestId: id,
          applicationId: caller?.tenancy?.applicationId,
          tenantId: caller?.tenancy?.tenantId,
          keyId: caller?.keyId
        })
      )
    }
)

const count = (route: string, method: string, status: number, seconds: number): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    const labels = fiber.getFiberRef(FiberRef.currentMetricLabels)
    // A method that nobody serves may be any word.
    const known = route === "" ? "" : method
    metrics.httpRequests.beginWith([route, known], labels)
    metrics.httpRequests.labeled(route, known, `${Math.floor(status / 100)}xx`).unsafeUpdate(1, labels)
    metrics.httpRequestDuration.labeled(route, known).unsafeUpdate(seconds, labels)
    if (status === 401 || status === 429) metrics.httpRefusals.labeled(`${status}`).unsafeUpdate(1, labels)
    return Effect.void
  })

/** The status that the log gives to a request whose client went away. */
export const clientGoneStatus = 499

/** Gives a request its span, with the route but no URL or header: both may hold a secret, even in the wrong place. */
export const traceRequest = (
  { found, id, request: { headers, method } }: RequestExchange,
  response: Effect.Effect<HttpServerResponse.HttpServerResponse>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.withFiberRuntime((fiber) => {
    if (!fiber.getFiberRef(FiberRef.currentTracerEnabled)) return response
    const route = found?.path.template
    const traced = Effect.tap(response, ({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status))
    return Effect.withSpan(traced, route === undefined ? method : `${method} ${route}`, {
      kind: "server",
      captureStackTrace: false,
      ...Option.match(HttpTraceContext.fromHeaders(headers), {
        onNone: () => ({ root: true }),
        onSome: (parent) => ({ parent })
      }),
      attributes: { "http.request.method": method, "http.route": route, "request.id": id }
    })
  })
