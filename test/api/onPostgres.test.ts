import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Fiber, Layer, Logger, Schedule } from "effect"
import { httpServer } from "../../src/api/HttpServer.ts"
import { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { DatabaseReadiness } from "../../src/persistence/DatabaseReadiness.ts"
import { doorTo } from "../persistence/doorTo.ts"
import { freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { waitingSession } from "../persistence/waitingSession.ts"
import { whileLocked } from "../persistence/whileLocked.ts"
import { live } from "../support/effect.ts"
import { get, issueKey, jsonOf, post, rooms, send, someIntent } from "../support/apiUnderTest.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"

/** The HTTP API over PostgreSQL. */
const apiOn = (database: TestDatabase) =>
  httpServer({ host: "127.0.0.1", port: 0, rateLimitPerMinute: 0 }).pipe(
    Layer.provideMerge(rooms),
    Layer.provideMerge(
      Layer.mergeAll(ConnectionStore.layer, ApiKeyStore.layer, BrowserTokenStore.layer, DatabaseReadiness.layer)
    ),
    Layer.provideMerge(poolOn(database)),
    Layer.provideMerge(Logger.remove(Logger.defaultLogger))
  )

const unavailable = { code: "unavailable", status: 503 }

const refusalOf = (response: Response) =>
  Effect.map(jsonOf(response), ({ error: { code, status } }) => ({ code, status }))

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly rows: number }>`select count(*)::int as rows from connections`
  return row?.rows
})

/** Cuts the session that waits, once there is one. */
const cutWaiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pid = yield* waitingSession
  yield* sql`select pg_terminate_backend(${pid}::int)`
})

live("a creation whose database connection is cut answers 503, and repeated makes one connection", () =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const create = post("/v1/connections", key, { intent: someIntent }, { "idempotency-key": "order-7" })
    const cutOff = yield* whileLocked(
      "connections",
      Effect.gen(function* () {
        const creating = yield* Effect.fork(create)
        yield* cutWaiting
        return yield* Fiber.join(creating)
      })
    )
    expect([yield* refusalOf(cutOff), cutOff.headers.get("retry-after")]).toEqual([unavailable, "1"])
    expect(yield* rows).toBe(0)

    const answers = [yield* create, yield* create]
    expect(answers.map(({ headers, status }) => [status, headers.get("idempotent-replayed")])).toEqual([
      [201, null],
      [201, "true"]
    ])
    expect(yield* rows).toBe(1)
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(freshDatabase, apiOn))))
)

live("while the database is down every endpoint answers 503 in time, and as before when it is back", () =>
  Effect.gen(function* () {
    const door = yield* doorTo(yield* freshDatabase)
    yield* door.open
    yield* Effect.gen(function* () {
      const { key } = yield* issueKey()
      const made = yield* Effect.flatMap(post("/v1/connections", key, { intent: someIntent }), jsonOf)
      const path = `/v1/connections/${made.connection.id}`
      const requests = [
        post("/v1/connections", key, { intent: someIntent }),
        get(path, key),
        post(`${path}/access-token`, key, { origin: "https://shop.example.com" })
      ]
      yield* door.close
      for (const request of requests) {
        const response = yield* Effect.timeout(request, "2 seconds")
        expect([yield* refusalOf(response), response.headers.get("retry-after")]).toEqual([unavailable, "1"])
      }
      expect((yield* send("/readyz")).status).toBe(503)
      expect((yield* send("/healthz")).status).toBe(200)
      yield* door.open
      const healthy = Effect.filterOrFail(get(path, key), ({ status }) => status === 200)
      const again = yield* Effect.retry(healthy, Schedule.spaced("50 millis")).pipe(Effect.timeout("3 seconds"))
      expect(yield* jsonOf(again)).toEqual(made)
      expect((yield* send("/readyz")).status).toBe(200)
    }).pipe(Effect.provide(apiOn(door.database)))
  })
)

live("an id that PostgreSQL could not store is refused before it is asked", () =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const answers = [yield* get("/v1/connections/%00", key), yield* get("/v1/connections/con_1%00", key)]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(freshDatabase, apiOn))))
)
