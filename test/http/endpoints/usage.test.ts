import { expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { Quotas } from "../../../src/limits/Quotas.ts"
import { unlimitedQuotas } from "../../../src/domain/access/Quota.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { adjustableMonotonicClock } from "../support/adjustableMonotonicClock.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"

const quotas = {
  connections: 3,
  connectionsPerDomain: 2,
  openDiscoveries: 200,
  storageBytes: 1e6,
  idempotencyBytes: 1e6
}
const clock = adjustableMonotonicClock()
const limited = Layer.provide(
  apiInMemory({
    rates: { server: 60, browser: 7 },
    quotas,
    streams: { perConnection: 2, perTenant: 9 }
  }),
  clock.layer
)

withLayer("GET /v1/usage", limited, (live) => {
  live("shows each rate and quota of the tenant, with what is used", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "used"))
      const first = yield* jsonOf(
        yield* post(
          "/v1/connections",
          key,
          { intent: sampleIntent, allowDuplicate: true },
          { "idempotency-key": "first" }
        )
      )
      yield* createConnectionPath(key)
      yield* post(`/v1/connections/${first.connection.id}/cancel`, key, "")
      const { key: other } = yield* issueKey(tenancyOf("app", "other"))
      yield* createConnectionPath(other)
      yield* clock.move("1 second")
      const response = yield* get("/v1/usage", key)
      expect(response.status).toBe(200)
      const { quotas, rates } = yield* jsonOf(response)
      expect(rates).toEqual({
        server: { limit: 60, used: 4, resetsAt: expect.stringMatching(/^\d{4}-.*Z$/) },
        browser: { limit: 7 },
        testEvents: { limit: 120, used: 0, resetsAt: expect.any(String) },
        replays: { limit: 10, used: 0, resetsAt: expect.any(String) }
      })
      const secondsLeft = (Date.parse(rates.server.resetsAt) - Date.now()) / 1_000
      expect(secondsLeft).toBeWithin(0, 61)
      expect(quotas).toEqual({
        connections: { limit: 3, used: 1 },
        connectionsPerDomain: { limit: 2 },
        openDiscoveries: { limit: 200, used: 1 },
        storageBytes: { limit: 1e6, used: expect.any(Number) },
        idempotencyBytes: { limit: 1e6, used: Buffer.byteLength(JSON.stringify(first.connection)) },
        streams: { limit: 9, used: 0 },
        streamsPerConnection: { limit: 2 }
      })
      expect(quotas.storageBytes.used).toBeGreaterThan(quotas.idempotencyBytes.used)
    })
  )

  live("counts the open streams and waiting requests of the tenant", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "streaming"))
      const path = yield* createConnectionPath(key)
      const usedStreams = Effect.map(
        Effect.flatMap(get("/v1/usage", key), jsonOf),
        ({ quotas }): number => quotas.streams.used
      )
      const stream = yield* get(`${path}/stream`, key)
      expect(yield* usedStreams).toBe(1)
      const waiting = yield* Effect.fork(
        post("/v1/connections", key, { intent: { ...sampleIntent, domain: "example.org" } }, { prefer: "wait=1" })
      )
      yield* Effect.repeat(usedStreams, { until: (used) => used === 2 })
      yield* Fiber.join(waiting)
      yield* Effect.promise(() => stream.body?.cancel() ?? Promise.resolve())
      yield* Effect.repeat(usedStreams, { until: (used) => used === 0 })
    })
  )

  live("answers 401 without a valid key", () =>
    Effect.flatMap(get("/v1/usage", "wrong"), (response) =>
      expectError(response, { status: 401, code: "unauthenticated" })
    )
  )

  live("answers 401 to a browser, and 403 to a key without the scope or in a browser", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "scopes"))
      const { key: writer } = yield* issueKey(tenancyOf("app", "scopes"), ["connections:write"])
      const authorization = yield* issueBearer(key, yield* createConnectionPath(key))
      const fromBrowser = yield* send("/v1/usage", { headers: { authorization, origin: shopOrigin } })
      yield* expectError(fromBrowser, { status: 401, code: "unauthenticated" })
      yield* expectError(yield* get("/v1/usage", writer), { status: 403, code: "insufficient_scope" })
      yield* expectError(yield* get("/v1/usage", key, { origin: shopOrigin }), {
        status: 403,
        code: "api_key_in_browser"
      })
    })
  )
})

withLayer("GET /v1/usage without limits", apiInMemory(), (live) => {
  live("shows what is used, and no limits", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* createConnectionPath(key)
      const { quotas, rates } = yield* jsonOf(yield* get("/v1/usage", key))
      expect(rates.browser).toEqual({})
      expect(rates.server).not.toHaveProperty("limit")
      expect(quotas.connections).toEqual({ used: 1 })
      expect(quotas.connectionsPerDomain).toEqual({})
      expect(quotas.streams).toEqual({ used: 0 })
    })
  )
})

withLayer("GET /v1/usage with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answers the second with 429", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      expect((yield* get("/v1/usage", key)).status).toBe(200)
      yield* expectError(yield* get("/v1/usage", key), { status: 429, code: "rate_limited" })
    })
  )
})

const storeUnavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

withLayer(
  "while usage cannot be counted",
  apiWith(
    Layer.provideMerge(
      Quotas.layer({ ...unlimitedQuotas, connections: 3 }),
      overrideService(UsageStore, () => ({ count: () => storeUnavailable }))
    )
  ),
  (live) => {
    live("GET /v1/usage and a creation that needs the count answer 503", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectError(yield* get("/v1/usage", key), { status: 503, code: "unavailable" })
        const creation = yield* post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })
        yield* expectError(creation, { status: 503, code: "unavailable" })
      })
    )
  }
)
