import type { FairQueue, Permit } from "../../limits/FairQueue.ts"
import { countRefused, failWithNoAnswer, type Query, type QueryOutcome } from "./Query.ts"

/**
 * Sends a query once each queue has given a permit, one after the other. It fails as `busy` after `timeoutMillis`, or at
 * a full queue, for which `onBusy` is called. Its first permit is kept for `keptMillis` after its end.
 */
export const withPermits =
  <A>(
    queues: ReadonlyArray<FairQueue>,
    { keptMillis, key, onBusy, timeoutMillis }: PermitRequest,
    query: Query<A>
  ): Query<A> =>
  (onOutcome) => {
    const permits: Array<Permit> = []
    let isStarted = false
    let current: FairQueue | undefined
    let isStopped = false
    let stopQuery: (() => void) | undefined
    let queueTimer: ReturnType<typeof setTimeout> | undefined
    const release = () => {
      clearTimeout(queueTimer)
      isStopped = true
      // The last one first: while a query waits for it, the others are its own.
      for (let nth = permits.length - 1; nth > 0; nth -= 1) permits[nth]?.release()
      releaseAfter(keptMillis?.() ?? 0, permits[0])
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
      const queue = queues[nth]
      current = queue
      if (queue === undefined) {
        isStarted = true
        clearTimeout(queueTimer)
        stopQuery = query(end)
        return
      }
      const permit = queue.acquire(key, () => acquireNext(nth + 1), failSoon)
      if (permit === undefined) failSoon()
      else permits[nth] = permit
    }
    acquireNext(0)
    if (!isStarted) queueTimer = setTimeout(failAsBusy, timeoutMillis)
    return stop
  }

const releaseAfter = (millis: number, permit: Permit | undefined) => {
  if (permit === undefined || millis === 0) permit?.release()
  else setTimeout(permit.release, millis).unref()
}

interface PermitRequest {
  readonly key: string
  readonly timeoutMillis: number
  readonly onBusy?: (queue: FairQueue) => void
  readonly keptMillis?: () => number
}
