import { HttpServer } from "@effect/platform"
import { describe, expect } from "bun:test"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Option, Scope, TestClock } from "effect"
import { Drain } from "../../../src/http/pipeline/Drain.ts"
import { effect, live } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { get, issueKey, jsonOf, post, sampleIntent, send, serviceUrl } from "../../support/testApi.ts"
import { apiWith } from "../support/apiWith.ts"
import { shopOrigin } from "../support/connectionRequests.ts"
import { pausedService, untilDraining } from "../support/drainingApi.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const create = (key: string, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }, headers)

const draining = { status: 503, code: "draining" }

describe("a service that is shutting down", () => {
  live("completes requests in flight and rejects new ones with the error of the contract", () =>
    Effect.gen(function* () {
      const { started, resume, service, stop } = yield* pausedService
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const inFlight = yield* Effect.fork(create(key))
        yield* Deferred.await(started)
        const stopping = yield* Effect.fork(stop)
        const ready = yield* untilDraining

        expect(yield* jsonOf(ready)).toEqual({ status: "not_ready", notReady: ["draining"] })
        expect((yield* send("/healthz")).status).toBe(200)
        expect((yield* send("/openapi.json")).status).toBe(200)
        const rejected = yield* create(key)
        expect(rejected.headers.get("retry-after")).toBe("1")
        expect(rejected.headers.get("x-content-type-options")).toBe("nosniff")
        expect(rejected.headers.get("cache-control")).toBe("no-store")
        expect(rejected.headers.get("connection")).toBe("close")
        yield* expectError(rejected, draining)
        yield* expectErrorWithoutWrites(get("/v1/connections/con_any", key), draining)
        yield* expectErrorWithoutWrites(
          post("/v1/connections/con_any/access-token", key, { origin: shopOrigin }),
          draining
        )

        yield* resume.open
        const answer = yield* Fiber.join(inFlight)
        expect(answer.status).toBe(201)
        expect((yield* jsonOf(answer)).connection.state).toBe("requested")
        expect((yield* Tables).connections.size).toBe(1)
        yield* Fiber.join(stopping)
      }).pipe(Effect.provide(service))
    })
  )

  live("reports 404 and 405 before its shutdown, and its shutdown before other errors", () =>
    Effect.gen(function* () {
      const { started, resume, service, stop } = yield* pausedService
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const inFlight = yield* Effect.fork(create(key))
        yield* Deferred.await(started)
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

        yield* resume.open
        yield* Effect.all([Fiber.join(inFlight), Fiber.join(stopping)])
      }).pipe(Effect.provide(service))
    })
  )

  live("ends every Prefer wait with the current connection, and then closes its port", () =>
    Effect.gen(function* () {
      const { resume, service, stop } = yield* pausedService
      yield* Effect.gen(function* () {
        yield* resume.open
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

  live("stops at once if no request is in flight", () =>
    Effect.gen(function* () {
      const { service, stop } = yield* pausedService
      expect((yield* Effect.provide(send("/readyz"), service)).status).toBe(200)
      yield* stop
    })
  )

  effect("is not ready for the delay of its drain, and serves all the while", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const settings = { drainDelay: Duration.seconds(15) }
      const service = yield* Layer.buildWithScope(apiWith(Layer.empty, settings), scope)
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const url = yield* serviceUrl
        const stopping = yield* Effect.fork(Scope.close(scope, Exit.void))
        const ready = yield* untilDraining
        expect(yield* jsonOf(ready)).toEqual({ status: "not_ready", notReady: ["draining"] })
        const inDelay = yield* create(key)
        expect([inDelay.status, inDelay.headers.get("connection")]).toEqual([201, null])
        yield* TestClock.adjust("14999 millis")
        expect((yield* create(key)).status).toBe(201)
        expect(yield* stopping.poll).toEqual(Option.none())
        yield* TestClock.adjust("1 millis")
        yield* Fiber.join(stopping)
        expect(yield* Effect.isFailure(Effect.tryPromise(() => fetch(url)))).toBe(true)
      }).pipe(Effect.provide(service))
    })
  )

  effect("waits twenty seconds for a request that does not end, and no longer", () =>
    Effect.gen(function* () {
      const service = Layer.build(Layer.provideMerge(Drain.onShutdown(Duration.zero), Drain.layer))
      const stopping = yield* Effect.fork(
        Effect.scoped(Effect.map(service, (context) => Context.get(context, Drain).enter()))
      )
      yield* TestClock.adjust("19 seconds")
      expect(yield* stopping.poll).toEqual(Option.none())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(stopping)
    })
  )
})
