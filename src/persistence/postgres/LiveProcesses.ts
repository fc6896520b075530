import { SqlClient } from "@effect/sql"
import { Context, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { decodeRows } from "../stores/decodeRows.ts"

/**
 * How many processes work on the database, this one included: what each of them limits by itself, it divides by that
 * number. Without `layer` there are no other processes.
 */
export class LiveProcesses extends Context.Reference<LiveProcesses>()("persistence/LiveProcesses", {
  defaultValue: (): { readonly count: () => number } => ({ count: () => 1 })
}) {
  /**
   * Reads every two seconds which processes have told the workflow engine lately that they live. While the database
   * does not answer, the last number counts.
   */
  static readonly layer = Layer.scoped(
    LiveProcesses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const live = { count: 1 }
      const read = Effect.gen(function* () {
        const [row] = yield* decodeCount(
          yield* sql`
            select count(*)::int as live from cluster_runners
            where healthy and last_heartbeat > now() - ${Duration.toSeconds(heartbeatLifetime)} * interval '1 second'`
        )
        live.count = Math.max(1, row?.live ?? 1)
      }).pipe(
        Effect.catchTag("SqlError", (error) =>
          Effect.logDebug("Could not count the live processes", readSqlErrorReason(error))
        )
      )
      yield* read
      yield* Effect.forkScoped(Effect.repeat(read, Schedule.spaced(readInterval)))
      return { count: () => live.count }
    })
  )
}

const readInterval = Duration.seconds(2)

/** Each process sends a heartbeat a second; the engine gives up one that sent none for 4 seconds. */
const heartbeatLifetime = Duration.seconds(4)

const decodeCount = decodeRows(Schema.Struct({ live: Schema.Int }))
