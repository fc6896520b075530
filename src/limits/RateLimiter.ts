import { Context, Effect, Layer, Record } from "effect"
import { LiveProcesses } from "../persistence/postgres/LiveProcesses.ts"
import { MonotonicClock } from "../runtime/MonotonicClock.ts"
import { LruMap } from "./BoundedMap.ts"

/** The requests per minute that are allowed in all processes together; 0 for no limit. */
export interface RateLimits {
  /** Requests of the servers of one tenant. */
  readonly server: number
  /** Requests of the browsers with tokens of one connection. */
  readonly browser: number
  /** Requests with a well-formed credential that is refused, from one client address. */
  readonly refused: number
}

/** The kinds of requests that are counted, each in buckets of its own; `malformed` are refused without a look-up. */
type RateKind = keyof RateLimits | "malformed"

/**
 * Counts requests in fixed windows of 60 s, with an equal share of a limit for each live process. The RateLimiter of
 * @effect/experimental ends a window after `count * 60 s / limit`: `r` and `t` of the header would not mean this.
 */
export class RateLimiter extends Context.Tag("http/RateLimiter")<
  RateLimiter,
  {
    /** How much of this kind this process allows at present; 0 for no limit. */
    readonly shareOf: (kind: RateKind) => number
    /** Counts requests, and returns the status after them. Keys: `toTenantKey`, or the connection of a browser. */
    readonly consume: (kind: RateKind, key: string, requests?: number) => RateLimitStatus
    readonly read: (kind: RateKind, key: string) => RateLimitStatus
  }
>() {
  static readonly layer = (rates: RateLimits) =>
    Layer.effect(
      RateLimiter,
      Effect.gen(function* () {
        const clock = yield* MonotonicClock
        const { count } = yield* LiveProcesses
        const limits = { ...rates, malformed: malformedPerRefused * rates.refused }
        const windows = Record.map(limits, () => new RateWindows())
        const shareOf = (kind: RateKind) => (limits[kind] === 0 ? 0 : Math.max(1, Math.floor(limits[kind] / count())))

        return {
          shareOf,
          consume: (kind, key, requests) => windows[kind].consume(key, shareOf(kind), clock.nowMillis(), requests),
          read: (kind, key) => windows[kind].read(key, shareOf(kind), clock.nowMillis())
        }
      })
    )
}

/** Malformed credentials cost no look-up, so that their limit is higher. */
const malformedPerRefused = 20

/** How much of a rate limit is used in the current window; `resetSeconds`, at most 60, is when that ends. */
export interface RateLimitStatus {
  /** 0 for no limit. */
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly isExceeded: boolean
}

interface RateWindow {
  readonly endsAt: number
  used: number
}

/** Counts by key, in fixed windows of 60 s from the first use. A full map drops the keys used least lately. */
export class RateWindows {
  readonly #windows: LruMap<string, RateWindow>
  #latest = -Infinity

  constructor(capacity = maxWindows) {
    this.#windows = new LruMap(capacity)
  }

  get size(): number {
    return this.#windows.size
  }

  consume(key: string, limit: number, nowMillis: number, uses = 1): RateLimitStatus {
    const now = this.#advance(nowMillis)
    const window = this.#current(key, now) ?? { endsAt: now + windowMillis, used: 0 }
    window.used += uses
    this.#windows.set(key, window)
    return statusOf(window, limit, now)
  }

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
