import { SqlClient, type SqlError } from "@effect/sql"
import { Context, Duration, Effect, Layer, Option, Predicate, Ref } from "effect"
import { readSqlErrorReason, readSqlState } from "../StoreUnavailable.ts"

/**
 * Why the database cannot serve requests. `database`: it does not answer, or lacks our tables. `disk`: it answers, but its
 * disk is full or broken. `read_only`: it answers, but accepts no writes, as a standby or a hosted database whose disk
 * has filled up.
 */
export type DatabaseProblem = "database" | "disk" | "read_only"

/** Checks whether the database answers, has our tables and can be written to. */
export class DatabaseReadiness extends Context.Tag("persistence/DatabaseReadiness")<
  DatabaseReadiness,
  {
    /** Reads one row. Writes are tried in the background, at most every five seconds. */
    readonly findProblems: Effect.Effect<ReadonlyArray<DatabaseProblem>>
  }
>() {
  static readonly layer = Layer.scoped(
    DatabaseReadiness,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const writeProblem = yield* Ref.make(Option.none<WriteProblem>())
      yield* Effect.forkScoped(Effect.interruptible(Effect.forever(watchWrites(writeProblem))))
      const isAnswering = sql`select 1 from migrations limit 1`.pipe(
        Effect.timeout(Duration.seconds(2)),
        Effect.isSuccess
      )
      return {
        findProblems: Effect.zipWith(isAnswering, writeProblem, (answers, problem): ReadonlyArray<DatabaseProblem> => [
          ...(answers ? [] : ["database" as const]),
          ...Option.toArray(problem)
        ])
      }
    })
  )
}

type WriteProblem = Exclude<DatabaseProblem, "database">

/** Tries a write, and waits until the next one is due. A write without a clear result changes nothing. */
const watchWrites = (current: Ref.Ref<Option.Option<WriteProblem>>) =>
  Effect.gen(function* () {
    const before = yield* current
    const found = yield* Effect.catchAll(Effect.asSome(tryWrite), (error) =>
      Effect.as(Effect.logDebug("Could not try a write", readSqlErrorReason(error)), Option.none())
    )
    const now = Option.getOrElse(found, () => before)
    yield* Ref.set(current, now)
    if (Option.isSome(now) && Option.isNone(before)) {
      yield* Effect.logError("The database accepts no writes").pipe(Effect.annotateLogs({ problem: now.value }))
    }
    if (Option.isNone(now) && Option.isSome(before)) yield* Effect.logInfo("The database accepts writes again")
    yield* Effect.sleep(Option.isSome(now) ? recheckInterval : checkInterval)
  })

const checkInterval = Duration.seconds(5)
const recheckInterval = Duration.seconds(1)

/**
 * Tries what our statements need: half a megabyte of new blocks on the disk, as a temporary file, and a commit that is
 * flushed to the write-ahead log. Neither leaves a row behind. PostgreSQL runs the statements as one transaction.
 */
const tryWrite: Effect.Effect<Option.Option<WriteProblem>, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`
    if (Predicate.hasProperty(row, "isReadOnly") && row.isReadOnly === true) return Option.some("read_only" as const)
    yield* sql`
      select set_config('work_mem', '64kB', true);
      select count(*) from generate_series(1, 20000);
      select pg_logical_emit_message(true, 'readiness', '')`
    return Option.none<WriteProblem>()
  }
).pipe(
  Effect.catchIf(
    (error) => isDiskError(error),
    () => Effect.succeedSome("disk" as const)
  )
)

/** SQLSTATE 53100 is a full disk, 58030 an input or output error (PostgreSQL, appendix A). */
const isDiskError = (error: SqlError.SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => state === "53100" || state === "58030")
