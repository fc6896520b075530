import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { withLayer } from "../support/effectTest.ts"
import { apiInMemory, get, issueKey, post, sampleIntent, send, tenancyOf } from "../support/testApi.ts"
import { LiveProcesses } from "../../src/persistence/postgres/LiveProcesses.ts"
import { adjustableMonotonicClock } from "../http/support/adjustableMonotonicClock.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../http/support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../http/support/expectError.ts"

const clock = adjustableMonotonicClock()
const apiWithQuota = (server: number, browser = 0) =>
  Layer.provide(apiInMemory({ rates: { server, browser } }), clock.layer)

const remaining = ({ headers }: Response) => headers.get("ratelimit")?.replace(/t=\d+$/, "t=…")

const rateLimited = { status: 429, code: "rate_limited" }

withLayer("a quota of five requests a minute", apiWithQuota(5), (live) => {
  live("is counted down on every response, rejects further requests, and resets", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "burst"))
      const answers = yield* Effect.forEach(Array.from({ length: 5 }), () => get("/v1/connections/x", key))
      expect(answers.map((answer) => [answer.status, remaining(answer)])).toEqual([
        [404, '"default";r=4;t=…'],
        [404, '"default";r=3;t=…'],
        [404, '"default";r=2;t=…'],
        [404, '"default";r=1;t=…'],
        [404, '"default";r=0;t=…']
      ])
      const rejected = yield* get("/v1/connections/x", key)
      expect(rejected.headers.get("ratelimit-policy")).toBe('"default";q=5;w=60')
      expect(remaining(rejected)).toBe('"default";r=0;t=…')
      const seconds = Number(rejected.headers.get("retry-after"))
      expect(rejected.headers.get("ratelimit")).toBe(`"default";r=0;t=${seconds}`)
      expect(seconds).toBeWithin(1, 61)
      yield* expectError(rejected, rateLimited)
      yield* expectErrorWithoutWrites(
        post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }),
        rateLimited
      )
      yield* clock.move(`${seconds} seconds`)
      const next = yield* post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })
      expect([next.status, remaining(next), next.headers.has("retry-after")]).toEqual([201, '"default";r=4;t=…', false])
    })
  )

  live("counts a body as one request for each 32 KiB that it has begun, and as the longest without a length", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "large"))
      const { key: streamed } = yield* issueKey(tenancyOf("app", "streamed"))
      const padding = " ".repeat(70 * 1_024)
      const large = yield* post("/v1/connections", key, `${padding}{}`)
      expect([large.status, remaining(large)]).toEqual([400, '"default";r=2;t=…'])
      const rejected = yield* post("/v1/connections", key, `${padding}{}`)
      expect(remaining(rejected)).toBe('"default";r=0;t=…')
      yield* expectError(rejected, rateLimited)
      const headers = { "x-api-key": streamed, "content-type": "application/json" }
      const body = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(1)
          controller.enqueue(Buffer.from("{}"))
          controller.close()
        }
      })
      yield* expectError(yield* send("/v1/connections", { method: "POST", headers, body }), rateLimited)
    })
  )

  live("allows exactly five of forty requests at once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "parallel"))
      const burst = Array.from({ length: 40 }, () =>
        post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true })
      )
      const answers = yield* Effect.all(burst, { concurrency: "unbounded" })
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
    })
  )

  live("is shared by all keys of a tenant, but not by other tenants and applications", () =>
    Effect.gen(function* () {
      const tenancy = tenancyOf("app", "shared")
      const { key } = yield* issueKey(tenancy)
      const { key: second } = yield* issueKey(tenancy)
      const path = yield* createConnectionPath(key)
      expect(remaining(yield* get(path, second))).toBe('"default";r=3;t=…')
      for (const otherTenancy of [tenancyOf("app", "elsewhere"), tenancyOf("other", "shared")]) {
        const { key: foreign } = yield* issueKey(otherTenancy)
        expect(remaining(yield* get(path, foreign))).toBe('"default";r=4;t=…')
      }
    })
  )

  live(
    "is reported and counted on every response to a server, whatever its status; a key in a browser is no server",
    () =>
      Effect.gen(function* () {
        const tenancy = tenancyOf("app", "all-answers")
        const { key } = yield* issueKey(tenancy)
        const { key: reader } = yield* issueKey(tenancy, ["connections:read"])
        const answers = yield* Effect.all([
          get("/v1/connections/x", key, { origin: shopOrigin }),
          post("/v1/connections", reader, { intent: sampleIntent, allowDuplicate: true }),
          post("/v1/connections", key, "{"),
          post("/v1/connections", key, { intent: { ...sampleIntent, domain: "a..b" } }),
          send("/v1/connections/x", { method: "HEAD", headers: { "x-api-key": key } })
        ])
        expect(answers.map((answer) => [answer.status, remaining(answer)])).toEqual([
          [403, undefined],
          [403, '"default";r=4;t=…'],
          [400, '"default";r=3;t=…'],
          [422, '"default";r=2;t=…'],
          [404, '"default";r=1;t=…']
        ])
      })
  )

  live("does not count requests that end before authentication", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "before"))
      const headers = { "x-api-key": key }
      const answers = yield* Effect.all([
        send("/v1/nothing", { headers }),
        send("/v1/connections", { method: "PUT", headers }),
        send("/v1/connections", { method: "POST", headers: { ...headers, "content-type": "text/plain" }, body: "{}" }),
        get("/v1/connections/x", "hello"),
        send("/healthz", { headers })
      ])
      expect(answers.map((answer) => [answer.status, answer.headers.has("ratelimit")])).toEqual([
        [404, false],
        [405, false],
        [415, false],
        [401, false],
        [200, false]
      ])
      expect(remaining(yield* get("/v1/connections/x", key))).toBe('"default";r=4;t=…')
    })
  )
})

/** A connection with a key and a token, and two requests of the server's quota left. */
const connect = (tenant: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancyOf("app", tenant))
    const path = yield* createConnectionPath(key)
    const authorization = yield* issueBearer(key, path)
    return { key, path, authorization, get: (origin: string) => send(path, { headers: { authorization, origin } }) }
  })

const flood = <E, R>(request: Effect.Effect<Response, E, R>) =>
  Effect.forEach(Array.from({ length: 20 }), () => request, { concurrency: 5 })

withLayer("a quota of five requests of servers and four of browsers", apiWithQuota(5, 4), (live) => {
  live("counts the browsers of each connection by themselves, which get 429 with CORS headers", () =>
    Effect.gen(function* () {
      const one = yield* connect("browsing")
      const answers = yield* Effect.forEach(Array.from({ length: 5 }), () => one.get(shopOrigin))
      expect(answers.map((answer) => [answer.status, remaining(answer)])).toEqual([
        [200, '"browser";r=3;t=…'],
        [200, '"browser";r=2;t=…'],
        [200, '"browser";r=1;t=…'],
        [200, '"browser";r=0;t=…'],
        [429, '"browser";r=0;t=…']
      ])
      expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual(
        answers.map(() => shopOrigin)
      )
      const second = yield* createConnectionPath(one.key)
      const headers = { authorization: yield* issueBearer(one.key, second), origin: shopOrigin }
      expect(remaining(yield* send(second, { headers }))).toBe('"browser";r=3;t=…')
    })
  )

  live("a flood of a browser leaves the quota of the servers as it is", () =>
    Effect.gen(function* () {
      const { get: getFrom, key, path } = yield* connect("flooded")
      yield* flood(getFrom(shopOrigin))
      expect(remaining(yield* get(path, key))).toBe('"default";r=2;t=…')
    })
  )

  live("a flood from a foreign origin leaves both quotas as they are", () =>
    Effect.gen(function* () {
      const { get: getFrom, key, path } = yield* connect("foreign")
      const answers = yield* flood(getFrom("https://other.example"))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]))
      expect(remaining(yield* getFrom(shopOrigin))).toBe('"browser";r=3;t=…')
      expect(remaining(yield* get(path, key))).toBe('"default";r=2;t=…')
    })
  )
})

const processes = { count: 3 }

withLayer(
  "a quota of seven requests, divided among processes",
  Layer.provide(
    apiWithQuota(7),
    Layer.succeed(LiveProcesses, { id: "one", count: () => processes.count, allLook: () => true })
  ),
  (live) => {
    live("is each process's share, as the headers say, and follows their number", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey(tenancyOf("app", "share"))
        const answers = yield* Effect.forEach(Array.from({ length: 3 }), () => get("/v1/connections/x", key))
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 429])
        expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"default";q=2;w=60')
        processes.count = 1
        expect(remaining(yield* get("/v1/connections/x", key))).toBe('"default";r=3;t=…')
        processes.count = 100
        const { key: other } = yield* issueKey(tenancyOf("app", "smallest-share"))
        expect((yield* get("/v1/connections/x", other)).headers.get("ratelimit-policy")).toBe('"default";q=1;w=60')
      })
    )
  }
)

withLayer("a quota of 0", apiWithQuota(0), (live) => {
  live("sets no limit and no headers", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const answers = yield* Effect.all(
        Array.from({ length: 30 }, () => get("/v1/connections/x", key)),
        { concurrency: 10 }
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
      expect(answers.some(({ headers }) => headers.has("ratelimit") || headers.has("ratelimit-policy"))).toBe(false)
    })
  )
})
