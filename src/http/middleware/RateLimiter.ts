import { Clock, Context, Effect, Layer } from "effect"
import type { Tenancy } from "../../domain/Tenancy.ts"

/** Where an application and tenant stand in the present minute; `resetSeconds` is when it ends. */
export interface RateLimitStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly isExceeded: boolean
}

/** Counts the requests of each application and tenant in this process, by windows of a minute. */
export class RateLimiter extends Context.Tag("http/RateLimiter")<
  RateLimiter,
  { readonly consume: (tenancy: Tenancy) => Effect.Effect<RateLimitStatus> }
>() {
  /** `perMinute` 0 counts nothing and refuses nobody. */
  static readonly layer = (settings: { readonly perMinute: number }) =>
    Layer.sync(RateLimiter, () => {
      const windows = new Map<string, { endsAt: number; used: number }>()

      const windowOf = (tenancy: Tenancy, now: number) => {
        const key = `${tenancy.applicationId}/${tenancy.tenantId}`
        const known = windows.get(key)
        if (known !== undefined && known.endsAt > now) return known
        if (windows.size >= maxWindows) dropEnded(windows, now)
        const fresh = { endsAt: now + windowMillis, used: 0 }
        windows.set(key, fresh)
        return fresh
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

const windowMillis = 60_000

/** Beyond this many tenants the windows that have ended are dropped. */
const maxWindows = 10_000

const dropEnded = (windows: Map<string, { readonly endsAt: number }>, now: number): void =>
  windows.forEach(({ endsAt }, key) => {
    if (endsAt <= now) windows.delete(key)
  })
