import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Deferred, Duration, Effect, Layer, Schedule } from "effect"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { retryAtStart, startupRetry } from "./retryAtStart.ts"

/** Another process of the service already uses this database. */
export class InstanceAlreadyRunning extends Data.TaggedError("InstanceAlreadyRunning")<{ readonly message: string }> {}

/**
 * Holds an advisory lock, because two processes would run the same phases. It ends with its connection, and is acquired
 * again; if another process holds it for ten seconds, this one stops.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const acquired = yield* Deferred.make<void, InstanceAlreadyRunning | SqlError>()
    const holdLock = Effect.scoped(
      Effect.flatMap(acquireLock, (connection) =>
        Effect.zipRight(
          Deferred.succeed(acquired, undefined),
          Effect.repeat(connection.executeValues("select 1", []), Schedule.spaced(pollInterval))
        )
      )
    )
    const failStart = (error: InstanceAlreadyRunning | SqlError, otherwise: Effect.Effect<void>) =>
      Effect.if(Deferred.fail(acquired, error), { onTrue: () => Effect.never, onFalse: () => otherwise })
    yield* retryAtStart(holdLock).pipe(
      Effect.catchTags({
        InstanceAlreadyRunning: (error) => failStart(error, stop),
        SqlError: (error) =>
          failStart(
            error,
            Effect.logWarning("Cannot hold the lock of this instance; trying again").pipe(
              Effect.annotateLogs({ reason: readSqlErrorReason(error) })
            )
          )
      }),
      Effect.repeat(Schedule.spaced(pollInterval)),
      Effect.forkScoped
    )
    yield* Deferred.await(acquired)
  })
)

/** The number of the advisory lock, the same in every version. */
export const instanceLock = 727_001

const pollInterval = Duration.seconds(1)

/** Waits for ten seconds, as PostgreSQL may take a while to notice that the connection with the lock is lost. */
const acquireLock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  yield* connection.executeValues(`select pg_try_advisory_lock(${instanceLock})`, []).pipe(
    Effect.filterOrFail(
      ([row]) => row?.[0] === true,
      () =>
        new InstanceAlreadyRunning({
          message: "another instance of the service runs on this database; set CLUSTER=true"
        })
    ),
    Effect.retry({
      schedule: startupRetry,
      while: ({ _tag }) => _tag === "InstanceAlreadyRunning"
    })
  )
  return connection
})

/** Stops as on the signal of an operator, so that running work can finish. */
const stop = Effect.zipRight(
  Effect.logFatal("Another instance has taken over this database; stopping"),
  Effect.sync(() => process.kill(process.pid, "SIGTERM"))
)
