import { SqlClient } from "@effect/sql"
import { Array, Effect, Fiber, Schedule } from "effect"
import { type BackendFault, signalProcess, terminateBackend } from "../../prove/backendFaults.ts"
import type { OwnPostgres } from "./ownPostgres.ts"

/** The statements that a fault hits: those that write a row of a table for which the condition holds. */
export interface FaultPoint {
  readonly table: string
  readonly operation: "insert" | "update"
  /** A condition on `new` and, for updates, `old`. */
  readonly when: string
}

/**
 * Makes the next statement at a point lose its backend while it runs. The backend is terminated by the server; or killed
 * with SIGKILL, after which PostgreSQL restarts all backends; or stopped with SIGSTOP for longer than the service waits
 * for an answer, and then continues. Returns an effect that waits until this has happened.
 */
export const loseBackendAt = (postgres: OwnPostgres, point: FaultPoint, fault: BackendFault) =>
  Effect.gen(function* () {
    yield* postgres.run(install(point))
    yield* Effect.addFinalizer(() => postgres.run(remove(point)))
    return Fiber.join(yield* Effect.forkScoped(hitPausedBackend(postgres, fault)))
  })

/** A trigger pauses the statements until the test says that one was hit; what a lost transaction says is lost with it. */
const install = ({ operation, table, when }: FaultPoint) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      create table fault (hit boolean not null);
      insert into fault values (false);
      create function pause_while_faulty() returns trigger language plpgsql as $$
        begin
          while exists (select 1 from fault where not hit) loop perform pg_sleep(0.01); end loop;
          return new;
        end $$;
      create trigger pause_while_faulty before ${sql.literal(operation)} on ${sql(table)} for each row
        when (${sql.literal(when)}) execute function pause_while_faulty()`
  )

const remove = ({ table }: FaultPoint) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      drop trigger pause_while_faulty on ${sql(table)};
      drop function pause_while_faulty;
      drop table fault`
  )

/** Waits for a statement that pauses, and hits its backend before the others continue. */
const hitPausedBackend = ({ run }: OwnPostgres, fault: BackendFault) =>
  Effect.gen(function* () {
    const pid = yield* Effect.retry(Effect.sandbox(run(findPausedBackend)), waiting)
    if (fault === "terminated") yield* run(terminateBackend(pid))
    else yield* signalProcess(pid, fault === "killed" ? "SIGKILL" : "SIGSTOP")
    yield* Effect.retry(Effect.sandbox(run(recordHit)), waiting)
    if (fault === "stopped") yield* Effect.ensuring(Effect.sleep(stoppedFor), signalProcess(pid, "SIGCONT"))
  })

const waiting = Schedule.spaced("20 millis")

/** Longer than the five seconds after which the service gives a statement up. */
const stoppedFor = "6 seconds"

const findPausedBackend = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql<{ readonly pid: number }>`select pid from pg_stat_activity where wait_event = 'PgSleep' limit 1`.pipe(
    Effect.flatMap(Array.head),
    Effect.map(({ pid }) => pid)
  )
)

const recordHit = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update fault set hit = true`)
