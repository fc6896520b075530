import { Effect, Schedule } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"

/**
 * If allowed, gives this process and all its descendants a priority above other work on the machine until the scope
 * closes. Linux shares the processor among sessions first (sched(7), autogroup), and among the processes of one session
 * then. Each backend of PostgreSQL begins a session of its own, with the usual priority: one that starts during an attack
 * would wait for seconds behind the processes that have been raised.
 */
export const keepPriorityRaised = Effect.sync(() => {
  attempt(() => setPriority(priority))
  for (const pid of [process.pid, ...descendantsOf(process.pid, parentsByPid())])
    attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(priority)))
}).pipe(Effect.repeat(Schedule.spaced("50 millis")), Effect.forkScoped)

const priority = -10

/** Neither every system nor every user can do this, and processes end meanwhile. */
const attempt = (raise: () => void): void => {
  try {
    raise()
  } catch {}
}

const descendantsOf = (pid: number, parents: ReadonlyMap<number, number>): ReadonlyArray<number> =>
  [...parents].flatMap(([child, parent]) => (parent === pid ? [child, ...descendantsOf(child, parents)] : []))

const parentsByPid = (): ReadonlyMap<number, number> => {
  const parents = new Map<number, number>()
  attempt(() => {
    for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
      attempt(() => parents.set(Number(name), parentOf(readFileSync(`/proc/${name}/stat`, "utf8"))))
  })
  return parents
}

/** The parent stands two fields after the name of the program, which is in parentheses (proc_pid_stat(5)). */
const parentOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
