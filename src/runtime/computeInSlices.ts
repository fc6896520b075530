import { Effect } from "effect"
import type { LongComputation } from "./LongComputation.ts"

/**
 * Computes the result in slices of a few milliseconds, for all rooms. Between two slices the event loop serves its
 * sockets and timers, and all computations of the process take turns: one slice per turn of the loop. A short
 * computation ends in its first slice, without a pause.
 */
export const computeInSlices = <A>(computation: LongComputation<A>): Effect.Effect<A> =>
  Effect.async<A>((resume) => {
    const runSlice = (): void => {
      try {
        const end = performance.now() + sliceMillis
        do {
          const { done, value } = computation.next()
          if (done === true) return resume(Effect.succeed(value))
        } while (performance.now() < end)
        takeTurn(runSlice)
      } catch (defect) {
        resume(Effect.die(defect))
      }
    }
    if (waiting.size === 0) runSlice()
    else takeTurn(runSlice)
    return Effect.sync(() => waiting.delete(runSlice))
  })

/** Waits for a turn of the event loop, like a computation between two slices. */
export const pause: Effect.Effect<void> = Effect.async((resume) => {
  const end = () => resume(Effect.void)
  takeTurn(end)
  return Effect.sync(() => waiting.delete(end))
})

const sliceMillis = 2

/** The slices that wait for their turn, in the order in which they came. */
const waiting = new Set<() => void>()

let isTurnScheduled = false

const takeTurn = (slice: () => void): void => {
  waiting.add(slice)
  scheduleTurn()
}

const scheduleTurn = (): void => {
  if (isTurnScheduled || waiting.size === 0) return
  isTurnScheduled = true
  setImmediate(runNext)
}

/** Runs one slice; the others wait for later turns of the event loop. */
const runNext = (): void => {
  isTurnScheduled = false
  const [next] = waiting
  if (next === undefined) return
  waiting.delete(next)
  // Schedules the next turn first: the slice may come back to the end of the queue.
  scheduleTurn()
  next()
}
