import { readFileSync } from "node:fs"
import type { BenchSubject } from "./BenchSubject.ts"
import { childrenOf, threadNanosOf } from "./processes.ts"

/** The processor time of one measurement, in microseconds; `NaN` on a system without /proc. */
export interface ProcessorUse {
  /** Of the subject. */
  readonly serverMicros: number
  /** Of PostgreSQL: the backends and its other processes. */
  readonly databaseMicros: number
  /** Of this process, which generates the load. */
  readonly clientMicros: number
  /** The share of the machine, from 0 to 1, that all other processes and other virtual machines took. */
  readonly foreignShare: number
}

/** Starts to measure. The returned function ends it. */
export const startProcessorMeter = (subject: BenchSubject): (() => ProcessorUse) => {
  const before = snapshotOf(subject)
  return () => useBetween(before, snapshotOf(subject))
}

/** Times so far: of threads in nanoseconds, of the machine in ticks. */
interface Snapshot {
  readonly server: ReadonlyMap<string, number>
  readonly database: ReadonlyMap<string, number>
  readonly client: NodeJS.CpuUsage
  readonly machine: MachineTicks
}

const snapshotOf = ({ database, pid }: BenchSubject): Snapshot => {
  const postmaster = postmasterOf(database)
  return {
    server: threadNanosOf([pid]),
    database: threadNanosOf([postmaster, ...childrenOf(postmaster)]),
    client: process.cpuUsage(),
    machine: machineTicks()
  }
}

const useBetween = (before: Snapshot, after: Snapshot): ProcessorUse => {
  const serverMicros = microsBetween(before.server, after.server)
  const databaseMicros = microsBetween(before.database, after.database)
  const { system, user } = process.cpuUsage(before.client)
  const clientMicros = system + user
  const busyMicros = (after.machine.busy - before.machine.busy) * microsPerTick
  const allMicros = (after.machine.all - before.machine.all) * microsPerTick
  const foreignMicros = busyMicros - serverMicros - databaseMicros - clientMicros
  return { serverMicros, databaseMicros, clientMicros, foreignShare: Math.max(foreignMicros / allMicros, 0) }
}

/** A thread that ended meanwhile had been idle for seconds; one that began meanwhile counts as a whole. */
const microsBetween = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number =>
  before.size === 0
    ? Number.NaN
    : [...after].reduce((sum, [thread, nanos]) => sum + nanos - (before.get(thread) ?? 0), 0) / 1_000

/** PostgreSQL writes the id of its first process into the lock file of its socket. */
const postmasterOf = ({ socketDirectory }: BenchSubject["database"]): number =>
  Number(readFileSync(`${socketDirectory}/.s.PGSQL.5432.lock`, "utf8").split("\n")[0])

/** Summed over all processors. */
interface MachineTicks {
  readonly all: number
  readonly busy: number
}

const microsPerTick = 10_000

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq and steal, in ticks. */
const machineTicks = (): MachineTicks => {
  const ticks = machineStatistics().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, count) => sum + count, 0)
  return { all, busy: all - (ticks[3] ?? Number.NaN) - (ticks[4] ?? Number.NaN) }
}

const machineStatistics = (): string => {
  try {
    return readFileSync("/proc/stat", "utf8")
  } catch {
    return ""
  }
}
