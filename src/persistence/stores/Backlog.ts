import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Schema } from "effect"
import { orUnavailable, type StoreUnavailable } from "../StoreUnavailable.ts"
import { decodeRows } from "./decodeRows.ts"

/** Measures the phases that are due and that no process has taken. */
export class Backlog extends Context.Tag("persistence/Backlog")<
  Backlog,
  {
    /** How many are waiting, counted up to ten thousand, and for how many seconds the oldest has been due. */
    readonly measure: Effect.Effect<{ readonly waiting: number; readonly oldestSeconds: number }, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Backlog,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      measure: sql`
        select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestSeconds"
        from (select due_at from connections where due_at <= now() order by due_at limit 10000) as due`.pipe(
        Effect.flatMap(decodeBacklog),
        Effect.flatMap(Array.head),
        Effect.catchTag("NoSuchElementException", Effect.die),
        orUnavailable,
        Effect.withSpan("Backlog.measure")
      )
    }))
  )
}

const decodeBacklog = decodeRows(Schema.Struct({ waiting: Schema.Int, oldestSeconds: Schema.Number }))
