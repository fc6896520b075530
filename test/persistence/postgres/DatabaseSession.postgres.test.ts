import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Cause, Effect, Exit, Layer, Option, Redacted, Schedule } from "effect"
import { Client } from "pg"
import { SessionNotKept } from "../../../src/persistence/postgres/sessionErrors.ts"
import { databasePoolAt } from "../../../src/persistence/postgres/databasePool.ts"
import { live } from "../../support/effectTest.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { pgBouncerRefusal, startPgBouncer } from "../../support/PgBouncer.ts"
import { emptyDatabase, urlOf } from "../freshDatabase.ts"

const setting = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ readonly value: string }>`select current_setting(${name}) as value`, ([row]) => row?.value)
  )

/** Why a pool on this URL is refused at once; none if it opens. */
const refusalOf = (url: Redacted.Redacted) =>
  Effect.map(Effect.exit(Effect.scoped(Layer.build(databasePoolAt(url, 5)))), (exit) =>
    Exit.isSuccess(exit) ? "none" : Option.getOrThrow(Cause.failureOption(exit.cause)).message
  ).pipe(Effect.timeout("8 seconds"))

live("the settings of DATABASE_URL hold in each session, and ours with them", () =>
  Effect.gen(function* () {
    const url = new URL(Redacted.value(urlOf(yield* emptyDatabase)))
    url.searchParams.set("options", "-c statement_timeout=7s --work-mem=1MB -c lock_timeout=9s")
    url.searchParams.set("application_name", "ours")
    const names = ["statement_timeout", "work_mem", "lock_timeout", "application_name", "client_encoding"]
    const found = yield* Effect.provide(Effect.forEach(names, setting), databasePoolAt(Redacted.make(url.href)))
    expect(found).toEqual(["7s", "1MB", "2s", "ours", "UTF8"])
  })
)

live("a role that acts as another one, and may not see its own server process, has sessions as any", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const login = `login_${database.database}`
    const owner = `owner_${database.database}`
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.all([
        sql`create role ${sql(owner)}`,
        sql`create role ${sql(login)} login password 'secret' in role ${sql(owner)}`,
        sql`alter role ${sql(login)} set role to ${sql(owner)}`
      ])
    ).pipe(Effect.provide(databasePoolAt(urlOf(database), 1)))
    const url = urlOf({ ...database, username: login, password: Redacted.make("secret") })
    const user = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select current_user as name`)
    expect(yield* Effect.provide(user, databasePoolAt(url, 2))).toEqual([{ name: owner }])
  })
)

live("a setting that a session cannot have is named, and the start refused at once", () =>
  Effect.gen(function* () {
    const url = new URL(Redacted.value(urlOf(yield* emptyDatabase)))
    url.searchParams.set("options", "-c no_such_setting=1")
    expect(yield* refusalOf(Redacted.make(url.href))).toContain("no_such_setting")
  })
)

describeIfPossible("behind PgBouncer", pgBouncerRefusal, () => {
  live("a session has its settings, although PgBouncer drops the options of the client", () =>
    Effect.gen(function* () {
      const { url } = yield* startPgBouncer(yield* emptyDatabase, { pool_mode: "session" })
      const found = yield* Effect.provide(
        Effect.forEach(["lock_timeout", "application_name"], setting),
        databasePoolAt(url)
      )
      expect(found).toEqual(["2s", "domain-connection-service"])
    })
  )

  live("a session has nothing of the client that had its server connection before", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const { url } = yield* startPgBouncer(database, {
        pool_mode: "session",
        default_pool_size: "1",
        server_reset_query: ""
      })
      const other = new Client({ connectionString: Redacted.value(url) })
      yield* Effect.promise(async () => {
        await other.connect()
        await other.query("select pg_advisory_lock(1), set_config('search_path', 'pg_temp', false)")
        await other.end()
      })
      const found = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`select current_setting('search_path') as path, (select count(*)::int from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())) as locks`
      )
      expect(yield* Effect.provide(found, databasePoolAt(url, 1))).toEqual([{ path: '"$user", public', locks: 0 }])
    })
  )

  for (const [mode, size, roundRobin] of [
    ["transaction", 1, 0],
    ["transaction", 2, 0],
    ["transaction", 2, 1],
    ["transaction", 20, 0],
    ["transaction", 20, 1],
    ["statement", 1, 0],
    ["statement", 5, 1]
  ] as const) {
    live(`${mode} pooling with ${size} connections is refused by name${roundRobin === 1 ? ", in turn" : ""}`, () =>
      Effect.gen(function* () {
        const { url } = yield* startPgBouncer(yield* emptyDatabase, {
          pool_mode: mode,
          default_pool_size: String(size),
          min_pool_size: String(size),
          server_round_robin: String(roundRobin)
        })
        yield* openServers(url, size)
        expect(yield* refusalOf(url)).toContain("transaction or statement pooling: set pool_mode = session")
      })
    )
  }

  live("sessions that are open when the mode changes soon send nothing more, and new ones are refused by name", () =>
    Effect.gen(function* () {
      const { command, url } = yield* startPgBouncer(yield* emptyDatabase, { pool_mode: "session" })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const concurrently = Effect.all(Array.replicate(sql`select ${1}::int, pg_sleep(0.01)`, 6), {
          concurrency: "unbounded"
        })
        yield* concurrently
        yield* command("set pool_mode = 'transaction'")
        const refused = Effect.filterOrFail(
          Effect.flip(concurrently),
          ({ cause }) => cause instanceof SessionNotKept,
          () => "not yet"
        )
        const { cause } = yield* Effect.retry(refused, { schedule: Schedule.spaced("100 millis"), times: 200 })
        // Either the settings of a session are missing, or the statements that were prepared in it.
        expect(String(cause)).toContain("pool_mode = session")
        yield* Effect.replicateEffect(Effect.flip(concurrently), 5)
        yield* command("set pool_mode = 'session'")
        yield* Effect.retry(concurrently, { schedule: Schedule.spaced("100 millis"), times: 200 })
      }).pipe(Effect.provide(databasePoolAt(url, 6)))
    })
  )
})

/** Has PgBouncer open all its server connections: in transactions at the same time, each of a client of its own. */
const openServers = (url: Redacted.Redacted, count: number) =>
  Effect.promise(async () => {
    const clients = Array.makeBy(count, () => new Client({ connectionString: Redacted.value(url) }))
    await Promise.all(clients.map((client) => client.connect()))
    await Promise.all(clients.map((client) => client.query("select pg_sleep(0.2)")))
    await Promise.all(clients.map((client) => client.end()))
  })
