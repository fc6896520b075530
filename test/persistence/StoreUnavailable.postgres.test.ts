import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Cause, Duration, Effect, Fiber, Layer, Logger, Option, Schedule } from "effect"
import type { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import type { StoreUnavailable } from "../../src/persistence/StoreUnavailable.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { type AuditEntryNotFound, AuditStore } from "../../src/persistence/stores/audit/AuditStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { type ConnectionNotFound, ConnectionStore } from "../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../src/persistence/stores/connections/ConnectionViews.ts"
import { ErasureStore } from "../../src/persistence/stores/erasure/ErasureStore.ts"
import { MasterKeyStore } from "../../src/persistence/stores/access/MasterKeyStore.ts"
import { PhaseStore } from "../../src/persistence/stores/phases/PhaseStore.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { createConnection, failureDetails, firstTransition, ownTenancy } from "./connectionFixtures.ts"
import { databaseProxy } from "./databaseProxy.ts"
import { findWaitingSession, withLockedTable } from "./tableLocks.ts"
import { allStores, emptyDatabase, freshDatabase, poolOn } from "./freshDatabase.ts"
import { keyOf } from "./stores/apiKeyContract.ts"

concurrentTest(
  "a write on a broken database connection fails as unavailable and writes nothing, and the next one succeeds",
  () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* firstTransition()
      const creation = store.create(ownTenancy, first, Option.none())
      expect(yield* withLockedTable("connections", cutOff(creation))).toBe(unavailable)
      const found = withHealthyPool(store.find(ownTenancy, first.after.connection.id))
      expect(yield* failureDetails(found)).toBe(
        "ConnectionNotFound: there is no such connection: a key finds those of its own tenant and environment"
      )
      yield* createConnection()
    }).pipe(Effect.provide(storesOnFreshDatabase))
)

concurrentTest("a transaction whose connection breaks fails as unavailable, although its end cannot be sent", () =>
  Effect.gen(function* () {
    const [audit, erasure, keys] = yield* Effect.all([AuditStore, ErasureStore, MasterKeyStore])
    const transactions: ReadonlyArray<
      readonly [table: string, Effect.Effect<unknown, AuditEntryNotFound | StoreUnavailable>]
    > = [
      ["audit_entries", audit.list(Option.none(), {}, { limit: 1 })],
      ["connections", erasure.eraseOld(Duration.days(1), 1)],
      ["master_keys", keys.register(() => Effect.succeed([]))]
    ]
    for (const [table, transaction] of transactions)
      expect(yield* withLockedTable(table, cutOff(transaction))).toBe(unavailable)
  }).pipe(Effect.provide(storesOnFreshDatabase))
)

concurrentTest("while database connections keep breaking, no acknowledged creation is lost", () =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const cutting = yield* Effect.fork(Effect.repeat(cutAll, Schedule.spaced("10 millis")))
    const attempts = yield* Effect.forEach(Array.range(1, 200), () => Effect.either(createConnection()), {
      concurrency: 20
    })
    yield* Fiber.interrupt(cutting)
    const [refusals, created] = Array.separate(attempts)
    expect(new Set(refusals.map(({ _tag }) => _tag))).toEqual(new Set(["StoreUnavailable"]))
    const found = yield* Effect.forEach(created, ({ id }) => withHealthyPool(store.find(ownTenancy, id)))
    expect(found.map(({ id }) => id)).toEqual(created.map(({ id }) => id))
  }).pipe(Effect.provide(storesOnFreshDatabase))
)

concurrentTest("while the server is down every store is unavailable, and works again when the server is back", () =>
  Effect.gen(function* () {
    const proxy = yield* databaseProxy(yield* freshDatabase)
    yield* proxy.open
    yield* Effect.gen(function* () {
      const { id } = yield* createConnection()
      yield* proxy.close
      for (const call of callsOf(id)) {
        expect(yield* failureDetails(call)).toBe(unavailable)
      }
      expect(yield* problems).toEqual(["database"])
      yield* proxy.open
      for (const call of callsOf(id)) yield* call
      expect(yield* problems).toEqual([])
    }).pipe(Effect.provide(storesOn(proxy.database)))
  })
)

concurrentTest("a server that accepts connections without responding is unavailable too", () =>
  Effect.gen(function* () {
    const proxy = yield* databaseProxy(yield* freshDatabase)
    yield* proxy.open
    yield* Effect.gen(function* () {
      yield* proxy.hang
      const calls = [problems, ...Array.makeBy(5, () => failureDetails(createConnection()))]
      const [found, ...refusals] = yield* Effect.all(calls, { concurrency: "unbounded" })
      expect(found).toEqual(["database"])
      expect(refusals).toEqual(Array.replicate(unavailable, 5))
    }).pipe(Effect.provide(storesOn(proxy.database)))
  })
)

concurrentTest(
  "a server that stops responding on open connections is unavailable, and works again when it is back",
  () =>
    Effect.gen(function* () {
      const proxy = yield* databaseProxy(yield* freshDatabase)
      yield* proxy.open
      yield* Effect.gen(function* () {
        yield* Effect.all(Array.replicate(createConnection(), 5), { concurrency: "unbounded" })
        yield* proxy.freeze
        const refusals = yield* Effect.all(Array.replicate(failureDetails(createConnection()), 5), {
          concurrency: "unbounded"
        })
        expect(refusals).toEqual(Array.replicate(unavailable, 5))
        yield* proxy.open
        // The connections that did not answer are closed one after the other.
        yield* Effect.retry(createConnection(), { schedule: Schedule.spaced("100 millis"), times: 600 })
      }).pipe(Effect.provide(storesOn(proxy.database)))
    })
)

concurrentTest("a pool is ready as soon as a server that starts after it", () =>
  Effect.gen(function* () {
    const proxy = yield* databaseProxy(yield* emptyDatabase)
    const refused = yield* Effect.makeLatch()
    const noteRefusal = Logger.replace(
      Logger.defaultLogger,
      Logger.make(() => refused.unsafeOpen())
    )
    const pool = yield* Effect.fork(Layer.build(poolOn(proxy.database).pipe(Layer.provide(noteRefusal))))
    yield* refused.await
    yield* proxy.open
    yield* Fiber.join(pool)
  })
)

concurrentTest("a database without the service's tables is not ready", () =>
  Effect.gen(function* () {
    expect(yield* problems).toEqual(["database"])
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(emptyDatabase, storesOn))))
)

concurrentTest("a database that accepts no writes is not ready until it does, and its statements are unavailable", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const setReadOnly = (isReadOnly: boolean) =>
        sql`alter database ${sql(database.database)} set default_transaction_read_only = ${sql.literal(String(isReadOnly))}`
      yield* setReadOnly(true)
      yield* Effect.ignore(cutAll)
      yield* awaitProblems("read_only")
      expect(yield* failureDetails(createConnection())).toBe(
        "StoreUnavailable: the database takes no writes; try again shortly"
      )
      yield* sql.withTransaction(Effect.zipRight(sql`set transaction read write`, setReadOnly(false)))
      yield* Effect.ignore(cutAll)
      yield* awaitProblems()
      yield* withHealthyPool(createConnection())
    }).pipe(Effect.provide(storesOn(database)))
  })
)

concurrentTest("a statement that violates a constraint is a defect, not an outage", () =>
  Effect.gen(function* () {
    const { insert } = yield* ApiKeyStore
    yield* insert(keyOf("key_1"))
    const defect = Cause.dieOption(yield* Effect.flip(Effect.sandbox(insert(keyOf("key_1")))))
    expect(Option.getOrThrow(defect)).toMatchObject({ _tag: "SqlError", cause: { code: "23505" } })
  }).pipe(Effect.provide(storesOnFreshDatabase))
)

const unavailable = "StoreUnavailable: the database cannot be reached; try again shortly"

const storesOn = (database: TestDatabase) =>
  allStores.pipe(
    Layer.provideMerge(poolOn(database)),
    Layer.provideMerge(Identifiers.layer),
    Layer.provideMerge(Logger.remove(Logger.defaultLogger))
  )

const storesOnFreshDatabase = Layer.unwrapEffect(Effect.map(freshDatabase, storesOn))

const problems = Effect.flatMap(DatabaseReadiness, ({ findProblems }) => findProblems)

const awaitProblems = (...expected: ReadonlyArray<string>) =>
  Effect.repeat(problems, {
    until: (found) => found.join() === expected.join(),
    schedule: Schedule.spaced("50 millis")
  })

/** Calls of every store, which succeed if the database is reachable. */
const callsOf = (
  id: ConnectionId
): ReadonlyArray<Effect.Effect<unknown, ConnectionNotFound | StoreUnavailable, StoresInUse>> => [
  createConnection(),
  Effect.flatMap(ConnectionStore, ({ find }) => find(ownTenancy, id)),
  Effect.flatMap(ConnectionStore, ({ findRecord }) => findRecord(ownTenancy, id)),
  Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(1, 60)),
  Effect.flatMap(ConnectionViews, ({ list }) => list(ownTenancy, {}, { limit: 1, maxBytes: 1 })),
  Effect.flatMap(ApiKeyStore, ({ find }) => find(Buffer.from("a hash"), Option.some(id))),
  Effect.flatMap(ApiKeyStore, ({ list }) => list),
  Effect.flatMap(BrowserTokenStore, ({ find }) => find(Buffer.from("a hash")))
]

type StoresInUse = ConnectionStore | ConnectionViews | PhaseStore | ApiKeyStore | BrowserTokenStore | Identifiers

/** Retries, because a pool notices a broken connection only when a statement on it fails. */
const withHealthyPool = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, { while: ({ _tag }) => _tag === "StoreUnavailable", times: 10 })

/** Runs an effect that waits for a lock, cuts its connection off, and returns the failure. */
const cutOff = <E extends { readonly _tag: string; readonly message: string }>(
  effect: Effect.Effect<unknown, E>
): Effect.Effect<string, unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const running = yield* Effect.fork(failureDetails(effect))
    const ended = Effect.as(Fiber.await(running), Option.none())
    const waiting = yield* Effect.raceFirst(Effect.asSome(findWaitingSession), ended)
    // On a busy machine it may give up waiting for the lock before it is seen.
    if (Option.isNone(waiting)) return yield* cutOff(effect)
    yield* cut(waiting.value)
    return yield* Fiber.join(running)
  })

const cut = (pid: number) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_terminate_backend(${pid}::int)`)

/** Terminates its own connection last. */
const cutAll = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.ignore(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() order by pid = pg_backend_pid()`
  )
)
