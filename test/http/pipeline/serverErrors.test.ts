import { afterEach, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { DatabaseReadiness } from "../../../src/persistence/postgres/DatabaseReadiness.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, send } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"
import { captureLog } from "../support/logCapture.ts"

const log = captureLog()

afterEach(() => {
  log.lines.length = 0
})

const create = (key: string, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }, headers)

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })
const secret = "password=hunter2"
const broken = Effect.die(new Error(`relation "connections" does not exist; ${secret}`))

const unavailableStores = Layer.mergeAll(
  overrideService(ConnectionStore, () => ({ create: () => unavailable, findReplay: () => unavailable })),
  overrideService(BrowserTokenStore, () => ({ insert: () => unavailable })),
  overrideService(DatabaseReadiness, () => ({ findProblems: Effect.succeed(["database" as const]) }))
)

withLayer("an unavailable database", Layer.provide(apiWith(unavailableStores), log.layer), (live) => {
  const serviceUnavailable = { status: 503, code: "unavailable" }

  live("answers 503 with Retry-After and writes no row", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = "/v1/connections/con_any/access-token"
      const answers = yield* Effect.all([
        create(key),
        create(key, { "idempotency-key": "one" }),
        post("/v1/connections", key, { intent: { ...sampleIntent, domain: "a..b" } }, { "idempotency-key": "one" }),
        post(path, key, { origin: shopOrigin })
      ])
      expect(answers.map(({ headers, status }) => [status, headers.get("retry-after")])).toEqual(
        answers.map(() => [503, "1"])
      )
      yield* Effect.forEach(answers, (answer) => expectError(answer, serviceUnavailable))
    })
  )

  live("does not hide an error in the request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const unprocessable = { intent: { ...sampleIntent, domain: "a..b" } }
      yield* expectErrorWithoutWrites(post("/v1/connections", key, unprocessable), {
        status: 422,
        code: "unprocessable",
        details: [["/intent/domain", "domain_has_empty_label"]]
      })
    })
  )

  live("keeps the service alive, but not ready", () =>
    Effect.gen(function* () {
      const ready = yield* send("/readyz")
      expect([ready.status, yield* jsonOf(ready)]).toEqual([503, { status: "not_ready", notReady: ["database"] }])
      expect(ready.headers.get("retry-after")).toBe("1")
      expect((yield* send("/healthz")).status).toBe(200)
    })
  )
})

const brokenStores = Layer.mergeAll(
  overrideService(ConnectionStore, () => ({ create: () => broken })),
  overrideService(BrowserTokenStore, () => ({ insert: () => broken, find: () => broken }))
)

withLayer("an unexpected error", Layer.provide(apiWith(brokenStores), log.layer), (live) => {
  const internalError = { status: 500, code: "internal_error" }

  live("answers 500 without its cause, and is logged with the request id", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* create(key, { "x-request-id": "the-faulty-one" })
      const message = yield* expectError(response, internalError)
      expect(message).toBe("something went wrong on our side; it has been logged")
      expect(log.lines.filter((line) => line.includes("the-faulty-one") && line.includes(secret))).toHaveLength(1)
    })
  )

  live("has the same response on every endpoint, and no key or token is logged", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const token = `dct_${"A".repeat(43)}`
      yield* expectErrorWithoutWrites(create(key), internalError)
      yield* expectErrorWithoutWrites(
        post("/v1/connections/con_any/access-token", key, { origin: shopOrigin }),
        internalError
      )
      const headers = { authorization: `Bearer ${token}`, origin: shopOrigin }
      yield* expectErrorWithoutWrites(send("/v1/connections/con_any", { headers }), internalError)
      expect(log.lines).toHaveLength(3)
      expect(log.lines.join("\n")).not.toContain(key.slice(12))
      expect(log.lines.join("\n")).not.toContain(token)
    })
  )
})

withLayer("a request that succeeds or is rejected", Layer.provide(apiInMemory(), log.layer), (live) => {
  live("is not logged", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* issueBearer(key, path)
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
