import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Metric } from "effect"
import { DatabaseReadiness } from "../../persistence/postgres/DatabaseReadiness.ts"
import { Drain } from "../middleware/Drain.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"
import { prometheusText } from "../../metrics/prometheusText.ts"

/**
 * Routes for monitoring, which require no key. `/healthz`: the process answers. `/readyz`: the service can take requests, since
 * it is not draining and its database answers. `/metrics`: the metrics of this process for Prometheus, without a query.
 */
export const MonitoringRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const drain = yield* Drain
    const database = yield* DatabaseReadiness
    yield* addPublicRoute("/healthz", HttpServerResponse.unsafeJson({ status: "ok" }))
    yield* addPublicRoute(
      "/readyz",
      Effect.map(Effect.all([drain.isDraining, database.isReady]), ([isDraining, isDatabaseReady]) =>
        readinessResponse([...(isDraining ? ["draining"] : []), ...(isDatabaseReady ? [] : ["database"])])
      )
    )
    yield* addPublicRoute(
      "/metrics",
      Effect.map(Metric.snapshot, (pairs) =>
        HttpServerResponse.text(prometheusText(pairs), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
    )
  })
)

const readinessResponse = (notReady: ReadonlyArray<string>) =>
  notReady.length === 0
    ? HttpServerResponse.unsafeJson({ status: "ready" })
    : HttpServerResponse.unsafeJson({ status: "not_ready", notReady }, { status: 503 })
