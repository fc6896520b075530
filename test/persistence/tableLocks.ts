import { SqlClient } from "@effect/sql"
import { Effect, Schedule } from "effect"

/** Runs an effect while a separate session locks a table, so that every statement on it waits. */
export const withLockedTable = <A, E, R>(table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const session = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
    yield* session.executeRaw(`begin; lock table ${table}`, [])
    yield* Effect.addFinalizer(() => Effect.ignore(session.executeRaw("rollback", [])))
    return yield* effect
  }).pipe(Effect.scoped)

/** The process id of the one session that waits for a lock, as soon as there is one. */
export const findWaitingSession = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql<{ readonly pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.pipe(
    Effect.map((sessions) => sessions.map(({ pid }) => pid)),
    Effect.filterOrFail(([pid, ...others]) => pid !== undefined && others.length === 0),
    Effect.map(([pid = 0]) => pid),
    Effect.retry(Schedule.spaced("5 millis").pipe(Schedule.upTo("2 minutes")))
  )
)
