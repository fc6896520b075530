import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { beginExchange } from "../../../src/http/pipeline/Exchange.ts"
import { traceRequest } from "../../../src/http/pipeline/observe.ts"
import { live } from "../../support/effectTest.ts"
import { recordSpans } from "../../support/recordSpans.ts"

live("the span of a request has its route and its status, and neither its URL nor a header of it", () =>
  Effect.gen(function* () {
    const { spans, tracer } = yield* recordSpans
    const template = "/v1/connections/:connectionId"
    const headers = { "x-admin-key": "secret", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }
    const request = new Request("http://service/v1/connections/secret?token=secret", { headers })
    const exchange = beginExchange(HttpServerRequest.fromWeb(request), {
      errorsUrl: "/docs/errors",
      found: { path: { template, endpoints: new Map(), browserMethods: [] }, params: {}, searchParams: {} },
      newId: "req_1"
    })
    const { status } = yield* traceRequest(exchange, Effect.succeed(HttpServerResponse.empty({ status: 204 }))).pipe(
      Effect.withTracer(tracer),
      Effect.withTracerEnabled(true)
    )
    expect(status).toBe(204)
    expect(spans.map(({ attributes, name, traceId }) => [name, traceId, Object.fromEntries(attributes)])).toEqual([
      [
        `GET ${template}`,
        "a".repeat(32),
        {
          "http.request.method": "GET",
          "http.route": template,
          "http.response.status_code": 204,
          "request.id": "req_1"
        }
      ]
    ])
  })
)
