import type { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { makeFairSemaphore } from "../../domain/FairSemaphore.ts"
import { RateLimited } from "../contract/errorResponses.ts"
import { addResponseHeaders, holdPermit, releasePermit } from "../requestMetadata.ts"

/**
 * Limits how many requests are in work at once, so that those of one tenant leave connections to the database to others.
 * Requests wait in the queue of their tenant, and the tenants take turns.
 */
export class ConcurrencyLimiter extends Context.Tag("http/ConcurrencyLimiter")<
  ConcurrencyLimiter,
  {
    /**
     * Waits for a permit of this key (that of a tenant is named by `toTenantKey`), which the request holds until its
     * response or `releasePermit`. It gives back the one that it held before.
     */
    readonly acquire: (request: HttpServerRequest.HttpServerRequest, key: string) => Effect.Effect<void, RateLimited>
  }
>() {
  static readonly layer = Layer.sync(ConcurrencyLimiter, () => {
    const semaphore = makeFairSemaphore({ permits, reserved, maxQueuedPerKey })
    const acquire = (request: HttpServerRequest.HttpServerRequest, key: string): Effect.Effect<void, RateLimited> =>
      Effect.suspend(() => {
        releasePermit(request)
        let isGranted = false
        let resume: (() => void) | undefined
        const release = semaphore.acquire(key, () => {
          isGranted = true
          resume?.()
        })
        if (release === undefined) {
          addResponseHeaders(request, { "retry-after": "1" })
          return tooManyWaiting
        }
        holdPermit(request, { release, acquireAgain: acquire(request, key) })
        if (isGranted) return Effect.void
        return Effect.async<void>((onGranted) => {
          resume = () => onGranted(Effect.void)
          if (isGranted) resume()
        })
      })
    return { acquire }
  })
}

/**
 * A request uses one of the ten connections to the database at a time, so that more permits would make nothing faster.
 * One tenant gets six: with the three of the event streams (see `EventStreams`), one is always left for others.
 */
const permits = 12
const reserved = 6

const maxQueuedPerKey = 1_000

const tooManyWaiting = new RateLimited({
  code: "rate_limited",
  message: `${maxQueuedPerKey} requests wait for their turn already; try again, with fewer requests at once`
})
