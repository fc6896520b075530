import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { Clock, Duration, Effect, Schema } from "effect"
import { decodeRows } from "../stores/decodeRows.ts"

/** A session of the database that another one waits for, as an operator finds it in `pg_stat_activity`. */
export type SessionInTheWay = typeof SessionInTheWay.Type

/** A column that only the owner of a session may see is `null` for others. */
const SessionInTheWay = Schema.Struct({
  pid: Schema.Int,
  application: Schema.NullOr(Schema.String),
  user: Schema.NullOr(Schema.String),
  transactionStartedAt: Schema.NullOr(Schema.String),
  queryStartedAt: Schema.NullOr(Schema.String)
})

type FindSessions = Effect.Effect<ReadonlyArray<SessionInTheWay>, SqlError, SqlClient.SqlClient>

/** The sessions that this one waits for; also those that end before an index on their tables is made. */
export const findBlockers = (pid: unknown): FindSessions =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => selectSessions(sql`pid = any (pg_blocking_pids(${pid}::int))`))

/** The sessions that hold an advisory lock in this database. */
export const findHolders = (lock: number): FindSessions =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    selectSessions(sql`pid in (
      select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and classid = 0 and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database()))`)
  )

/**
 * The sessions of this database whose transaction has been open for so long that a migration might wait for its end; also
 * those of other roles with a transaction whose age this role may not see (pg_read_all_stats).
 */
export const findLongTransactions: FindSessions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  selectSessions(
    sql`datname = current_database() and pid <> pg_backend_pid() and (
      xact_start < clock_timestamp() - interval '5 seconds'
      or backend_type is null and pid in (select pid from pg_locks where locktype = 'virtualxid' and mode = 'ExclusiveLock')
    )`
  )
)

/** The sessions of this database for whose transaction another session waits, but for those that wait themselves. */
export const findObstacles: FindSessions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  selectSessions(sql`datname = current_database() and cardinality(pg_blocking_pids(pid)) = 0 and pid in (
    select unnest(pg_blocking_pids(pid)) from pg_stat_activity where wait_event_type = 'Lock')`)
)

const selectSessions = (condition: Fragment) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* decodeSessions(
      yield* sql`
        select pid, coalesce(nullif(application_name, ''), backend_type) as application, usename as "user",
          to_char(xact_start at time zone 'UTC', ${timestamp}) as "transactionStartedAt",
          to_char(query_start at time zone 'UTC', ${timestamp}) as "queryStartedAt"
        from pg_stat_activity where ${condition} order by xact_start`
    )
  })

const timestamp = 'YYYY-MM-DD"T"HH24:MI:SS"Z"'

const decodeSessions = decodeRows(SessionInTheWay)

/** Reports sessions in the way, first and every ten seconds. Looks each tenth of a second; never ends. */
export const nameSessions = (find: FindSessions, report: (session: SessionInTheWay) => Effect.Effect<void>) => {
  const reportedAt = new Map<number, number>()
  const look = Effect.gen(function* () {
    const sessions = yield* find
    const now = yield* Clock.currentTimeMillis
    yield* Effect.forEach(sessions, (session) => {
      if (now - (reportedAt.get(session.pid) ?? -Infinity) < Duration.toMillis(reportInterval)) return Effect.void
      reportedAt.set(session.pid, now)
      return report(session)
    })
  })
  return Effect.forever(Effect.zipRight(Effect.sleep("100 millis"), Effect.ignore(look)))
}

const reportInterval = Duration.seconds(10)
