import { SqlClient, type SqlConnection, SqlError } from "@effect/sql"
import { Context, Duration, Effect, Layer, Option, Ref } from "effect"
import { isDiskError, readSqlErrorReason, readSqlState } from "../StoreUnavailable.ts"

/**
 * `database`: no answer, or no tables. `disk`: full or broken. `read_only`: no writes, as at a standby. `writes`: they do
 * not end, as on a stalled disk or without the synchronous standby.
 */
export type DatabaseProblem = "database" | "disk" | "read_only" | "writes"

interface WriteTrials {
  /** The pause while writes succeed. */
  readonly interval: Duration.DurationInput
  /** The pause after any other trial. */
  readonly recheckInterval: Duration.DurationInput
  /** How long a write may take. */
  readonly timeout: Duration.DurationInput
}

/** Checks whether the database answers, has our tables and can be written to. */
export class DatabaseReadiness extends Context.Tag("persistence/DatabaseReadiness")<
  DatabaseReadiness,
  {
    /** Finds the current problems: it reads one row; writes are tried in the background, at most every five seconds. */
    readonly findProblems: Effect.Effect<ReadonlyArray<DatabaseProblem>>
  }
>() {
  static readonly layerWith = (trials: WriteTrials) =>
    Layer.scoped(
      DatabaseReadiness,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const writes = yield* Ref.make<WriteState>({ problem: Option.none(), unanswered: 0 })
        yield* Effect.forkScoped(Effect.interruptible(Effect.forever(watchWrites(writes, trials))))
        return {
          findProblems: Effect.zipWith(
            Effect.provideService(isAnswering, SqlClient.SqlClient, sql),
            writes,
            (answers, { problem }): ReadonlyArray<DatabaseProblem> => [
              ...(answers ? [] : ["database" as const]),
              ...Option.toArray(problem)
            ]
          )
        }
      })
    )

  // A write that hangs is cancelled before the connection gives up and leaves its session behind.
  static readonly layer = DatabaseReadiness.layerWith({
    interval: "5 seconds",
    recheckInterval: "1 second",
    timeout: "4 seconds"
  })
}

export type WriteProblem = Exclude<DatabaseProblem, "database">

interface WriteState {
  readonly problem: Option.Option<WriteProblem>
  /** How many trials in a row got no result although the database answered. */
  readonly unanswered: number
}

const isAnswering = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1 from migrations limit 1`).pipe(
  Effect.timeout(Duration.seconds(2)),
  Effect.isSuccess
)

/** Tries a write, and waits until the next one is due. */
const watchWrites = (current: Ref.Ref<WriteState>, trials: WriteTrials) =>
  Effect.gen(function* () {
    const { interval, recheckInterval } = trials
    const before = yield* current
    const now = yield* Effect.scoped(runWriteTrial(before, trials))
    yield* Ref.set(current, now)
    if (Option.isSome(now.problem) && Option.isNone(before.problem)) {
      yield* Effect.logError("The database accepts no writes").pipe(Effect.annotateLogs({ problem: now.problem.value }))
    }
    if (Option.isNone(now.problem) && Option.isSome(before.problem))
      yield* Effect.logInfo("The database accepts writes again")
    yield* Effect.sleep(Option.isNone(now.problem) && now.unanswered === 0 ? interval : recheckInterval)
  })

/**
 * Tries a write on a connection of its own, which goes back to the pool only when the server has given up too, so that no
 * read waits behind the write. While earlier trials wait there, no other one joins them.
 */
const runWriteTrial = (before: WriteState, { recheckInterval, timeout }: WriteTrials) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve).pipe(
    Effect.flatMap((connection) =>
      Effect.timeoutFail(
        Effect.if(before.unanswered === 0 ? Effect.succeed(false) : hasStuckTrials(connection), {
          onTrue: () => Effect.fail(didNotEnd),
          onFalse: () => tryWrite(connection)
        }),
        { duration: timeout, onTimeout: () => didNotEnd }
      )
    ),
    Effect.map((problem): WriteState => ({ problem, unanswered: 0 })),
    Effect.catchAll((error) => Effect.zipLeft(classifyUnclearTrial(before, error), Effect.sleep(recheckInterval)))
  )

const didNotEnd = new SqlError.SqlError({ cause: undefined, message: "a write did not end in time" })

/** Whether the server still works on trials from which their clients have gone. */
const hasStuckTrials = (connection: SqlConnection.Connection) =>
  Effect.map(
    connection.execute(
      `select count(*)::int as stuck from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and strpos(query, $1) > 0`,
      [trialMark],
      undefined
    ),
    ([row]) => row?.stuck >= maxStuckTrials
  )

/** Two, because one alone may be a lost connection. */
const maxStuckTrials = 2

/** Judges a write without a result: twice in a row, writes do not end; once, it may be a lost connection. */
const classifyUnclearTrial = (before: WriteState, error: SqlError.SqlError) =>
  Effect.gen(function* () {
    yield* Effect.logDebug("Could not try a write", readSqlErrorReason(error))
    const gotNoResult = Option.isNone(readSqlState(error)) && (yield* isAnswering)
    if (!gotNoResult) return { ...before, unanswered: 0 }
    const unanswered = before.unanswered + 1
    return { problem: unanswered < 2 ? before.problem : Option.some("writes" as const), unanswered }
  })

/** Tries half a megabyte of new blocks, as a temporary file, and a commit flushed to the log. Leaves no row. */
export const tryWrite = (
  connection: SqlConnection.Connection
): Effect.Effect<Option.Option<WriteProblem>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* connection.execute(
      "select current_setting('transaction_read_only') = 'on' as read_only",
      [],
      undefined
    )
    if (row?.read_only === true) return Option.some("read_only" as const)
    yield* connection.execute(writeStatements, [], undefined)
    return Option.none<WriteProblem>()
  }).pipe(
    Effect.catchIf(
      (error) => isDiskError(error),
      () => Effect.succeedSome("disk" as const)
    )
  )

const trialMark = "pg_logical_emit_message(true, 'readiness', '')"

const writeStatements = `select set_config('work_mem', '64kB', true);
  select count(*) from generate_series(1, 20000);
  select ${trialMark}`
