import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Lets an effect run while a session of its own holds a table, so that every statement on it waits. */
export const withLockedTable = <A, E, R>(table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const other = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
    yield* other.executeRaw(`begin; lock table ${table}`, [])
    yield* Effect.addFinalizer(() => Effect.ignore(other.executeRaw("rollback", [])))
    return yield* effect
  }).pipe(Effect.scoped)
