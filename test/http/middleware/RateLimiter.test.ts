import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, post, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const clock = adjustableClock()
const apiWithQuota = (rateLimitPerMinute: number) => Layer.provide(apiInMemory({ rateLimitPerMinute }), clock.layer)

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
      yield* expectErrorWithoutWrites(post("/v1/connections", key, { intent: sampleIntent }), rateLimited)
      yield* clock.move(`${seconds} seconds`)
      const next = yield* post("/v1/connections", key, { intent: sampleIntent })
      expect([next.status, remaining(next), next.headers.has("retry-after")]).toEqual([201, '"default";r=4;t=…', false])
    })
  )

  live("allows exactly five of forty requests at once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "parallel"))
      const burst = Array.from({ length: 40 }, () => post("/v1/connections", key, { intent: sampleIntent }))
      const answers = yield* Effect.all(burst, { concurrency: "unbounded" })
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
    })
  )

  live("is shared by all keys and tokens of a tenant, but not by other tenants and applications", () =>
    Effect.gen(function* () {
      const tenancy = tenancyOf("app", "shared")
      const { key } = yield* issueKey(tenancy)
      const { key: second } = yield* issueKey(tenancy)
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      const browser = yield* send(path, { headers: { authorization, origin: shopOrigin } })
      expect([browser.status, remaining(browser)]).toEqual([200, '"default";r=2;t=…'])
      expect(remaining(yield* get(path, second))).toBe('"default";r=1;t=…')
      for (const otherTenancy of [tenancyOf("app", "elsewhere"), tenancyOf("other", "shared")]) {
        const { key: foreign } = yield* issueKey(otherTenancy)
        expect(remaining(yield* get(path, foreign))).toBe('"default";r=4;t=…')
      }
    })
  )

  live("also counts requests from browsers, which get 429 with CORS headers", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "browsing"))
      const path = yield* createConnectionPath(key)
      const headers = { authorization: yield* issueBearer(key, path), origin: shopOrigin }
      const answers = yield* Effect.forEach(Array.from({ length: 4 }), () => send(path, { headers }))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
      expect(answers.map((answer) => answer.headers.get("access-control-allow-origin"))).toEqual([
        shopOrigin,
        shopOrigin,
        shopOrigin,
        shopOrigin
      ])
    })
  )

  live("is reported and counted on every response to a known key, whatever its status", () =>
    Effect.gen(function* () {
      const tenancy = tenancyOf("app", "all-answers")
      const { key } = yield* issueKey(tenancy)
      const { key: reader } = yield* issueKey(tenancy, ["connections:read"])
      const answers = yield* Effect.all([
        get("/v1/connections/x", key, { origin: shopOrigin }),
        post("/v1/connections", reader, { intent: sampleIntent }),
        post("/v1/connections", key, "{"),
        post("/v1/connections", key, { intent: { ...sampleIntent, domain: "a..b" } }),
        send("/v1/connections/x", { method: "HEAD", headers: { "x-api-key": key } })
      ])
      expect(answers.map((answer) => [answer.status, remaining(answer)])).toEqual([
        [403, '"default";r=4;t=…'],
        [403, '"default";r=3;t=…'],
        [400, '"default";r=2;t=…'],
        [422, '"default";r=1;t=…'],
        [404, '"default";r=0;t=…']
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
