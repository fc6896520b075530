import type { FairSemaphore } from "../../runtime/FairSemaphore.ts"
import { countRefused, failWithNoAnswer, type Query, type QueryOutcome } from "./Query.ts"

/**
 * Sends a query once each of the semaphores has given a permit to the key, one after the other; after `timeoutMillis` of
 * waiting, or if a full queue has no room for the key, it fails as `busy`, and `onBusy` is called with that semaphore.
 * Once the query has ended or was stopped, its first permit is kept for `keptMillis` more.
 */
export const withPermits =
  <A>(
    semaphores: ReadonlyArray<FairSemaphore>,
    { keptMillis, key, onBusy, timeoutMillis }: PermitRequest,
    query: Query<A>
  ): Query<A> =>
  (onOutcome) => {
    const releases: Array<() => void> = []
    let isStarted = false
    let current: FairSemaphore | undefined
    let isStopped = false
    let stopQuery: (() => void) | undefined
    let queueTimer: ReturnType<typeof setTimeout> | undefined
    const release = () => {
      clearTimeout(queueTimer)
      isStopped = true
      // The last one first: while a query waits for it, the others are its own.
      for (let nth = releases.length - 1; nth > 0; nth -= 1) releases[nth]?.()
      releaseAfter(keptMillis?.() ?? 0, releases[0])
    }
    const stop = () => {
      stopQuery?.()
      release()
    }
    const end = (outcome: QueryOutcome<A>) => {
      release()
      onOutcome(outcome)
    }
    const failAsBusy = () => {
      if (isStopped || isStarted) return
      countRefused("busy")
      if (current !== undefined) onBusy?.(current)
      end(failWithNoAnswer("busy"))
    }
    const failSoon = () => queueMicrotask(failAsBusy)
    const acquireNext = (nth: number) => {
      const semaphore = semaphores[nth]
      current = semaphore
      if (semaphore === undefined) {
        isStarted = true
        clearTimeout(queueTimer)
        stopQuery = query(end)
        return
      }
      const release = semaphore.acquire(key, () => acquireNext(nth + 1), failSoon)
      if (release === undefined) failSoon()
      else releases[nth] = release
    }
    acquireNext(0)
    if (!isStarted) queueTimer = setTimeout(failAsBusy, timeoutMillis)
    return stop
  }

const releaseAfter = (millis: number, release: (() => void) | undefined) => {
  if (release === undefined || millis === 0) release?.()
  else setTimeout(release, millis).unref()
}

interface PermitRequest {
  readonly key: string
  readonly timeoutMillis: number
  readonly onBusy?: (semaphore: FairSemaphore) => void
  readonly keptMillis?: () => number
}
