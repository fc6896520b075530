import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Record } from "effect"
import { migrations } from "../../../src/persistence/postgres/migrate.ts"
import { MigrationStep, stepsOf } from "../../../src/persistence/postgres/MigrationStep.ts"
import { runMigrations } from "../../../src/persistence/postgres/runMigrations.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
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
