import { expect } from "bun:test"
import { Array, Effect, Fiber, FiberRef, Layer, Option } from "effect"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { ConcurrencyLimiter, type PermitHolder, releasePermit } from "../../src/limits/ConcurrencyLimiter.ts"
import { browserSource, type RequestSource, serverSource, unknownSource } from "../../src/limits/RequestSource.ts"
import { DomainChecks } from "../../src/lifecycle/plan/DomainChecks.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { ZoneSurveyFailed } from "../../src/lifecycle/plan/ZoneSurvey.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { withLayer } from "../support/effectTest.ts"
import { timeByTurns } from "../support/timeByTurns.ts"
import {
  apiServicesLayer,
  get,
  issueKey,
  httpOnFreePort,
  post,
  sampleIntent,
  send,
  serviceUrl,
  storesInMemory,
  tenancyOf
} from "../support/testApi.ts"
import { apiWith, overrideService } from "../http/support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../http/support/connectionRequests.ts"

/** The connections to the database, which are given out first come, first served. */
const pool = Effect.unsafeMakeSemaphore(10)

/** Reads of the tenant `busy` hold a connection until this latch is open. */
const reads = Effect.unsafeMakeLatch(true)

const started = { count: 0 }

const blockingStore = overrideService(ApiKeyStore, ({ find }) => ({
  find: (...key) =>
    pool.withPermits(1)(
      Effect.tap(find(...key), (found) => {
        if (!Option.exists(found, ({ tenancy }) => tenancy.tenantId === "busy")) return Effect.void
        started.count += 1
        return reads.await
      })
    )
}))

/** Surveys of a zone last until this latch is open. */
const survey = Effect.unsafeMakeLatch(false)

const failedSurvey = new ZoneSurveyFailed({ code: "discovery_timeout", provider: Option.none() })

const silentDns = Layer.merge(
  Layer.mock(DomainChecks, {
    findHolding: () => Effect.succeed("nobody"),
    preview: () => Effect.zipRight(survey.await, failedSurvey)
  }),
  Providers.layer([])
)

const apiWithSilentDns = httpOnFreePort().pipe(
  Layer.provideMerge(apiServicesLayer),
  Layer.provide(silentDns),
  Layer.provideMerge(storesInMemory)
)

const blockedReads = Effect.acquireRelease(reads.close, () => reads.open)

const promptly = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.timeout(request, "10 seconds")

const inParallel = <A, E, R>(count: number, request: Effect.Effect<A, E, R>) =>
  Effect.fork(Effect.replicateEffect(request, count, { concurrency: "unbounded" }))

const rates = { rates: { refused: 60 } }

withLayer("while the reads of one tenant take forever", apiWith(blockingStore, rates), (live) => {
  live("a request of another tenant is answered, and those of the first one when they can be", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const { key: busy } = yield* issueKey(tenancyOf("app", "busy"))
      const { key } = yield* issueKey(tenancyOf("app", "calm"))
      const path = yield* createConnectionPath(busy)
      const other = yield* createConnectionPath(key)
      yield* blockedReads
      const burst = yield* inParallel(200, get(`${path}/records`, busy))
      yield* Effect.sleep("100 millis")
      expect((yield* promptly(get(`${other}/records`, key))).status).toBe(200)
      yield* reads.open
      expect((yield* burst).map(({ status }) => status)).toEqual(Array.replicate(200, 200))
    })
  )

  live("a key is answered that the process does not know yet", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const { key: busy } = yield* issueKey(tenancyOf("app", "busy"))
      const { key } = yield* issueKey(tenancyOf("app", "new"))
      expect((yield* get("/v1/connections", busy)).status).toBe(200)
      yield* blockedReads
      const burst = yield* inParallel(100, get("/v1/connections", busy))
      yield* Effect.sleep("100 millis")
      expect((yield* promptly(get("/v1/connections", key))).status).toBe(200)
      yield* reads.open
      yield* burst
    })
  )

  live("a client that goes away leaves its turn to the next", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const { key: busy } = yield* issueKey(tenancyOf("app", "busy"))
      expect((yield* get("/v1/connections", busy)).status).toBe(200)
      yield* blockedReads
      const url = yield* serviceUrl
      const goesAway = Effect.ignore(
        Effect.tryPromise((signal) => fetch(`${url}/v1/connections`, { headers: { "x-api-key": busy }, signal })).pipe(
          Effect.timeout("200 millis")
        )
      )
      const before = started.count
      const inWork = yield* inParallel(6, get("/v1/connections", busy))
      yield* Effect.repeat(Effect.sleep("1 millis"), { until: () => started.count - before === 6 })
      yield* Fiber.join(yield* inParallel(50, goesAway))
      yield* Effect.sleep("100 millis")
      yield* reads.open
      expect((yield* promptly(get("/v1/connections", busy))).status).toBe(200)
      yield* inWork
      expect(started.count - before).toBe(7)
    })
  )
})

withLayer("requests that wait for something else than the database", apiWithSilentDns, (live) => {
  live("do not keep the other requests of their tenant waiting", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      const creations = yield* inParallel(
        15,
        post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }, { prefer: "wait=3" })
      )
      const checks = yield* inParallel(15, post("/v1/domains/check", key, { domain: "example.com" }))
      const streams = yield* inParallel(15, send(`${path}/stream`, { headers: { authorization, origin: shopOrigin } }))
      expect((yield* streams).map(({ status }) => status)).toEqual(Array.replicate(200, 15))
      yield* Effect.sleep("200 millis")
      expect((yield* promptly(get(path, key))).status).toBe(200)
      expect([yield* Fiber.poll(creations), yield* Fiber.poll(checks)]).toEqual([Option.none(), Option.none()])
      yield* survey.open
      expect(new Set((yield* checks).map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set((yield* creations).map(({ status }) => status))).toEqual(new Set([201]))
    })
  )
})

/** A client that begins a body and never ends it. */
const sendSlowBody = (url: string, key: string) =>
  Effect.ignore(
    Effect.tryPromise((signal) => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) })
      const headers = { "x-api-key": key, "content-type": "application/json" }
      return fetch(`${url}/v1/connections`, { method: "POST", headers, body, signal })
    })
  )

withLayer("clients whose bodies never end", apiWith(Layer.empty, rates), (live) => {
  live("do not keep the other requests of their tenant waiting", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const url = yield* serviceUrl
      const slow = yield* inParallel(15, sendSlowBody(url, key))
      yield* Effect.sleep("200 millis")
      expect((yield* promptly(get(path, key))).status).toBe(200)
      expect(
        (yield* promptly(post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }))).status
      ).toBe(201)
      yield* Fiber.interrupt(slow)
    })
  )
})

const request = (sharesStatements = false): PermitHolder => ({ sharesStatements })

/** Lets so many requests of a source ask for permits, which none of them gives back. */
const askForPermits = (source: RequestSource, count: number) =>
  Effect.gen(function* () {
    const limiter = yield* ConcurrencyLimiter
    yield* Effect.replicateEffect(Effect.fork(Effect.suspend(() => limiter.acquire(request(), source))), count)
    yield* Effect.yieldNow()
  })

const acquireFor = (source: RequestSource) =>
  Effect.flatMap(ConcurrencyLimiter, (limiter) => promptly(limiter.acquire(request(), source)))

/** The scheduling priority of a request that has its permit. */
const priorityOf = (source: RequestSource) =>
  Effect.locally(
    Effect.zipRight(acquireFor(source), FiberRef.get(FiberRef.currentSchedulingPriority)),
    FiberRef.currentSchedulingPriority,
    0
  )

const busyServers = serverSource(tenancyOf("app", "busy"))
const busyBrowsers = (connection: string) => browserSource(tenancyOf("app", "busy"), ConnectionId.make(connection))

withLayer("a tenant with a thousand requests in its queue", ConcurrencyLimiter.layer, (live) => {
  live("gets 429 for the next one, and other tenants do not", () =>
    Effect.gen(function* () {
      yield* askForPermits(busyServers, 1_006)
      const refused = yield* Effect.flip(acquireFor(busyServers))
      expect(refused).toMatchObject({ _tag: "RateLimited", code: "rate_limited" })
      yield* acquireFor(serverSource(tenancyOf("app", "calm")))
    })
  )
})

withLayer("the browsers of a connection with a hundred requests in their queue", ConcurrencyLimiter.layer, (live) => {
  live("get 429 for the next one; other connections and the servers of the tenant get their turns", () =>
    Effect.gen(function* () {
      yield* askForPermits(busyBrowsers("con_a"), 102)
      const refused = yield* Effect.flip(acquireFor(busyBrowsers("con_a")))
      expect(refused).toMatchObject({ _tag: "RateLimited", message: expect.stringContaining("browsers") })
      yield* acquireFor(busyBrowsers("con_b"))
      yield* askForPermits(busyBrowsers("con_c"), 100)
      yield* acquireFor(busyServers)
      yield* acquireFor(busyServers)
    })
  )
})

withLayer("an address with a thousand unknown credentials in its queue", ConcurrencyLimiter.layer, (live) => {
  live("gets 429 for the next one; those of another address are checked, and tenants get their turns", () =>
    Effect.gen(function* () {
      yield* askForPermits(unknownSource("192.0.2.1"), 1_004)
      const refused = yield* Effect.flip(acquireFor(unknownSource("192.0.2.1")))
      expect(refused).toMatchObject({ _tag: "RateLimited", code: "rate_limited" })
      expect(refused.message).toStartWith("1,000 requests with unknown credentials of this address wait")
      yield* acquireFor(unknownSource("192.0.2.2"))
      yield* acquireFor(busyServers)
    })
  )
})

withLayer("unknown credentials of thousands of addresses", ConcurrencyLimiter.layer, (live) => {
  live("wait in one queue that is bounded, and shared by the addresses", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const limiter = yield* ConcurrencyLimiter
      const outcomes: Array<string> = []
      const messages = new Set<string>()
      const ask = (address: string) =>
        Effect.suspend(() => limiter.acquire(request(), unknownSource(address))).pipe(
          Effect.matchEffect({
            onFailure: ({ code, message }) =>
              Effect.sync(() => {
                outcomes.push(`${address} ${code}`)
                messages.add(message)
              }),
            onSuccess: () => Effect.void
          }),
          Effect.fork
        )
      yield* Effect.replicateEffect(ask("greedy"), 1_004)
      yield* Effect.forEach(Array.range(1, 1_002), (nth) => ask(`single-${nth}`))
      yield* Effect.sleep("50 millis")
      expect(outcomes).toEqual([])
      yield* ask("newcomer")
      yield* Effect.sleep("50 millis")
      expect(outcomes).toEqual(["greedy rate_limited"])
      yield* Effect.forEach(Array.range(1, 50_000), (nth) => ask(`flood-${nth}`))
      yield* Effect.sleep("50 millis")
      expect(outcomes.filter((outcome) => outcome.startsWith("greedy"))).toHaveLength(999)
      expect(outcomes).toHaveLength(50_000 + 1)
      expect([...messages]).toEqual([
        "2,000 requests with unknown credentials of all addresses wait for their turn already; try again, with fewer requests at once"
      ])
    })
  )
})

withLayer("a request that had to wait", ConcurrencyLimiter.layer, (live) => {
  live("gives its permits to the next ones, of whatever source", () =>
    Effect.gen(function* () {
      const limiter = yield* ConcurrencyLimiter
      const held = Array.makeBy(6, () => request())
      yield* Effect.forEach(held, (each) => limiter.acquire(each, busyServers))
      const browser = yield* Effect.fork(acquireFor(busyBrowsers("con_a")))
      const server = yield* Effect.fork(acquireFor(busyServers))
      yield* Effect.yieldNow()
      expect([yield* Fiber.poll(browser), yield* Fiber.poll(server)]).toEqual([Option.none(), Option.none()])
      held.slice(0, 2).forEach(releasePermit)
      yield* Fiber.join(browser)
      yield* Fiber.join(server)
    })
  )
})

withLayer("a tenant with running requests", ConcurrencyLimiter.layer, (live) => {
  live("has its next one run after those of other tenants", () =>
    Effect.gen(function* () {
      const busy = yield* Effect.replicateEffect(priorityOf(busyServers), 3)
      expect(busy).toEqual([1, 2, 3])
      expect(yield* priorityOf(serverSource(tenancyOf("app", "calm")))).toBe(1)
    })
  )
})

withLayer("requests that share their statements", ConcurrencyLimiter.layer, (live) => {
  live("have permits of their own, of which a tenant gets half, and the next one half of the rest", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      const limiter = yield* ConcurrencyLimiter
      const counts: Array<number> = []
      for (const tenant of ["one", "two", "three"]) {
        const source = serverSource(tenancyOf("app", tenant))
        let granted = 0
        const ask = Effect.suspend(() => limiter.acquire(request(true), source)).pipe(Effect.tap(() => (granted += 1)))
        yield* Effect.replicateEffect(Effect.fork(ask), 40)
        yield* Effect.sleep("50 millis")
        counts.push(granted)
      }
      expect(counts).toEqual([32, 16, 8])
      yield* acquireFor(serverSource(tenancyOf("app", "one")))
    })
  )
})
