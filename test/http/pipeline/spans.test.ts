import { HttpServerRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { beginExchange, enterRequest } from "../../../src/http/pipeline/Exchange.ts"
import { live } from "../../support/effectTest.ts"
import { recordSpans } from "../../support/recordSpans.ts"

live("a request that is traced names its endpoint in its span, and not the path that was sent", () =>
  Effect.gen(function* () {
    const { spans, tracer } = yield* recordSpans
    const template = "/v1/connections/:connectionId"
    const exchange = beginExchange(HttpServerRequest.fromWeb(new Request("http://service/v1/connections/con_1")), {
      errorsUrl: "/docs/errors",
      found: { path: { template, endpoints: new Map(), browserMethods: [] }, params: {}, searchParams: {} },
      newId: "req_1"
    })
    yield* enterRequest(exchange).pipe(
      Effect.withSpan("http.server GET"),
      Effect.withTracer(tracer),
      Effect.withTracerEnabled(true)
    )
    expect(spans.map(({ attributes }) => attributes.get("http.route"))).toEqual([template])
  })
)
