import { Migrator, SqlClient } from "@effect/sql"
import { Duration, Effect, Schedule } from "effect"
import connections from "../migrations/0001_connections.ts"
import keys from "../migrations/0002_keys.ts"
import credentials from "../migrations/0003_credentials.ts"
import journal from "../migrations/0004_journal.ts"
import lifecycle from "../migrations/0005_lifecycle.ts"
import retention from "../migrations/0006_retention.ts"
import oauth from "../migrations/0007_oauth.ts"

/** Every file of `migrations/`, by its name; they only ever add, so that old and new code can share a database. */
export const migrations = {
  "0001_connections": connections,
  "0002_keys": keys,
  "0003_credentials": credentials,
  "0004_journal": journal,
  "0005_lifecycle": lifecycle,
  "0006_retention": retention,
  "0007_oauth": oauth
}

/** Brings the schema up to date. Processes that start together wait for each other. */
export const migrate = Effect.suspend(() =>
  Effect.scoped(
    Effect.zipRight(migrationLock, Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" }))
  )
)

/**
 * Holds the one lock under which tables are made, on a connection of its own. It asks again and again instead of
 * waiting inside the database, where `lock_timeout` would end the wait.
 */
export const migrationLock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const attempt = connection.executeValues("select pg_try_advisory_lock(727002)", [])
  yield* Effect.acquireRelease(
    attempt.pipe(
      Effect.filterOrFail(([row]) => row?.[0] === true),
      Effect.retry({ schedule: Schedule.spaced(Duration.millis(100)), while: (error) => error._tag !== "SqlError" })
    ),
    () => Effect.ignore(connection.executeValues("select pg_advisory_unlock(727002)", []))
  )
})
