import { LruMap } from "../../runtime/LruMap.ts"

/** How much of a rate limit is used in the current window; `resetSeconds`, at most 60, is when that ends. */
export interface RateLimitStatus {
  /** 0 for no limit. */
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resetSeconds: number
  /** Whether more was used than is allowed. */
  readonly isExceeded: boolean
}

interface RateWindow {
  readonly endsAt: number
  used: number
}

/**
 * Counts by key, in fixed windows of 60 s from the first use. Memory is bounded: the key that was used least lately is
 * dropped, and begins a new window when it comes back. A time before an earlier one counts as that earlier one.
 */
export class RateWindows {
  readonly #windows: LruMap<string, RateWindow>
  #latest = -Infinity

  constructor(capacity = maxWindows) {
    this.#windows = new LruMap(capacity)
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#windows.size
  }

  /** Counts one use, and returns the status after it. */
  consume(key: string, limit: number, nowMillis: number): RateLimitStatus {
    const now = this.#advance(nowMillis)
    const window = this.#current(key, now) ?? { endsAt: now + windowMillis, used: 0 }
    window.used += 1
    this.#windows.set(key, window)
    return statusOf(window, limit, now)
  }

  /** The status without a further use. */
  read(key: string, limit: number, nowMillis: number): RateLimitStatus {
    const now = this.#advance(nowMillis)
    return statusOf(this.#current(key, now) ?? { endsAt: now + windowMillis, used: 0 }, limit, now)
  }

  #current(key: string, now: number): RateWindow | undefined {
    const window = this.#windows.get(key)
    return window !== undefined && window.endsAt > now ? window : undefined
  }

  #advance(nowMillis: number): number {
    // In whole milliseconds: with fractions, a window of 60 s could end in 60.000000000000007.
    this.#latest = Math.max(this.#latest, Math.floor(nowMillis))
    return this.#latest
  }
}

const statusOf = ({ endsAt, used }: RateWindow, limit: number, now: number): RateLimitStatus => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.ceil((endsAt - now) / 1_000),
  isExceeded: limit > 0 && used > limit
})

const windowMillis = 60_000

/** A window takes about 150 bytes. */
const maxWindows = 100_000
