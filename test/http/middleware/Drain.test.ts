import { HttpServer } from "@effect/platform"
import { describe, expect } from "bun:test"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { live } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { get, issueKey, jsonOf, post, sampleIntent, send } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { shopOrigin } from "../support/connectionFixtures.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

/** A service whose next creation says when it has begun and ends when it is let go. */
const heldService = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const goOn = yield* Effect.makeLatch(false)
  const stores = overrideService(ConnectionStore, ({ create }) => ({
    create: (...all) =>
      Deferred.succeed(begun, undefined).pipe(Effect.zipRight(goOn.await), Effect.zipRight(create(...all)))
  }))
  const scope = yield* Scope.make()
  const service = yield* Layer.buildWithScope(apiWith(stores), scope)
  return { service, begun, goOn, stop: Scope.close(scope, Exit.void) }
})

const create = (key: string, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent: sampleIntent }, headers)

const untilDraining = Effect.repeat(send("/readyz"), { until: ({ status }) => status === 503 })

const draining = { status: 503, code: "draining" }

describe("a service that is told to stop", () => {
  live("finishes what it has begun and turns away what comes, in the words of the contract", () =>
    Effect.gen(function* () {
      const { begun, goOn, service, stop } = yield* heldService
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const inFlight = yield* Effect.fork(create(key))
        yield* Deferred.await(begun)
        const stopping = yield* Effect.fork(stop)
        const ready = yield* untilDraining

        expect(yield* jsonOf(ready)).toEqual({ status: "not_ready", notReady: ["draining"] })
        expect((yield* send("/healthz")).status).toBe(200)
        expect((yield* send("/openapi.json")).status).toBe(200)
        const refused = yield* create(key)
        expect(refused.headers.get("retry-after")).toBe("1")
        expect(refused.headers.get("x-content-type-options")).toBe("nosniff")
        expect(refused.headers.get("cache-control")).toBe("no-store")
        yield* expectError(refused, draining)
        yield* expectErrorWithoutWrites(get("/v1/connections/con_any", key), draining)
        yield* expectErrorWithoutWrites(
          post("/v1/connections/con_any/access-token", key, { origin: shopOrigin }),
          draining
        )

        yield* goOn.open
        const answer = yield* Fiber.join(inFlight)
        expect(answer.status).toBe(201)
        expect((yield* jsonOf(answer)).connection.state).toBe("requested")
        expect((yield* Tables).connections.size).toBe(1)
        yield* Fiber.join(stopping)
      }).pipe(Effect.provide(service))
    })
  )

  live("says 404 and 405 before that it stops, and that it stops before what is wrong with the request", () =>
    Effect.gen(function* () {
      const { begun, goOn, service, stop } = yield* heldService
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const inFlight = yield* Effect.fork(create(key))
        yield* Deferred.await(begun)
        const stopping = yield* Effect.fork(stop)
        yield* untilDraining

        yield* expectErrorWithoutWrites(send("/v1/nothing"), { status: 404, code: "route_not_found" })
        yield* expectErrorWithoutWrites(send("/v1/connections", { method: "PUT" }), {
          status: 405,
          code: "method_not_allowed"
        })
        yield* expectErrorWithoutWrites(create(key, { "content-type": "text/plain" }), draining)
        yield* expectErrorWithoutWrites(create("hello"), draining)
        yield* expectErrorWithoutWrites(post("/v1/connections", key, "{"), draining)

        yield* goOn.open
        yield* Effect.all([Fiber.join(inFlight), Fiber.join(stopping)])
      }).pipe(Effect.provide(service))
    })
  )

  live("ends every wait of Prefer at once with the connection as it is, and then closes its port", () =>
    Effect.gen(function* () {
      const { goOn, service, stop } = yield* heldService
      yield* Effect.gen(function* () {
        yield* goOn.open
        const { key } = yield* issueKey()
        const { connections } = yield* Tables
        const waiting = yield* Effect.fork(
          Effect.all([create(key, { prefer: "wait=30" }), create(key, { prefer: "wait=30" })], { concurrency: 2 })
        )
        yield* Effect.repeat(Effect.sleep("1 millis"), { until: () => connections.size === 2 })
        const stopping = yield* Effect.fork(stop)
        const answers = yield* Fiber.join(waiting)
        const bodies = yield* Effect.forEach(answers, jsonOf)
        expect(answers.map(({ status }) => status)).toEqual([201, 201])
        expect(bodies.map(({ connection }) => connection.state)).toEqual(["requested", "requested"])
        yield* Fiber.join(stopping)
        const url = yield* HttpServer.addressFormattedWith(Effect.succeed)
        expect(yield* Effect.isFailure(Effect.tryPromise(() => fetch(url)))).toBe(true)
      }).pipe(Effect.provide(service))
    })
  )

  live("stops at once when nothing is in flight", () =>
    Effect.gen(function* () {
      const { service, stop } = yield* heldService
      expect((yield* Effect.provide(send("/readyz"), service)).status).toBe(200)
      yield* stop
    })
  )
})
