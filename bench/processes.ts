import { readdirSync, readFileSync } from "node:fs"

/**
 * The processor time of a process so far, with that of its children that have ended, in microseconds; `NaN` on a system
 * without /proc.
 */
export const cpuMicrosOf = (pid: number): number => {
  const [, fields = ""] = fileOf(pid, "stat").split(") ")
  const ticks = fields.split(" ").slice(11, 15).map(Number)
  return ticks.length === 0 ? Number.NaN : ticks.reduce((sum, count) => sum + count) * microsPerTick
}

/** The processor time of all descendants of a process so far, in microseconds by program; 0 on a system without /proc. */
export const cpuMicrosByProgram = (pid: number): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(descendantsOf(pid), ({ program }) => program)].map(([program, running]) => [
      program,
      // One that has ended since counts for its parent.
      running.reduce((sum, each) => sum + (cpuMicrosOf(each.pid) || 0), 0)
    ])
  )

/** Processor times of what takes part in the work of a service. */
export interface ProcessorTimes {
  readonly service: number
  readonly postgres: number
  readonly nameServers: number
  /** This process. */
  readonly clients: number
}

/** The processor times so far, in microseconds. Of PostgreSQL and name servers, only those that this process has started count. */
export const cpuMicrosOfParts = (service: number): ProcessorTimes => {
  const byProgram = cpuMicrosByProgram(process.pid)
  const sumOf = (...programs: ReadonlyArray<string>) =>
    programs.reduce((sum, program) => sum + (byProgram.get(program) ?? 0), 0)
  return {
    service: cpuMicrosOf(service),
    postgres: sumOf("postgres"),
    nameServers: sumOf("pdns_server", "unbound", "knotd", "named"),
    clients: cpuMicrosOf(process.pid)
  }
}

/**
 * The processor time of each thread of these processes so far, in nanoseconds; empty on a system without /proc. It is
 * finer than `cpuMicrosOf`, and misses threads that have ended.
 */
export const threadNanosOf = (pids: ReadonlyArray<number>): ReadonlyMap<string, number> =>
  new Map(
    pids.flatMap((pid) =>
      threadsOf(pid).flatMap((thread): ReadonlyArray<[string, number]> => {
        const nanos = Number.parseInt(fileOf(pid, `task/${thread}/schedstat`), 10)
        return Number.isNaN(nanos) ? [] : [[thread, nanos]]
      })
    )
  )

/** The children of a process; empty on a system without /proc. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  threadsOf(pid).flatMap((thread) =>
    fileOf(pid, `task/${thread}/children`)
      .split(" ")
      .filter((child) => child !== "")
      .map(Number)
  )

/** The resident memory of a process in MB; 0 once it has ended. */
export const residentMegabytesOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(fileOf(pid, "status"))?.[1] ?? residentKilobytesByPs(pid)) / 1_024

/** The memory of all descendants of a process in MB. Where possible, shared memory counts once. */
export const descendantMegabytes = (pid: number): number =>
  descendantsOf(pid).reduce((sum, child) => sum + proportionalKilobytes(child), 0) / 1_024

/** For systems without /proc. */
const residentKilobytesByPs = (pid: number): number => processes().find((process) => process.pid === pid)?.rss ?? 0

const microsPerTick = 10_000

/** `rss` in KB. */
interface Process {
  readonly pid: number
  readonly ppid: number
  readonly rss: number
  readonly program: string
}

const descendantsOf = (pid: number): ReadonlyArray<Process> => {
  const childrenOfEach = Map.groupBy(processes(), ({ ppid }) => ppid)
  const below = (parent: number): ReadonlyArray<Process> =>
    (childrenOfEach.get(parent) ?? []).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

const processes = (): ReadonlyArray<Process> =>
  Bun.spawnSync(["ps", "-axo", "pid=,ppid=,rss=,comm="])
    .stdout.toString()
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, ppid, rss, ...program] = line.trim().split(/\s+/)
      return { pid: Number(pid), ppid: Number(ppid), rss: Number(rss), program: program.join(" ") }
    })

const proportionalKilobytes = ({ pid, rss }: Process): number =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(fileOf(pid, "smaps_rollup"))?.[1] ?? rss)

const threadsOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** A file of a process in /proc; empty once it has ended, and on a system without /proc. */
const fileOf = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return ""
  }
}
