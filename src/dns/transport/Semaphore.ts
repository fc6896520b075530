import { failWithNoAnswer, type Query, type QueryOutcome } from "./Query.ts"

/** Hands out a fixed number of permits to callbacks, first come, first served. */
export interface Semaphore {
  readonly isAvailable: () => boolean
  /**
   * Calls `start` once there is a permit, at once if one is free. Call the function that it returns once: it gives the
   * permit back, or leaves the queue.
   */
  readonly acquire: (start: () => void) => () => void
}

export const makeSemaphore = (permits: number): Semaphore => {
  const queue = new Set<() => void>()
  let free = permits
  const release = () => {
    const [next] = queue
    if (next === undefined) free += 1
    else {
      queue.delete(next)
      next()
    }
  }
  return {
    isAvailable: () => free > 0,
    acquire: (start) => {
      if (free > 0) {
        free -= 1
        start()
        return release
      }
      // A function of its own, so that the same caller may wait twice.
      const startInTurn = () => start()
      queue.add(startInTurn)
      return () => {
        if (!queue.delete(startInTurn)) release()
      }
    }
  }
}

/** Sends a query once there is a permit; after `timeoutMillis` in the queue it fails as `busy`. */
export const withPermit =
  <A>(semaphore: Semaphore, timeoutMillis: number, query: Query<A>): Query<A> =>
  (onOutcome) => {
    let stopQuery: (() => void) | undefined
    const release = () => {
      clearTimeout(queueTimer)
      releasePermit()
    }
    const end = (outcome: QueryOutcome<A>) => {
      release()
      onOutcome(outcome)
    }
    const stop = () => {
      stopQuery?.()
      release()
    }
    const queueTimer = semaphore.isAvailable()
      ? undefined
      : setTimeout(() => {
          stop()
          onOutcome(failWithNoAnswer("busy"))
        }, timeoutMillis)
    const releasePermit = semaphore.acquire(() => {
      stopQuery = query(end)
    })
    return stop
  }
