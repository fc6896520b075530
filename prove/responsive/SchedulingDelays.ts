import { readFileSync } from "node:fs"

/** In a time between two others by `performance.now`, so many milliseconds went by without a processor. */
export interface SchedulingDelay {
  readonly from: number
  readonly to: number
  readonly millis: number
}

/** Delays of the last minute: of this process, and of this process or another one that it watches. */
export interface SchedulingDelays {
  readonly own: ReadonlyArray<SchedulingDelay>
  readonly machine: ReadonlyArray<SchedulingDelay>
  /** Watches the main thread of another process from now on. */
  readonly watch: (pid: number) => void
}

/**
 * Records when the timers of this process are late: then the process itself, and not who it waits for, was delayed, by
 * other work on the machine. For how long the watched process was ready and had no processor, Linux counts: unlike a busy
 * or stopped event loop that is the machine's fault. Other systems do not say it, and it counts as nothing there.
 */
export const recordSchedulingDelays = (): SchedulingDelays => {
  const own: Array<SchedulingDelay> = []
  const machine: Array<SchedulingDelay> = []
  let watched: number | undefined
  let waited = 0
  const wait = () => {
    const from = performance.now()
    const dueAt = from + intervalMillis
    setTimeout(() => {
      const to = performance.now()
      const late = to - dueAt > toleranceMillis ? to - dueAt : 0
      if (late > 0) own.push({ from: dueAt, to, millis: late })
      const waitedBefore = waited
      waited = watched === undefined ? 0 : runQueueMillisOf(watched)
      // Both may have been delayed at the same time.
      const millis = Math.min(to - from, Math.max(late, waited - waitedBefore))
      if (millis > 0) machine.push({ from, to, millis })
      for (const delays of [own, machine]) while ((delays[0]?.to ?? to) < to - keptMillis) delays.shift()
      wait()
    }, intervalMillis)
  }
  wait()
  return {
    own,
    machine,
    watch: (pid) => {
      watched = pid
      waited = runQueueMillisOf(pid)
    }
  }
}

const intervalMillis = 5
/** The precision of a timer. */
const toleranceMillis = 2
const keptMillis = 60_000

/** For how long the main thread of a process has waited for a processor since its start; 0 if the system does not say. */
const runQueueMillisOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1_000_000
  } catch {
    return 0
  }
}

/** How many of the milliseconds between two times were delays, which are spread evenly where they overlap one of them. */
export const delayBetween = (delays: ReadonlyArray<SchedulingDelay>, from: number, to: number): number =>
  delays.reduce((sum, delay) => {
    const overlap = Math.max(0, Math.min(to, delay.to) - Math.max(from, delay.from))
    return sum + (delay.millis * overlap) / (delay.to - delay.from)
  }, 0)
