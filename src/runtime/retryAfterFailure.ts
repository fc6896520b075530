import { Effect, type Schedule } from "effect"

/**
 * `Effect.retry` without what it prepares for an effect that does not fail: a driver of the schedule and a context with its
 * iteration.
 */
export const retryAfterFailure = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  options: { readonly while: (error: E) => boolean; readonly schedule: Schedule.Schedule<unknown, E> }
): Effect.Effect<A, E, R> =>
  Effect.catchAll(effect, (failure) => {
    let isFirst = true
    const repeated = Effect.suspend(() => {
      if (!isFirst) return effect
      isFirst = false
      return Effect.fail(failure)
    })
    return Effect.retry(repeated, options)
  })
