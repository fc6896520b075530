/** Spaces packets so that a second has at most a fixed number of them, after a burst. */
export interface Pacer {
  /** Takes the next turn and returns in how many milliseconds it is. */
  readonly takeTurn: (nowMillis: number) => number
  /** Gives back a turn that was not used before its time. */
  readonly returnTurn: () => void
  /** Takes a turn if there is one now. */
  readonly tryTurn: (nowMillis: number) => boolean
}

/** Makes a pacer that lets `burst` packets pass at once, and `perSecond` after them. */
export const makePacer = ({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }): Pacer => {
  const interval = 1_000 / perSecond
  let lastTurn = -Infinity
  /** Unused turns are kept, as many as a burst has. */
  const nextTurn = (now: number) => Math.max(lastTurn + interval, now - (burst - 1) * interval)
  return {
    takeTurn: (now) => {
      lastTurn = nextTurn(now)
      return Math.max(0, lastTurn - now)
    },
    returnTurn: () => {
      lastTurn -= interval
    },
    tryTurn: (now) => {
      const turn = nextTurn(now)
      if (turn > now) return false
      lastTurn = turn
      return true
    }
  }
}
