import { SqlClient } from "@effect/sql"
import { Array, Duration, Effect, Option } from "effect"
import type { ProofDatabase } from "./ProofDatabase.ts"

/**
 * What happens to one backend of the service: the server terminates it; SIGKILL, after which PostgreSQL restarts all of
 * them; SIGSTOP for four seconds.
 */
export type BackendFault = "terminated" | "killed" | "stopped"

export const backendFaults: ReadonlyArray<BackendFault> = ["terminated", "killed", "stopped"]

/** Hits one backend of the service, if there is one, preferably one that runs a statement; returns the fault if it did. */
export const loseBackend = ({ run }: ProofDatabase, random: () => number, fault: BackendFault) =>
  Effect.gen(function* () {
    const backends = yield* run(findBackends)
    const busy = backends.filter(({ isBusy }) => isBusy)
    const choice = Array.get(busy, Math.floor(random() * busy.length)).pipe(
      Option.orElse(() => Array.get(backends, Math.floor(random() * backends.length)))
    )
    if (Option.isNone(choice)) return Option.none<BackendFault>()
    const { pid } = choice.value
    if (fault === "terminated") yield* run(terminateBackend(pid))
    if (fault === "killed") yield* signalProcess(pid, "SIGKILL")
    if (fault === "stopped") {
      yield* signalProcess(pid, "SIGSTOP")
      yield* Effect.ensuring(Effect.sleep(stoppedFor), signalProcess(pid, "SIGCONT"))
    }
    return Option.some(fault)
  })

const stoppedFor = Duration.seconds(4)

/** Without the one that holds the lock of the instance: it outlives a killed service, and the next one would not start. */
const findBackends = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly pid: number; readonly isBusy: boolean }>`
    select pid, state = 'active' as "isBusy" from pg_stat_activity as backend
    where datname = current_database() and application_name = 'domain-connection-service'
      and not exists (select 1 from pg_locks where locktype = 'advisory' and pg_locks.pid = backend.pid)
    order by pid`
)

/** Makes the server terminate a backend. */
export const terminateBackend = (pid: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_terminate_backend(${pid}::int)`)

/** Signals a process; one that has ended needs no signal. */
export const signalProcess = (pid: number, name: NodeJS.Signals) =>
  Effect.ignore(Effect.try(() => process.kill(pid, name)))

/** The failures that connections have recorded, whatever became of them later. */
export const findFailures = ({ run }: ProofDatabase) =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{ readonly failure: string }>`
          select connection_id || ': ' || coalesce(failure, 'failed') as failure from connection_events
          where to_state = 'failed' or failure is not null`,
        Array.map(({ failure }) => failure)
      )
    )
  )
