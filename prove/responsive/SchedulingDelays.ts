/** A time in which this process could not run, in milliseconds by `performance.now`. */
export interface OwnDelay {
  readonly from: number
  readonly to: number
}

/**
 * Records when the timers of this process are late: then the process itself, and not who it waits for, was delayed, by
 * other work on the machine. It keeps the delays of the last minute.
 */
export const recordSchedulingDelays = (): ReadonlyArray<OwnDelay> => {
  const delays: Array<OwnDelay> = []
  const wait = () => {
    const dueAt = performance.now() + intervalMillis
    setTimeout(() => {
      const now = performance.now()
      if (now - dueAt > toleranceMillis) delays.push({ from: dueAt, to: now })
      while ((delays[0]?.to ?? now) < now - keptMillis) delays.shift()
      wait()
    }, intervalMillis)
  }
  wait()
  return delays
}

const intervalMillis = 5
/** The precision of a timer. */
const toleranceMillis = 2
const keptMillis = 60_000

/** For how many of the milliseconds between two times the process was delayed. */
export const ownDelayBetween = (delays: ReadonlyArray<OwnDelay>, from: number, to: number): number =>
  delays.reduce((sum, delay) => sum + Math.max(0, Math.min(to, delay.to) - Math.max(from, delay.from)), 0)
