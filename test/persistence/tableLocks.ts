import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Runs an effect while a separate session locks a table, so that every statement on it waits. */
export const withLockedTable = <A, E, R>(table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const session = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
    yield* session.executeRaw(`begin; lock table ${table}`, [])
    yield* Effect.addFinalizer(() => Effect.ignore(session.executeRaw("rollback", [])))
    return yield* effect
  }).pipe(Effect.scoped)
