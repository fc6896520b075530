import { SqlClient, type SqlConnection } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Duration, Effect, Option, Ref, Schedule } from "effect"
import { readSqlState } from "../StoreUnavailable.ts"
import { findBlockers, findHolders, nameSessions } from "./sessionsInTheWay.ts"

/** The one session that migrates a database: whatever it runs is run by nobody else at the same time. */
export interface MigrationSession {
  /** Names in the log the migration that it runs from now on. */
  readonly begin: (migration: string) => Effect.Effect<void>
  /** Runs statements that hold no lock that requests need; they wait for other sessions as long as it takes. */
  readonly run: <A, R>(statements: Effect.Effect<A, SqlError, R>) => Effect.Effect<A, SqlError, Exclude<R, Transaction>>
  /**
   * Runs statements in a transaction. Requests queue behind its wait for a table's lock: it waits for a fifth of a second,
   * and tries again two seconds later, until the lock is free.
   */
  readonly runInTransaction: MigrationSession["run"]
}

type Transaction = SqlClient.TransactionConnection

/** Opens the session once no other process migrates, and logs those in its way. Its lock ends with its connection. */
export const openMigrationSession = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const execute = (text: string) => connection.executeRaw(text, [])
  yield* acquireMigrationLock(connection)
  yield* Effect.acquireRelease(setTimeouts(connection, noTimeouts), (former) =>
    Effect.ignore(setTimeouts(connection, former))
  )
  const migration = yield* Ref.make("")
  const [[pid] = []] = yield* connection.executeValues("select pg_backend_pid()", [])
  yield* Effect.forkScoped(
    Effect.interruptible(
      nameSessions(findBlockers(pid), (session) =>
        Effect.flatMap(migration, (name) =>
          Effect.annotateLogs(
            Effect.logWarning("A migration waits for the lock of another session; requests do not wait for it"),
            { migration: name, ...session }
          )
        )
      )
    )
  )
  const run: MigrationSession["run"] = (statements) =>
    Effect.provideService(statements, SqlClient.TransactionConnection, [connection, 0])
  const session: MigrationSession = {
    begin: (name) => Ref.set(migration, name),
    run,
    runInTransaction: (statements) =>
      execute(
        `begin; set local lock_timeout = ${Duration.toMillis(longestQueueing)}; set local statement_timeout = 0`
      ).pipe(
        Effect.zipRight(run(statements)),
        Effect.zipLeft(execute("commit")),
        Effect.onError(() => Effect.ignore(execute("rollback"))),
        Effect.retry({ schedule: Schedule.spaced(pauseBetweenTries), while: isLockConflict })
      )
  }
  return session
})

const longestQueueing = Duration.millis(200)
const pauseBetweenTries = Duration.seconds(2)

/** SQLSTATE (PostgreSQL, appendix A) of a lock that is not free in time, a deadlock, and a concurrent update. */
const isLockConflict = (error: SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => ["55P03", "40P01", "40001"].includes(state))

/** Polls for the lock: a wait inside the database holds a snapshot, which index creations would wait for. */
const acquireMigrationLock = (connection: SqlConnection.Connection) =>
  Effect.acquireReleaseInterruptible(
    Effect.raceFirst(
      Effect.repeat(connection.executeValues(`select pg_try_advisory_lock(${migrationLock})`, []), {
        until: ([row]) => row?.[0] === true,
        schedule: Schedule.spaced("100 millis")
      }),
      // Among processes that start together on a new database, it takes less.
      Effect.delay(
        nameSessions(findHolders(migrationLock), (session) =>
          Effect.annotateLogs(Effect.logWarning("Another process migrates the database; waiting for its end"), session)
        ),
        "1 second"
      )
    ),
    () => Effect.ignore(connection.executeValues(`select pg_advisory_unlock(${migrationLock})`, []))
  )

const migrationLock = 727_002

interface SessionTimeouts {
  readonly lock: unknown
  readonly statement: unknown
}

/** An index on many rows takes longer than an operator may allow a statement, or a request its wait for a lock. */
const noTimeouts: SessionTimeouts = { lock: "0", statement: "0" }

/** Sets the time limits of a session, and returns the former ones. */
const setTimeouts = (connection: SqlConnection.Connection, { lock, statement }: SessionTimeouts) =>
  Effect.gen(function* () {
    const [former] = yield* connection.execute(
      "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
      [],
      undefined
    )
    yield* connection.execute(
      "select set_config('lock_timeout', $1, false), set_config('statement_timeout', $2, false)",
      [lock, statement],
      undefined
    )
    return { lock: former?.lock, statement: former?.statement } satisfies SessionTimeouts
  })
