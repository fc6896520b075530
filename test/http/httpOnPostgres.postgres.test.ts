import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Fiber, Layer, Logger, Record, Schedule } from "effect"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { type DatabasePool, databasePoolAt } from "../../src/persistence/postgres/databasePool.ts"
import { databaseProxy } from "../persistence/databaseProxy.ts"
import { startOwnPostgres } from "../persistence/ownPostgres.ts"
import { findWaitingSession, withLockedTable } from "../persistence/tableLocks.ts"
import { allStores, freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import {
  get,
  issueKey,
  jsonOf,
  offlineDns,
  post,
  sampleIntent,
  apiServicesLayer,
  send,
  httpOnFreePort
} from "../support/testApi.ts"
import { commandCases, connectionAndTimeline, createInState, sendCommand } from "./support/commandFixtures.ts"

/** The HTTP API over PostgreSQL. */
const apiOn = (database: TestDatabase) => apiOnPool(poolOn(database), DatabaseReadiness.layer)

const apiOnPool = <E>(
  pool: Layer.Layer<DatabasePool | SqlClient.SqlClient, E>,
  readiness: Layer.Layer<DatabaseReadiness, never, SqlClient.SqlClient>
) =>
  httpOnFreePort().pipe(
    Layer.provideMerge(apiServicesLayer),
    Layer.provide(offlineDns),
    Layer.provideMerge(Layer.mergeAll(allStores, readiness)),
    Layer.provideMerge(pool),
    Layer.provideMerge(Logger.remove(Logger.defaultLogger))
  )

const approval = commandCases.find(({ name }) => name === "approval") ?? { name: "approval" }

const unavailable = { code: "unavailable", status: 503 }

const refusalOf = (response: Response) =>
  Effect.map(jsonOf(response), ({ error: { code, status } }) => ({ code, status }))

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly rows: number }>`select count(*)::int as rows from connections`
  return row?.rows
})

/** Terminates the waiting database session, once there is one. */
const terminateWaiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pid = yield* findWaitingSession
  yield* sql`select pg_terminate_backend(${pid}::int)`
})

live("a creation whose database connection is cut answers 503, and its repetition creates one connection", () =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const create = post(
      "/v1/connections",
      key,
      { intent: sampleIntent, allowDuplicate: true },
      { "idempotency-key": "order-7" }
    )
    const cutOff = yield* withLockedTable(
      "connections",
      Effect.gen(function* () {
        const creating = yield* Effect.fork(create)
        yield* terminateWaiting
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

live(
  "a creation that loses any of its database's answers, also that of its commit, creates one connection at most",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const proxy = yield* databaseProxy(database)
      yield* proxy.open
      const countRows = Effect.provide(rows, poolOn(database, 1))
      const createLosing = (nth: number) =>
        Effect.gen(function* () {
          const { key } = yield* Effect.eventually(Effect.sandbox(issueKey()))
          const create = post(
            "/v1/connections",
            key,
            { intent: sampleIntent, allowDuplicate: true },
            { "idempotency-key": `order-${nth}` }
          )
          const before = (yield* countRows) ?? 0
          let answers = 0
          yield* proxy.loseAnswers(() => (answers += 1) === nth)
          const first = yield* create
          const created = ((yield* countRows) ?? 0) - before
          yield* proxy.loseAnswers(() => false)
          const second = yield* Effect.repeat(create, { until: ({ status }) => status !== 503 })
          expect([second.status, (yield* countRows) ?? 0]).toEqual([201, before + 1])
          return [first.status, first.headers.get("retry-after"), created].join()
        })
      const outcomes = yield* Effect.forEach(Array.range(1, 6), createLosing).pipe(
        Effect.provide(apiOn(proxy.database))
      )
      expect(new Set(outcomes)).toEqual(new Set(["503,1,0", "503,1,1", "201,,1"]))
    })
)

live("while the database is down every endpoint answers 503, and recovers afterwards", () =>
  Effect.gen(function* () {
    const proxy = yield* databaseProxy(yield* freshDatabase)
    yield* proxy.open
    yield* Effect.gen(function* () {
      const { key } = yield* issueKey()
      const created = yield* Effect.flatMap(
        post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }),
        jsonOf
      )
      const path = `/v1/connections/${created.connection.id}`
      const requests = [
        post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }),
        get(path, key),
        post(`${path}/access-token`, key, { origin: "https://shop.example.com" })
      ]
      yield* proxy.close
      for (const request of requests) {
        const response = yield* request
        expect([yield* refusalOf(response), response.headers.get("retry-after")]).toEqual([unavailable, "1"])
      }
      expect((yield* send("/readyz")).status).toBe(503)
      expect((yield* send("/healthz")).status).toBe(200)
      yield* proxy.open
      const healthy = Effect.filterOrFail(get(path, key), ({ status }) => status === 200)
      const again = yield* Effect.retry(healthy, Schedule.spaced("50 millis"))
      expect(yield* jsonOf(again)).toEqual(created)
      yield* Effect.repeat(send("/readyz"), {
        until: ({ status }) => status === 200,
        schedule: Schedule.spaced("50 millis")
      })
    }).pipe(Effect.provide(apiOn(proxy.database)))
  })
)

const hurriedReadiness = DatabaseReadiness.layerWith({
  interval: "50 millis",
  recheckInterval: "50 millis",
  timeout: "500 millis"
})

/** Commits wait until this standby has them; it does not exist. */
const setStandby = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(sql.unsafe(`alter system set synchronous_standby_names = '${name}'`), sql`select pg_reload_conf()`)
  )

const readyz = Effect.flatMap(send("/readyz"), (response) =>
  Effect.map(jsonOf(response), ({ notReady }) => [response.status, ...(notReady ?? [])].join())
)

live("while commits hang writes get 503, reads work and /readyz is 503; all is well again when they end", () =>
  Effect.gen(function* () {
    const { run, url } = yield* startOwnPostgres()
    yield* Effect.gen(function* () {
      const { key } = yield* Effect.eventually(Effect.sandbox(issueKey()))
      const create = (nth: number) =>
        post(
          "/v1/connections",
          key,
          { intent: sampleIntent, allowDuplicate: true },
          { "idempotency-key": `order-${nth}` }
        )
      const { connection } = yield* Effect.flatMap(
        Effect.repeat(create(1), { until: ({ status }) => status === 201 }),
        jsonOf
      )
      yield* Effect.repeat(readyz, { until: (found) => found === "200", schedule: Schedule.spaced("50 millis") })
      yield* run(setStandby("gone"))
      // The sessions read the setting some time after its reload was asked for.
      const hanging = yield* Effect.iterate(
        { nth: 1, response: yield* get(`/v1/connections/${connection.id}`, key) },
        {
          while: ({ response }) => response.status < 400,
          body: ({ nth }) => Effect.map(create(nth + 1), (response) => ({ nth: nth + 1, response }))
        }
      )
      expect(yield* refusalOf(hanging.response)).toEqual(unavailable)
      yield* Effect.repeat(readyz, {
        until: (found) => found === "503,writes",
        schedule: Schedule.spaced("50 millis")
      })
      expect((yield* get(`/v1/connections/${connection.id}`, key)).status).toBe(200)
      yield* run(setStandby(""))
      yield* Effect.repeat(readyz, { until: (found) => found === "200", schedule: Schedule.spaced("50 millis") })
      yield* Effect.repeat(create(hanging.nth), { until: ({ status }) => status === 201 })
      expect(yield* rows).toBe(hanging.nth)
    }).pipe(Effect.provide(apiOnPool(databasePoolAt(url), hurriedReadiness)))
  })
)

live("an id that PostgreSQL cannot store is rejected without a query", () =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const answers = [yield* get("/v1/connections/%00", key), yield* get("/v1/connections/con_1%00", key)]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(freshDatabase, apiOn))))
)

const sendFifty = <E, R>(request: () => Effect.Effect<Response, E, R>) =>
  Effect.all(
    Array.makeBy(50, () => request()),
    { concurrency: "unbounded" }
  )

const tallyOf = (answers: ReadonlyArray<Response>) =>
  Record.map(
    Array.groupBy(answers, ({ headers, status }) => `${status}${headers.has("idempotent-replayed") ? " again" : ""}`),
    (group) => group.length
  )

live("fifty approvals at once apply the plan once, with and without an Idempotency-Key", () =>
  Effect.gen(function* () {
    for (const [headers, tally] of [
      [{}, { 200: 50 }],
      [{ "if-match": '"2"' }, { 200: 1, 412: 49 }],
      [{ "idempotency-key": "once" }, { 200: 1, "200 again": 49 }]
    ] as const) {
      const { key, path } = yield* createInState("planned")
      const answers = yield* sendFifty(() => sendCommand(path, key, approval, headers))
      expect<unknown>(tallyOf(answers)).toEqual(tally)
      const { connection, timeline } = yield* connectionAndTimeline(path, key)
      expect([connection.state, timeline]).toEqual([
        "applying",
        ["→requested", "requested→planned", "planned→applying"]
      ])
    }
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(freshDatabase, apiOn))))
)

live("fifty rechecks at once all succeed", () =>
  Effect.gen(function* () {
    const { key, path } = yield* createInState("active")
    expect(tallyOf(yield* sendFifty(() => sendCommand(path, key, { name: "recheck" })))).toEqual({ 200: 50 })
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(freshDatabase, apiOn))))
)
