/** Spaces what passes so that a second has at most a fixed number of it, after a burst. */
export interface Pacer {
  /** How many milliseconds the next one has to wait. */
  readonly delayOf: (nowMillis: number) => number
  /** Reserves the next turn to pass, and returns in how many milliseconds it is. */
  readonly reserve: (nowMillis: number) => number
  readonly release: () => void
  readonly tryReserve: (nowMillis: number) => boolean
}

/** Makes a pacer that lets `burst` pass at once, and `perSecond` after them; half of those of a second, unless it is given. */
export const makePacer = ({
  perSecond,
  burst = Math.ceil(perSecond / 2)
}: {
  readonly perSecond: number
  readonly burst?: number
}): Pacer => {
  const interval = 1_000 / perSecond
  let lastTurn = -Infinity
  /** Unused turns are kept, at most one burst of them. */
  const findNext = (now: number) => Math.max(lastTurn + interval, now - (burst - 1) * interval)
  const delayOf = (now: number) => Math.max(0, findNext(now) - now)
  const reserve = (now: number) => {
    lastTurn = findNext(now)
    return Math.max(0, lastTurn - now)
  }
  return {
    delayOf,
    reserve,
    release: () => {
      lastTurn -= interval
    },
    tryReserve: (now) => {
      if (delayOf(now) > 0) return false
      reserve(now)
      return true
    }
  }
}
