import { Effect, FiberRef, Option } from "effect"
import type { LongComputation } from "./LongComputation.ts"

/**
 * Computes in slices of a millisecond. The first slice runs at once if nobody waits; every other waits for its turn, one in
 * each turn of the event loop. Priorities take turns, so that no tenant waits for all of another's phases.
 * Without it, a zone of 100,000 RRsets stops the process for 1.8 seconds, and a survey for hundreds of milliseconds.
 */
export const computeInSlices = <A>(computation: LongComputation<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const first = waiting.size === 0 ? runSlice(computation) : Option.none()
    return Option.isSome(first) ? Effect.succeed(first.value) : continueInTurns(computation)
  })

const continueInTurns = <A>(computation: LongComputation<A>): Effect.Effect<A> =>
  awaitTurns((resume, takeTurn) => {
    const continueOnce = (): void => {
      try {
        const result = runSlice(computation)
        if (Option.isSome(result)) resume(Effect.succeed(result.value))
        else takeTurn(continueOnce)
      } catch (defect) {
        resume(Effect.die(defect))
      }
    }
    takeTurn(continueOnce)
  })

/** Computes for a millisecond; returns the result if there is one by then. */
const runSlice = <A>(computation: LongComputation<A>): Option.Option<A> => {
  const end = performance.now() + sliceMillis
  do {
    const { done, value } = computation.next()
    if (done === true) return Option.some(value)
  } while (performance.now() < end)
  return Option.none()
}

/** Waits for a turn of the event loop, like a computation between two slices. */
export const pause: Effect.Effect<void> = Effect.suspend(() =>
  awaitTurns((resume, takeTurn) => takeTurn(() => resume(Effect.void)))
)

/** Runs slices with the priority of the fiber, which takes one turn at a time, until it is resumed or interrupted. */
const awaitTurns = <A>(
  start: (resume: (effect: Effect.Effect<A>) => void, takeTurn: (slice: () => void) => void) => void
): Effect.Effect<A> =>
  Effect.flatMap(FiberRef.get(FiberRef.currentSchedulingPriority), (priority) => {
    let leave: (() => void) | undefined
    const result = Effect.async<A>((resume) =>
      start(resume, (slice) => {
        leave = enqueue(slice, priority)
      })
    )
    return Effect.onInterrupt(result, () => Effect.sync(() => leave?.()))
  })

const sliceMillis = 1

/** The slices that wait for their turn, by priority in the order of its next turn, each in the order in which they came. */
const waiting = new Map<number, Set<() => void>>()

/** Whether a computation waits for its next slice: a clock that jumps to its next sleeper has to wait for it. */
export const isComputing = (): boolean => waiting.size > 0

let isTurnScheduled = false

/** Lets a slice wait for its turn; the function that it returns takes it out of the queue. */
const enqueue = (slice: () => void, priority: number): (() => void) => {
  const slices = waiting.get(priority) ?? new Set()
  waiting.set(priority, slices.add(slice))
  scheduleTurn()
  return () => {
    if (slices.delete(slice) && slices.size === 0) waiting.delete(priority)
  }
}

const scheduleTurn = (): void => {
  if (isTurnScheduled || waiting.size === 0) return
  isTurnScheduled = true
  setImmediate(runNext)
}

const noSlices: [number, Set<() => void>] = [0, new Set()]

const runNext = (): void => {
  isTurnScheduled = false
  const [[priority, slices] = noSlices] = waiting
  const [next] = slices
  if (next === undefined) return
  slices.delete(next)
  // The next turn of the priority is after those of the others.
  waiting.delete(priority)
  if (slices.size > 0) waiting.set(priority, slices)
  // Schedules the next turn first: the slice may come back to the end of the queue.
  scheduleTurn()
  next()
}
