import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { DatabaseReadiness } from "../../persistence/postgres/DatabaseReadiness.ts"
import { Drain } from "../middleware/Drain.ts"

/** `/healthz`: the process answers. `/readyz`: it should get requests: it is not draining and its database answers. */
export const HealthRoutes = Layer.mergeAll(
  HttpLayerRouter.add("GET", "/healthz", HttpServerResponse.unsafeJson({ status: "ok" })),
  HttpLayerRouter.use((router) =>
    Effect.gen(function* () {
      const drain = yield* Drain
      const database = yield* DatabaseReadiness
      yield* router.add("GET", "/readyz", Effect.map(Effect.all([drain.isDraining, database.isReady]), readiness))
    })
  )
)

const readiness = ([isDraining, isReady]: readonly [boolean, boolean]) => {
  const notReady = [...(isDraining ? ["draining"] : []), ...(isReady ? [] : ["database"])]
  return notReady.length === 0
    ? HttpServerResponse.unsafeJson({ status: "ready" })
    : HttpServerResponse.unsafeJson({ status: "not_ready", notReady }, { status: 503 })
}
