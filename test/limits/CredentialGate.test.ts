import { expect } from "bun:test"
import { Array, Effect, Fiber, Layer, Option } from "effect"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { withLayer } from "../support/effectTest.ts"
import { timeByTurns } from "../support/timeByTurns.ts"
import {
  get,
  issueKey,
  post,
  sampleIntent,
  send,
  serviceUrl,
  tenancyOf,
  type TestApiSettings
} from "../support/testApi.ts"
import { adjustableMonotonicClock } from "../http/support/adjustableMonotonicClock.ts"
import { apiWith, overrideService } from "../http/support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../http/support/connectionRequests.ts"
import { expectError } from "../http/support/expectError.ts"
import { sendRaw } from "../http/support/sendRaw.ts"

const lookUps = { count: 0, latch: Effect.unsafeMakeLatch(true) }

const counted = <A, E, R>(lookUp: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    lookUps.count += 1
    return Effect.zipRight(lookUps.latch.await, lookUp)
  })

/** Lets look-ups wait for their latch, until the test ends. */
const heldLookUps = Effect.acquireRelease(lookUps.latch.close, () => lookUps.latch.open)

/** Waits until so many look-ups have begun. */
const awaitLookUps = (count: number) => Effect.repeat(Effect.sleep("1 millis"), { until: () => lookUps.count >= count })

const lookUpsDuring = <A, E, R>(requests: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = lookUps.count
    yield* requests
    return lookUps.count - before
  })

const trustedProxies = Option.toArray(parseNetwork("127.0.0.1"))
const rates = { server: 1_000, refused: 20 }

const countedStores = Layer.mergeAll(
  overrideService(ApiKeyStore, ({ find }) => ({ find: (...key) => counted(find(...key)) })),
  overrideService(BrowserTokenStore, ({ find, redeemCode }) => ({
    find: (hash) => counted(find(hash)),
    redeemCode: (...code) => counted(redeemCode(...code))
  }))
)

const clock = adjustableMonotonicClock()
const api = (settings: TestApiSettings = {}) =>
  Layer.provide(apiWith(countedStores, { ...settings, rates: { ...rates, ...settings.rates } }), clock.layer)

/** A well-formed key that nobody has: it takes a look-up to know. */
const unknownKey = Effect.gen(function* () {
  const { key, id } = yield* issueKey(tenancyOf("app", "revoked"))
  const keys = yield* ApiKeys
  yield* Effect.orDie(keys.revoke(id))
  return key
})

const times = <A, E, R>(count: number, request: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.range(1, count), () => request)

/** Of thirty requests at once, more than may wait above the limit, at least one gets 429. The others then go away. */
const expectLimitReached = (path: string, headers: Record<string, string>) =>
  Effect.gen(function* () {
    const url = yield* serviceUrl
    const untilRefused = Effect.tryPromise((signal) => fetch(`${url}${path}`, { headers, signal })).pipe(
      Effect.filterOrFail(({ status }) => status === 429)
    )
    yield* Effect.orDie(Effect.raceAll(Array.replicate(untilRefused, 30)))
  })

/** Uses up the limit of an address, and the queue of those above it. */
const exhaustAddress = Effect.gen(function* () {
  const key = yield* unknownKey
  yield* Effect.replicateEffect(get("/v1/connections/x", key), 20)
  yield* expectLimitReached("/v1/connections/x", { "x-api-key": key })
})

const unknownToken = { authorization: `Bearer dct_${"A".repeat(43)}`, origin: shopOrigin }

const redeem = (code: string) =>
  Effect.flatMap(serviceUrl, (url) =>
    send("/v1/share-links/redeem", {
      method: "POST",
      headers: { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" },
      body: JSON.stringify({ code })
    })
  )

const redeemUnknown = redeem(`dcs_${"A".repeat(43)}`)

/** Requests with credentials that have not the form of one. */
const nonsense = (nth: number) =>
  Effect.all([
    get("/v1/connections", `nonsense${nth}`),
    get("/v1/connections", `dck_live_${"A".repeat(49)}`),
    send("/v1/connections/x", { headers: { authorization: `Bearer nonsense${nth}`, origin: shopOrigin } }),
    redeem(`nonsense${nth}`)
  ])

withLayer("a limit of 20 refused credentials a minute of one address", api(), (live) => {
  live(
    "accepts the first use of a key during a flood of malformed keys, which need no look-up and have a limit of their own",
    () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey(tenancyOf("app", "beside-nonsense"))
        const answers: Array<Response> = []
        const flood = Effect.forEach(Array.range(1, 101), (nth) =>
          Effect.map(nonsense(nth), (four) => answers.push(...four))
        )
        expect(yield* lookUpsDuring(flood)).toBe(0)
        const statuses = answers.map(({ status }) => status)
        expect(statuses).toEqual([...Array.replicate(401, 400), ...Array.replicate(429, 4)])
        expect(answers.at(-1)?.headers.get("retry-after")).toBe("60")
        expect((yield* get("/v1/connections", key)).status).toBe(200)
        yield* clock.move("60 seconds")
      })
  )

  live("checks twenty more of a flood of unknown keys, tokens and codes, at a pace, and answers 429 to the rest", () =>
    Effect.gen(function* () {
      const key = yield* unknownKey
      const { key: unseen } = yield* issueKey(tenancyOf("app", "beside-unknown"))
      const first = yield* times(20, get("/v1/connections/x", key))
      expect(first.map(({ status }) => status)).toEqual(Array.replicate(401, 20))
      const answers: Array<Response> = []
      const flood = Effect.forEach(
        Array.range(1, 50).flatMap(() => [
          get("/v1/connections/x", key),
          send("/v1/connections/x", { headers: unknownToken }),
          redeemUnknown
        ]),
        Effect.map((answer) => answers.push(answer)),
        { concurrency: "unbounded" }
      )
      expect(yield* lookUpsDuring(flood)).toBe(20)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
      const refused = yield* get("/v1/connections/x", unseen)
      expect(refused.headers.get("retry-after")).toBe("4")
      expect(yield* expectError(refused, { status: 429, code: "rate_limited" })).toContain("this address")
      yield* expectError(yield* redeemUnknown, { status: 429, code: "rate_limited" })
      yield* clock.move("4 seconds")
      expect((yield* get("/v1/connections", unseen)).status).toBe(200)
      yield* clock.move("60 seconds")
      expect((yield* get("/v1/connections/x", key)).status).toBe(401)
      yield* clock.move("60 seconds")
    })
  )

  live("answers a redeemer above it, or from elsewhere, without reading the body", () =>
    Effect.gen(function* () {
      const { origin } = new URL(yield* serviceUrl)
      const redeemUnfinished = (site: string) =>
        sendRaw({
          line: "POST /v1/share-links/redeem HTTP/1.1",
          headers: [
            `Origin: ${origin}`,
            `Sec-Fetch-Site: ${site}`,
            "Content-Type: application/json",
            "Content-Length: 100"
          ],
          body: ["{"]
        })
      yield* expectError(yield* redeemUnfinished("cross-site"), { status: 403, code: "origin_not_allowed" })
      yield* exhaustAddress
      yield* expectError(yield* redeemUnfinished("same-origin"), { status: 429, code: "rate_limited" })
      yield* clock.move("60 seconds")
    })
  )

  live("lets those pass whose credential was valid lately, or was just issued, and nobody else", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "behind-nat"))
      const { key: unseen } = yield* issueKey(tenancyOf("app", "behind-nat"))
      const path = yield* createConnectionPath(key)
      yield* exhaustAddress
      expect((yield* get(path, key)).status).toBe(200)
      expect((yield* get(path, unseen)).status).toBe(429)
      const authorization = yield* issueBearer(key, path)
      const fromShop = send(path, { headers: { authorization, origin: shopOrigin } })
      expect((yield* fromShop).status).toBe(200)
      const elsewhere = { authorization, origin: "https://other.example" }
      const fromElsewhere = yield* times(10, send(path, { headers: elsewhere }))
      expect(fromElsewhere.map(({ status }) => status)).toEqual(Array.replicate(429, 10))
      expect((yield* fromShop).status).toBe(200)
      yield* clock.move("60 seconds")
    })
  )

  live("forgets a credential that is refused", () =>
    Effect.gen(function* () {
      const { id, key } = yield* issueKey(tenancyOf("app", "forgotten"))
      yield* get("/v1/connections", key)
      yield* exhaustAddress
      yield* Effect.orDie(Effect.flatMap(ApiKeys, ({ revoke }) => revoke(id)))
      const answers = yield* times(3, get("/v1/connections", key))
      expect(answers.map(({ status }) => status)).toEqual([401, 429, 429])
      yield* clock.move("60 seconds")
    })
  )

  live("a thousand unknown keys in one moment take no more look-ups than may be refused and may wait", () =>
    Effect.gen(function* () {
      const key = yield* unknownKey
      yield* heldLookUps
      const begun = lookUps.count
      const answers: Array<Response> = []
      const burst = Effect.forEach(
        Array.range(1, 1_000),
        () => Effect.map(get("/v1/connections/x", key), (answer) => answers.push(answer)),
        { concurrency: "unbounded" }
      )
      // The first that have a permit are looked up at the same time.
      const opened = Effect.zipRight(awaitLookUps(begun + 2), lookUps.latch.open)
      expect(yield* lookUpsDuring(Effect.all([burst, opened], { concurrency: "unbounded" }))).toBe(40)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(40)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(960)
      yield* clock.move("60 seconds")
    })
  )

  live("fifty servers behind one address that start in one moment with good keys are all served", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.replicateEffect(issueKey(tenancyOf("app", "fleet")), 50)
      yield* heldLookUps
      const begun = lookUps.count
      const fleet = Effect.forEach(keys, ({ key }) => get("/v1/connections", key), { concurrency: "unbounded" })
      const opened = Effect.zipRight(awaitLookUps(begun + 2), lookUps.latch.open)
      const [answers] = yield* Effect.all([fleet, opened], { concurrency: "unbounded" })
      expect(answers.map(({ status }) => status)).toEqual(Array.replicate(200, 50))
    })
  )

  live("a key that is found valid spares the requests that wait with it their places", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "shared"))
      yield* times(19, get("/v1/connections", yield* unknownKey))
      yield* heldLookUps
      const begun = lookUps.count
      const requests = yield* Effect.fork(
        Effect.replicateEffect(get("/v1/connections", key), 30, { concurrency: "unbounded" })
      )
      yield* awaitLookUps(begun + 1)
      yield* lookUps.latch.release
      // The place is that of one look-up, and yet two more begin before any of the rest has ended.
      yield* awaitLookUps(begun + 3)
      yield* lookUps.latch.open
      const answers = yield* Fiber.join(requests)
      expect(answers.map(({ status }) => status)).toEqual(Array.replicate(200, 30))
      yield* clock.move("60 seconds")
    })
  )

  live("a key is counted even if its client goes away while it is checked", () =>
    Effect.gen(function* () {
      const key = yield* unknownKey
      yield* timeByTurns
      yield* heldLookUps
      const url = yield* serviceUrl
      const request = Effect.tryPromise((signal) =>
        fetch(`${url}/v1/connections/x`, { headers: { "x-api-key": key }, signal })
      )
      // As many at once as an address has permits for.
      const leave = Effect.gen(function* () {
        const begun = lookUps.count
        const leaving = yield* Effect.fork(Effect.replicateEffect(request, 4, { concurrency: "unbounded" }))
        yield* awaitLookUps(begun + 4)
        yield* Fiber.interrupt(leaving)
        yield* Effect.sleep("50 millis")
        yield* lookUps.latch.release
      })
      yield* Effect.replicateEffect(leave, 5)
      yield* lookUps.latch.open
      yield* expectLimitReached("/v1/connections/x", { "x-api-key": key })
      yield* clock.move("60 seconds")
    })
  )

  live("counts foreign origins and keys in browsers, and no other error", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "origins"))
      const { key: reader } = yield* issueKey(tenancyOf("app", "origins"), ["connections:read"])
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      yield* times(30, get("/v1/connections/x", key))
      yield* times(30, post("/v1/connections", reader, { intent: sampleIntent, allowDuplicate: true }))
      const foreign = yield* times(12, send(path, { headers: { authorization, origin: "https://other.example" } }))
      const inBrowser = yield* times(8, get(path, key, { origin: shopOrigin }))
      expect(Array.map([...foreign, ...inBrowser], ({ status }) => status)).toEqual(Array.replicate(403, 20))
      yield* expectLimitReached(path, { "x-api-key": key, origin: shopOrigin })
      yield* clock.move("60 seconds")
    })
  )
})

withLayer("a tenant and a browser above their rates", api({ rates: { server: 5, browser: 3 } }), (live) => {
  live("get 429 without a look-up, until the minute is over", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "above"))
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      const fromShop = send(path, { headers: { authorization, origin: shopOrigin } })
      yield* times(3, get(path, key))
      yield* times(3, fromShop)
      const flood = Effect.gen(function* () {
        const answers = yield* Effect.all([times(50, get(path, key)), times(50, fromShop)])
        expect(new Set(answers.flat().map(({ status }) => status))).toEqual(new Set([429]))
        expect(answers.flat().every(({ headers }) => headers.has("ratelimit") && headers.has("retry-after"))).toBe(true)
      })
      expect(yield* lookUpsDuring(flood)).toBe(0)
      yield* clock.move("60 seconds")
      expect([(yield* get(path, key)).status, (yield* fromShop).status]).toEqual([200, 200])
      yield* clock.move("60 seconds")
    })
  )
})

/** How many of so many requests at once with an unknown key get 429, from a client that a proxy names. */
const refusedOf = (count: number, address: string) =>
  Effect.gen(function* () {
    const key = yield* unknownKey
    const request = get("/v1/connections/x", key, { "x-forwarded-for": `1.1.1.1, ${address}` })
    const answers = yield* Effect.replicateEffect(request, count, { concurrency: "unbounded" })
    return answers.filter(({ status }) => status === 429).length
  })

withLayer("behind a trusted proxy", api({ trustedProxies }), (live) => {
  live("each client address has its own limit", () =>
    Effect.gen(function* () {
      expect(yield* refusedOf(41, "192.0.2.1")).toBe(1)
      expect(yield* refusedOf(20, "192.0.2.2")).toBe(0)
    })
  )
})

withLayer("without a trusted proxy", api(), (live) => {
  live("X-Forwarded-For names no client", () =>
    Effect.gen(function* () {
      expect(yield* refusedOf(20, "192.0.2.1")).toBe(0)
      expect(yield* refusedOf(21, "192.0.2.2")).toBe(1)
    })
  )
})
