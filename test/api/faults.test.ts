import { afterEach, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { DatabaseReadiness } from "../../src/persistence/DatabaseReadiness.ts"
import { StoreUnavailable } from "../../src/persistence/StoreUnavailable.ts"
import { apiInMemory, get, issueKey, jsonOf, post, send, someIntent } from "../support/apiUnderTest.ts"
import { withLayer } from "../support/effect.ts"
import { apiOver, replaced } from "./apiOver.ts"
import { bearerFor, connectionFor, shop } from "./arranged.ts"
import { collectedLog } from "./collectedLog.ts"
import { expectProblem, expectRefusal } from "./expectRefusal.ts"

const log = collectedLog()

afterEach(() => {
  log.lines.length = 0
})

const create = (key: string, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent: someIntent }, headers)

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })
const secret = "password=hunter2"
const broken = Effect.die(new Error(`relation "connections" does not exist; ${secret}`))

const unavailableStores = Layer.mergeAll(
  replaced(ConnectionStore, () => ({ create: () => unavailable, replay: () => unavailable })),
  replaced(BrowserTokenStore, () => ({ insert: () => unavailable })),
  replaced(DatabaseReadiness, () => ({ isReady: Effect.succeed(false) }))
)

withLayer("a database that cannot be reached", Layer.provide(apiOver(unavailableStores), log.layer), (live) => {
  const serviceUnavailable = { status: 503, code: "unavailable" }

  live("is a 503 that says when to try again, and no row", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = "/v1/connections/con_any/access-token"
      const answers = yield* Effect.all([
        create(key),
        create(key, { "idempotency-key": "one" }),
        post("/v1/connections", key, { intent: { ...someIntent, domain: "a..b" } }, { "idempotency-key": "one" }),
        post(path, key, { origin: shop })
      ])
      expect(answers.map(({ headers, status }) => [status, headers.get("retry-after")])).toEqual(
        answers.map(() => [503, "1"])
      )
      yield* Effect.forEach(answers, (answer) => expectProblem(answer, serviceUnavailable))
    })
  )

  live("does not hide what is wrong with a request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const senseless = { intent: { ...someIntent, domain: "a..b" } }
      yield* expectRefusal(post("/v1/connections", key, senseless), {
        status: 422,
        code: "unprocessable",
        details: [["/intent/domain", "domain_has_empty_label"]]
      })
    })
  )

  live("makes the service not ready, and leaves it alive", () =>
    Effect.gen(function* () {
      const ready = yield* send("/readyz")
      expect([ready.status, yield* jsonOf(ready)]).toEqual([503, { status: "not_ready", notReady: ["database"] }])
      expect(ready.headers.get("retry-after")).toBe("1")
      expect((yield* send("/healthz")).status).toBe(200)
    })
  )
})

const brokenStores = Layer.mergeAll(
  replaced(ConnectionStore, () => ({ create: () => broken })),
  replaced(BrowserTokenStore, () => ({ insert: () => broken, find: () => broken }))
)

withLayer("a fault of our own", Layer.provide(apiOver(brokenStores), log.layer), (live) => {
  const internalError = { status: 500, code: "internal_error" }

  live("is a 500 that says nothing of it, and a line in the log with the request's id", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* create(key, { "x-request-id": "the-faulty-one" })
      const message = yield* expectProblem(response, internalError)
      expect(message).toBe("something went wrong on our side; it has been logged")
      expect(log.lines.filter((line) => line.includes("the-faulty-one") && line.includes(secret))).toHaveLength(1)
    })
  )

  live("is the same on every endpoint, and no key or token comes into the log", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const token = `dct_${"A".repeat(43)}`
      yield* expectRefusal(create(key), internalError)
      yield* expectRefusal(post("/v1/connections/con_any/access-token", key, { origin: shop }), internalError)
      const headers = { authorization: `Bearer ${token}`, origin: shop }
      yield* expectRefusal(send("/v1/connections/con_any", { headers }), internalError)
      expect(log.lines).toHaveLength(3)
      expect(log.lines.join("\n")).not.toContain(key.slice(12))
      expect(log.lines.join("\n")).not.toContain(token)
    })
  )
})

withLayer("what goes well or is refused", Layer.provide(apiInMemory(), log.layer), (live) => {
  live("leaves no line in the log", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* connectionFor(key)
      yield* bearerFor(key, path)
      const answers = yield* Effect.all([
        get(path, key),
        get(path, "hello"),
        get("/v1/connections/con_missing", key),
        post("/v1/connections", key, "{"),
        post("/v1/connections", key, {}),
        send("/v1/nothing")
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 400, 400, 404])
      expect(log.lines).toEqual([])
    })
  )
})
