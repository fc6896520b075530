/** Spaces packets so that a second has at most a fixed number of them, after a burst. */
export interface Pacer {
  /** Reserves the next send time and returns in how many milliseconds it is. */
  readonly reserve: (nowMillis: number) => number
  /** Releases a send time that was reserved and not used. */
  readonly release: () => void
  /** Reserves a send time if there is one now. */
  readonly tryReserve: (nowMillis: number) => boolean
}

/** Makes a pacer that lets `burst` packets pass at once, and `perSecond` after them. */
export const makePacer = ({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }): Pacer => {
  const interval = 1_000 / perSecond
  let lastSendTime = -Infinity
  /** Unused send times are kept, as many as a burst has. */
  const findNext = (now: number) => Math.max(lastSendTime + interval, now - (burst - 1) * interval)
  return {
    reserve: (now) => {
      lastSendTime = findNext(now)
      return Math.max(0, lastSendTime - now)
    },
    release: () => {
      lastSendTime -= interval
    },
    tryReserve: (now) => {
      const sendTime = findNext(now)
      if (sendTime > now) return false
      lastSendTime = sendTime
      return true
    }
  }
}

/** Makes the pacer of an address that answers, which lets half of the queries of a second pass at once. */
export const makeAnsweringPacer = (perSecond: number): Pacer =>
  makePacer({ perSecond, burst: Math.ceil(perSecond / 2) })
