import { SqlClient } from "@effect/sql"
import { Context, Duration, Effect, Layer } from "effect"

/** Checks whether the database answers and has our tables. */
export class DatabaseReadiness extends Context.Tag("persistence/DatabaseReadiness")<
  DatabaseReadiness,
  { readonly isReady: Effect.Effect<boolean> }
>() {
  static readonly layer = Layer.effect(
    DatabaseReadiness,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      isReady: sql`select 1 from migrations limit 1`.pipe(Effect.timeout(Duration.seconds(2)), Effect.isSuccess)
    }))
  )
}
