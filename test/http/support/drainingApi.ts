import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { issueKey, post, sampleIntent, send } from "../../support/testApi.ts"
import { apiWith, overrideService } from "./apiWith.ts"

/** A service whose next creation reports its start and waits until `resume` is open. */
export const pausedService = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const resume = yield* Effect.makeLatch(false)
  const stores = overrideService(ConnectionStore, ({ create }) => ({
    create: (...parameters) =>
      Deferred.succeed(started, undefined).pipe(Effect.zipRight(resume.await), Effect.zipRight(create(...parameters)))
  }))
  const scope = yield* Scope.make()
  const service = yield* Layer.buildWithScope(apiWith(stores), scope)
  return { service, started, resume, stop: Scope.close(scope, Exit.void) }
})

/** Waits until the service has begun to shut down, and returns what `/readyz` then answers. */
export const untilDraining = Effect.repeat(send("/readyz"), { until: ({ status }) => status === 503 })

/** A service that is shutting down for as long as it is tested: a creation is in flight. */
export const drainingApi = Layer.scopedContext(
  Effect.gen(function* () {
    const { resume, service, started, stop } = yield* pausedService
    const { key } = yield* Effect.provide(issueKey(), service)
    const creation = post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })
    const inFlight = yield* Effect.forkScoped(Effect.provide(creation, service))
    yield* Deferred.await(started)
    const stopping = yield* Effect.forkScoped(stop)
    yield* Effect.provide(untilDraining, service)
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(resume.open, Effect.all([Fiber.join(inFlight), Fiber.join(stopping)]))
    )
    return service
  })
)
