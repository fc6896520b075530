import { SqlClient } from "@effect/sql"
import { Data, Deferred, Duration, Effect, Layer, Schedule } from "effect"
import { sqlErrorReason } from "../StoreUnavailable.ts"

/** Another process of the service works on this database already. */
export class InstanceAlreadyRunning extends Data.TaggedError("InstanceAlreadyRunning")<{ readonly message: string }> {}

/**
 * Holds an advisory lock for the life of the process: two processes would run the same phases. The lock goes with its
 * connection, so it is taken anew when that is lost; if another process was faster then, this one stops.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const held = yield* Deferred.make<void, InstanceAlreadyRunning>()
    const keep = Effect.scoped(
      Effect.flatMap(lock, (connection) =>
        Effect.zipRight(
          Deferred.succeed(held, undefined),
          Effect.repeat(connection.executeValues("select 1", []), Schedule.spaced(lookEvery))
        )
      )
    )
    yield* keep.pipe(
      Effect.catchTags({
        InstanceAlreadyRunning: (error) =>
          Effect.if(Deferred.fail(held, error), { onTrue: () => Effect.never, onFalse: () => stop }),
        SqlError: (error) =>
          Effect.logWarning("Lost the lock of this instance").pipe(
            Effect.annotateLogs({ reason: sqlErrorReason(error) })
          )
      }),
      Effect.repeat(Schedule.spaced(lookEvery)),
      Effect.forkScoped
    )
    yield* Deferred.await(held)
  })
)

const lookEvery = Duration.seconds(1)

const lock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const [row] = yield* connection.executeValues("select pg_try_advisory_lock(727001)", [])
  if (row?.[0] === true) return connection
  return yield* new InstanceAlreadyRunning({
    message: "another instance of the service runs on this database; set CLUSTER=true"
  })
})

/** As if an operator had asked: what is in flight ends well. */
const stop = Effect.zipRight(
  Effect.logFatal("Another instance has taken over this database; stopping"),
  Effect.sync(() => process.kill(process.pid, "SIGTERM"))
)
