import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Fiber, HashMap, Logger, Record, Redacted, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { Client } from "pg"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { MigrationStep } from "../../../src/persistence/postgres/MigrationStep.ts"
import { migrations } from "../../../src/persistence/postgres/migrate.ts"
import { runMigrations } from "../../../src/persistence/postgres/runMigrations.ts"
import { environmentOf, startCli } from "../../cli/commandLine.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import type { TestDatabase } from "../../support/TestPostgres.ts"
import { connectionFor, connectionInState } from "../connectionFixtures.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"
import { describeSchema } from "./describeSchema.ts"

/** The migrations up to this number: those of an older version. */
const upTo = (newest: number) => Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= newest)

/** What the migrations up to 0026 made when all of them were one transaction. */
const schemaOf0026 = readFileSync(`${import.meta.dir}/schemaOf0026.txt`, "utf8").trim()

concurrentTest("the steps make the tables and indexes that one transaction made, with rows and without", () =>
  Effect.gen(function* () {
    const empty = yield* emptyDatabase
    yield* on(empty, runMigrations(upTo(26)))
    expect(yield* on(empty, describeSchema)).toBe(schemaOf0026)
    const filled = yield* databaseWithRows
    yield* on(filled, runMigrations(upTo(26)))
    expect(yield* on(filled, describeSchema)).toBe(schemaOf0026)
  })
)

concurrentTest("rows are moved in batches as one statement would move them", () =>
  Effect.gen(function* () {
    const database = yield* databaseWithRows
    yield* on(database, runMigrations(upTo(26)))
    expect(yield* on(database, findUnmovedRows)).toEqual([])
  })
)

concurrentTest("a batch that takes longer than any statement of a request is not given up", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const slow = MigrationStep.MoveData({
      moveBatch: (sql, after) => sql`
        select case ${after} when '' then 'moved' end as last from pg_sleep(case ${after} when '' then 5.5 else 0 end)`
    })
    yield* on(database, runMigrations({ "0001_slow": [slow] }))
    expect(yield* on(database, execute("select name from migrations"))).toEqual([{ name: "slow" }])
  })
)

concurrentTest("a dump delays a migration, which names it, and no request", () =>
  Effect.gen(function* () {
    const database = yield* databaseWithRows
    const dump = yield* openTransaction(database, "pg_dump", "lock table connections in access share mode")
    const { logged, logger } = recordLogs()
    const migrating = yield* Effect.fork(Effect.provide(on(database, runMigrations(upTo(26))), logger))
    const named = yield* untilDefined(
      Effect.sync(() => logged.find(({ application }) => application === "pg_dump")),
      "a log entry about the dump"
    )
    expect(named).toMatchObject({
      migration: "0005_lifecycle",
      pid: dump.pid,
      user: database.username,
      queryStartedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    })
    // The dump may last for hours: meanwhile a request is served, which would be refused after two seconds of waiting.
    yield* on(database, execute("update connections set updated_at = now() where id = 'con_0001'"))
    yield* dump.end
    yield* Fiber.join(migrating)
    expect(yield* on(database, describeSchema)).toBe(schemaOf0026)
  })
)

concurrentTest("a start that is killed while it makes an index is continued: no index stays invalid", () =>
  Effect.gen(function* () {
    const database = yield* databaseWithRows
    yield* on(database, runMigrations(upTo(8)))
    // An index waits for every transaction that writes its table.
    const writer = yield* openTransaction(
      database,
      "writer",
      "update connections set version = 2 where id = 'con_0001'"
    )
    const migrating = yield* startCli(environmentOf(database), "migrate")
    const pid = yield* waitForRow(
      database,
      "select pid from pg_stat_activity where datname = current_database() and query like 'create index concurrently connections_due_of%' and wait_event_type = 'Lock'"
    )
    yield* migrating.kill
    yield* on(database, execute(`select pg_terminate_backend(${pid})`))
    yield* waitForRow(
      database,
      "select 1 from pg_index where indexrelid = to_regclass('connections_due_of') and not indisvalid"
    )
    yield* writer.end
    yield* on(database, runMigrations(upTo(26)))
    expect(yield* on(database, describeSchema)).toBe(schemaOf0026)
  })
)

concurrentTest("a start that is killed between two batches of rows is continued there, and counts nothing twice", () =>
  Effect.gen(function* () {
    const database = yield* databaseWithRows
    yield* on(database, runMigrations(upTo(20)))
    const writer = yield* openTransaction(database, "writer", "lock table connection_events")
    const migrating = yield* startCli(environmentOf(database), "migrate")
    yield* waitForRow(database, "select 1 from migration_progress where migration_id = 21 and step = 3")
    // From now on the second batch of events waits.
    yield* on(
      database,
      execute(`
        create function hold() returns trigger language plpgsql as $$ begin
          if exists (select from migration_progress where after <> '') then perform pg_advisory_xact_lock(77); end if;
          return null;
        end $$;
        create trigger hold before insert on usage_changes for each statement execute function hold()`)
    )
    const holder = yield* openTransaction(database, "holder", "select pg_advisory_xact_lock(77)")
    yield* writer.end
    yield* waitForRow(database, "select 1 from migration_progress where after = 'evt_con_0999'")
    yield* migrating.kill
    yield* holder.end
    yield* waitForRow(
      database,
      "select 1 where not exists (select from pg_locks where locktype = 'advisory' and objid = 727002 and database = (select oid from pg_database where datname = current_database()))"
    )
    yield* on(database, execute("drop trigger hold on usage_changes; drop function hold"))
    yield* on(database, runMigrations(upTo(26)))
    expect(yield* on(database, findUnmovedRows)).toEqual([])
    expect(yield* on(database, describeSchema)).toBe(schemaOf0026)
  })
)

concurrentTest("processes that find another one migrating wait for it, and say so", () =>
  Effect.gen(function* () {
    const database = yield* databaseWithRows
    const dump = yield* openTransaction(database, "pg_dump", "lock table connections in access share mode")
    const first = recordLogs()
    const migrating = yield* Effect.fork(Effect.provide(on(database, runMigrations(upTo(26))), first.logger))
    yield* untilLogged(first.logged, "A migration waits for the lock of another session; requests do not wait for it")
    const second = recordLogs()
    const waiting = yield* Effect.fork(Effect.provide(on(database, runMigrations(upTo(26))), second.logger))
    yield* untilLogged(second.logged, "Another process migrates the database; waiting for its end")
    expect(second.logged).toMatchObject([{ application: "domain-connection-service", user: database.username }])
    yield* dump.end
    yield* Fiber.join(migrating)
    yield* Fiber.join(waiting)
    expect(second.logged.filter(({ message }) => message === "Migration done")).toEqual([])
  })
)

/** A database as version 0004 left it, with more connections than a batch has rows, a third of them ended. */
const databaseWithRows = Effect.gen(function* () {
  const database = yield* emptyDatabase
  yield* on(database, runMigrations(upTo(4)))
  yield* on(
    database,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [nth, state] of (["active", "degraded", "disconnected"] as const).entries()) {
        const connection = connectionInState(
          connectionFor("example.com", ["@ 300 A 192.0.2.1", "shop 300 A 192.0.2.2"]),
          state
        )
        yield* sql`
          insert into connections (id, application_id, tenant_id, state, doc)
          select 'con_' || lpad(n::text, 4, '0'), 'app-' || n % 2, 'tenant-' || n % 5, ${state}, replace(${encodeConnection(connection)}, 'example.com', 'example' || n / 6 || '.com')
          from generate_series(0, 1199) n where n % 3 = ${nth}`
      }
      yield* sql`
        insert into connection_events (id, connection_id, to_state)
        select 'evt_' || id, id, 'active' from connections`
      yield* sql`
        insert into journal (run, connection_id, provider_id, zone, domain, direction, digest, step, change, status)
        select id, id, 'p', 'example.com', 'example.com', 'apply', 'd', 1, '{"after":{"host":"shop"}}', 'written' from connections`
    })
  )
  return database
})

/** The rows that differ from what one statement over all rows gives. */
const findUnmovedRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    with hosts as (
      select distinct application_id, tenant_id, id, state, created_at,
        reverse(case record ->> 'host' when '@' then '' else record ->> 'host' || '.' end || (doc::jsonb #>> '{effectiveIntent,domain}')) as name
      from connections, jsonb_array_elements(doc::jsonb #> '{effectiveIntent,records}') as record
      where state <> 'disconnected'
    ), expected_holders as (
      select distinct on (application_id, name) application_id, name, tenant_id, id from hosts order by 1, 2, created_at, id
    ), expected_bytes as (
      select application_id, tenant_id, sum(octet_length(doc)) filter (where state = 'disconnected') as ended,
        count(*) * 200 + count(*) * (400 + octet_length('{"after":{"host":"shop"}}')) as history
      from connections group by 1, 2
    )
    select 'domain' as what, id from connections where domain is distinct from doc::jsonb #>> '{effectiveIntent,domain}'
    union all select 'host', id from (
      (select name, id from hosts except select reversed_name, connection_id from connection_hosts) union all
      (select reversed_name, connection_id from connection_hosts except select name, id from hosts)
    ) as differing
    union all select 'holder', id from (
      (select * from expected_holders except select application_id, reversed_name, tenant_id, connection_id from host_holders)
      union all
      (select application_id, reversed_name, tenant_id, connection_id from host_holders except select * from expected_holders)
    ) as differing
    union all select 'claim', connection_id from host_holders where claim_number is null
    union all select 'change', connection_id from journal where reversed_name is distinct from reverse('shop.example.com')
    union all select 'application', application_id from connections where application_id not in (select id from applications)
    union all select 'bytes', application_id from expected_bytes e
    where e.ended is distinct from (
        select ended_bytes from tenant_usage u where (u.application_id, u.tenant_id) = (e.application_id, e.tenant_id)
      ) or e.history is distinct from (
        select sum(bytes) from usage_changes u where (u.application_id, u.tenant_id) = (e.application_id, e.tenant_id)
      )`
)

const on = <A, E>(database: TestDatabase, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, poolOn(database, 3))

const execute = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))

/** A session of another program whose transaction has run this statement. */
const openTransaction = (database: TestDatabase, application: string, statement: string) =>
  Effect.gen(function* () {
    const client = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const opened = new Client({
          host: database.socketDirectory,
          database: database.database,
          user: database.username,
          password: Redacted.value(database.password),
          application_name: application
        })
        await opened.connect()
        return opened
      }),
      (opened) => Effect.promise(() => opened.end())
    )
    const { rows } = yield* Effect.promise(async () => {
      await client.query("begin")
      await client.query(statement)
      return client.query<{ readonly pid: number }>("select pg_backend_pid() as pid")
    })
    return { pid: rows[0]?.pid, end: Effect.promise(() => client.query("commit")) }
  })

/** The first column of a row, once there is one. */
const waitForRow = (database: TestDatabase, query: string) =>
  on(
    database,
    untilDefined(
      Effect.map(execute(query), (rows) => rows.flatMap((row) => Object.values(row ?? {}))[0]),
      query
    )
  )

/** Repeats an effect until it has a result. */
const untilDefined = <A, E, R>(effect: Effect.Effect<A | undefined, E, R>, what: string) =>
  effect.pipe(
    Effect.flatMap(Effect.fromNullable),
    Effect.retry(Schedule.spaced("20 millis").pipe(Schedule.upTo("60 seconds"))),
    Effect.orDieWith(() => `never: ${what}`)
  )

type LogEntry = Readonly<Record<string, unknown>>

const recordLogs = () => {
  const logged: Array<LogEntry> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ annotations, message }) => {
      logged.push({ ...Object.fromEntries(HashMap.toEntries(annotations)), message: String(message) })
    })
  )
  return { logged, logger }
}

const untilLogged = (logged: ReadonlyArray<LogEntry>, message: string) =>
  untilDefined(
    Effect.sync(() => logged.find((entry) => entry["message"] === message)),
    message
  )
