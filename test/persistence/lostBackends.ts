import { SqlClient } from "@effect/sql"
import { Array, Effect, Schedule } from "effect"
import type { OwnPostgres } from "./ownPostgres.ts"

/** The statements that a fault hits: those that write a row of a table for which the condition holds. */
export interface FaultPoint {
  readonly table: string
  readonly operation: "insert" | "update"
  /** A condition on `new` and, for updates, `old`. */
  readonly when: string
}

/** What happens to the backend that runs such a statement. */
export type SessionFault = "terminated" | "killed" | "stopped"

/**
 * Makes the next statements at a point lose their backend while they run, as often as `times` says. A backend is
 * terminated by the server; or killed with SIGKILL, after which PostgreSQL restarts all backends; or stopped with
 * SIGSTOP for longer than the service waits for an answer, and then continues. Returns the hits that are still to come.
 */
export const loseBackendsAt = (postgres: OwnPostgres, point: FaultPoint, fault: SessionFault, times: number) =>
  Effect.gen(function* () {
    const { run } = postgres
    yield* run(install(point, times))
    yield* Effect.addFinalizer(() => run(remove(point)))
    yield* Effect.forkScoped(Effect.forever(hitPausedBackend(postgres, fault)))
    return run(readRemaining)
  })

/** A trigger pauses the statements; the test counts, because what a lost transaction counts is lost with it. */
const install = ({ operation, table, when }: FaultPoint, times: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      create table fault (remaining integer not null);
      insert into fault values (${sql.literal(String(times))});
      create function pause_while_faulty() returns trigger language plpgsql as $$
        begin
          while exists (select 1 from fault where remaining > 0) loop perform pg_sleep(0.01); end loop;
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

const readRemaining = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly remaining: number }>`select remaining from fault`, ([row]) => row?.remaining)
)

/** Waits for a statement that pauses, and hits its backend before the others continue. */
const hitPausedBackend = ({ run }: OwnPostgres, fault: SessionFault) =>
  Effect.gen(function* () {
    const pid = yield* Effect.retry(Effect.sandbox(run(findPausedBackend)), waiting)
    if (fault === "terminated") yield* run(terminate(pid))
    else yield* signal(pid, fault === "killed" ? "SIGKILL" : "SIGSTOP")
    yield* Effect.retry(Effect.sandbox(run(countHit)), waiting)
    if (fault === "stopped") yield* Effect.ensuring(Effect.sleep(stoppedFor), signal(pid, "SIGCONT"))
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

const countHit = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update fault set remaining = remaining - 1`)

const terminate = (pid: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_terminate_backend(${pid}::int)`)

/** A process that has ended needs no signal. */
const signal = (pid: number, name: NodeJS.Signals) => Effect.ignore(Effect.try(() => process.kill(pid, name)))
