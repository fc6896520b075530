import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { expect } from "bun:test"
import { Array, Effect, Record } from "effect"
import { migrations } from "../../../src/persistence/postgres/migrate.ts"
import { MigrationStep, stepsOf } from "../../../src/persistence/postgres/MigrationStep.ts"
import { runMigrations } from "../../../src/persistence/postgres/runMigrations.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { connectionFor } from "../connectionFixtures.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"

/**
 * The tables of a database, with the scans that this session has not reported yet: the server counts a scan of a table
 * without rows too.
 */
const countScans = (sql: SqlClient.SqlClient) => sql`
  select coalesce(json_object_agg(relid, seq_scan), '{}')::text as scans from pg_stat_xact_user_tables`

/** The tables that the transaction has read from end to end since then, while it kept their readers or writers out. */
const findLongLocks = (sql: SqlClient.SqlClient, scans: unknown) => sql`
  select distinct relation::regclass::text as table from pg_locks
  join json_each_text(${String(scans)}::json) as older (relid, scans) on relation = older.relid::oid
  join pg_stat_xact_user_tables as now on now.relid = relation
  where pid = pg_backend_pid() and seq_scan > older.scans::bigint
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

concurrentTest("no migration reads or writes a whole table while it locks others out of it", () =>
  Effect.gen(function* () {
    const found: Array<unknown> = []
    const watched = Record.map(migrations, (migration, name) =>
      stepsOf(migration).map((step) =>
        MigrationStep.$is("Change")(step)
          ? MigrationStep.Change({
              statements: (sql) =>
                Effect.gen(function* () {
                  const [before] = yield* countScans(sql)
                  yield* step.statements(sql)
                  const locked = yield* findLongLocks(sql, before?.["scans"])
                  found.push(...locked.map(({ table }) => `${name}: ${String(table)}`))
                })
            })
          : step
      )
    )
    yield* Effect.provide(runMigrations(watched), poolOn(yield* emptyDatabase, 3))
    expect(found).toEqual([])
  })
)

/** Runs a statement of a migration at the end of each batch, in its transaction. */
const atEachBatch = <A>(inspect: (sql: SqlClient.SqlClient, name: string) => Effect.Effect<A, SqlError>) =>
  Record.map(migrations, (migration, name) =>
    stepsOf(migration).map((step) =>
      MigrationStep.$is("MoveData")(step)
        ? MigrationStep.MoveData({
            moveBatch: (sql, after) => Effect.tap(step.moveBatch(sql, after), () => inspect(sql, name))
          })
        : step
    )
  )

concurrentTest("no batch of a migration locks more than a few long documents, and every one is moved", () =>
  Effect.gen(function* () {
    const pool = poolOn(yield* emptyDatabase, 3)
    const count = 6
    const records = Array.makeBy(200, (nth) => `h${nth} 300 TXT "${nth}${"x".repeat(900)}"`)
    const doc = encodeConnection(connectionFor("example.com", records))
    const locked: Array<readonly [name: string, bytes: number]> = []
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* runMigrations(Record.filter(migrations, (_, name) => name < "0005"))
      yield* sql`
        insert into connections (id, application_id, tenant_id, state, doc)
        select 'con_' || n, 'app', 'tenant', 'active', ${doc} from generate_series(1, ${count}) n`
      yield* runMigrations(
        atEachBatch((sql, name) =>
          Effect.map(
            sql`
              select sum(octet_length(doc))::int as bytes from connections
              where pg_current_xact_id()::xid in (xmin, xmax)`,
            ([row]) => void locked.push([name, Number(row?.["bytes"] ?? 0)])
          )
        )
      )
      expect(new Set(locked.filter(([, bytes]) => bytes > 0).map(([name]) => name))).toEqual(
        new Set(["0005_lifecycle", "0011_connection_hosts", "0038_lists", "0050_operator_lists"])
      )
      expect(locked.filter(([, bytes]) => bytes > 524_288 + doc.length)).toEqual([])
      expect(
        yield* sql`select count(*)::int from connections join connection_hosts on connection_id = id group by id`
      ).toEqual(Array.replicate({ count: 200 }, count))
    }).pipe(Effect.provide(pool))
  })
)
