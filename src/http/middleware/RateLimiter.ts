import { Context, Effect, Layer, Record } from "effect"
import { MonotonicClock } from "../../runtime/MonotonicClock.ts"
import { LiveProcesses } from "../../persistence/postgres/LiveProcesses.ts"
import { type RateLimitStatus, RateWindows } from "./RateWindows.ts"

/** The requests per minute that are allowed in all processes together; 0 for no limit. */
interface RateLimits {
  /** Of the servers of one application and tenant. */
  readonly server: number
  /** Of the browsers with tokens of one connection. */
  readonly browser: number
  /** With a refused credential that has the form of one, from one client address. */
  readonly refused: number
  /** With what has not the form of a credential, from one client address. */
  readonly malformed: number
}

/** What is counted, each kind in buckets of its own. */
type RateKind = keyof RateLimits

/**
 * Counts requests in this process, in fixed windows of 60 s. Each process allows its share of a limit: the limit divided
 * by the number of live processes. The RateLimiter of @effect/experimental ends a window after `count * 60 s / limit`:
 * `r` and `t` of the header would not mean this.
 */
export class RateLimiter extends Context.Tag("http/RateLimiter")<
  RateLimiter,
  {
    /** How much of this kind this process allows at present; 0 for no limit. */
    readonly shareOf: (kind: RateKind) => number
    /**
     * Counts a request in a bucket of this kind, and returns the status after it. The bucket of servers is named by
     * `toTenantKey`, that of browsers by the id of their connection.
     */
    readonly consume: (kind: RateKind, key: string) => Effect.Effect<RateLimitStatus>
    /** The status of a bucket, without counting. */
    readonly read: (kind: RateKind, key: string) => RateLimitStatus
  }
>() {
  static readonly layer = (limits: RateLimits) =>
    Layer.effect(
      RateLimiter,
      Effect.gen(function* () {
        const clock = yield* MonotonicClock
        const { count } = yield* LiveProcesses
        const windows = Record.map(limits, () => new RateWindows())
        const shareOf = (kind: RateKind) => (limits[kind] === 0 ? 0 : Math.max(1, Math.floor(limits[kind] / count())))

        return {
          shareOf,
          consume: (kind, key) => Effect.sync(() => windows[kind].consume(key, shareOf(kind), clock.nowMillis())),
          read: (kind, key) => windows[kind].read(key, shareOf(kind), clock.nowMillis())
        }
      })
    )
}
