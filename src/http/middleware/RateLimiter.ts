import { Clock, Context, Effect, Layer } from "effect"
import type { Tenancy } from "../../domain/Tenancy.ts"

/** How much of its limit an application and tenant have used in the current window; `resetSeconds` is when that ends. */
export interface RateLimitStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly isExceeded: boolean
}

/**
 * Counts the requests of each application and tenant in this process, in fixed windows of 60 s from the first request. The
 * RateLimiter of @effect/experimental ends a window after `count * 60 s / limit`: `r` and `t` of the header would not mean this.
 */
export class RateLimiter extends Context.Tag("http/RateLimiter")<
  RateLimiter,
  { readonly consume: (tenancy: Tenancy) => Effect.Effect<RateLimitStatus> }
>() {
  /** With `perMinute` 0 no limit applies. */
  static readonly layer = (settings: { readonly perMinute: number }) =>
    Layer.sync(RateLimiter, () => {
      const windows = new Map<string, RateLimitWindow>()

      const windowOf = (tenancy: Tenancy, now: number) => {
        const key = `${tenancy.applicationId}/${tenancy.tenantId}`
        const current = windows.get(key)
        if (current !== undefined && current.endsAt > now) return current
        if (windows.size >= maxWindows) dropEnded(windows, now)
        const window = { endsAt: now + windowMillis, used: 0 }
        windows.set(key, window)
        return window
      }

      return {
        consume: (tenancy) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const window = windowOf(tenancy, now)
            window.used += 1
            return {
              limit: settings.perMinute,
              remaining: Math.max(0, settings.perMinute - window.used),
              resetSeconds: Math.ceil((window.endsAt - now) / 1_000),
              isExceeded: settings.perMinute > 0 && window.used > settings.perMinute
            }
          })
      }
    })
}

interface RateLimitWindow {
  readonly endsAt: number
  used: number
}

const windowMillis = 60_000

/** If there are this many windows, those that have ended are dropped before another one is added. */
const maxWindows = 10_000

const dropEnded = (windows: Map<string, RateLimitWindow>, now: number): void =>
  windows.forEach(({ endsAt }, key) => {
    if (endsAt <= now) windows.delete(key)
  })
