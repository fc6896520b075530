import { type HttpServerResponse, HttpTraceContext } from "@effect/platform"
import { Effect, FiberRef, Option } from "effect"
import type { RequestExchange } from "./Exchange.ts"

/**
 * Gives a request its span, if a tracer is on. The span has the route, and neither the URL nor a header: both may hold
 * a secret, even in the wrong place.
 */
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
