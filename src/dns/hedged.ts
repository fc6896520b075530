import { type Array, Deferred, type Duration, Effect } from "effect"

/** How long one server may be silent before the next is asked as well: longer than any honest way around the earth. */
export const patience: Duration.DurationInput = "400 millis"

/**
 * The first success of several attempts. Each begins when the one before it has failed, or has taken `pause` without
 * an end; what loses is interrupted. If all fail, the failure that came last.
 */
export const hedged = <A, E, R>(
  [attempt, ...others]: Array.NonEmptyReadonlyArray<Effect.Effect<A, E, R>>,
  pause: Duration.DurationInput
): Effect.Effect<A, E, R> => {
  const [next, ...rest] = others
  if (next === undefined) return attempt
  return Effect.gen(function* () {
    const failed = yield* Deferred.make<void>()
    return yield* Effect.race(
      Effect.tapError(attempt, () => Deferred.succeed(failed, undefined)),
      Deferred.await(failed).pipe(Effect.timeoutOption(pause), Effect.zipRight(hedged([next, ...rest], pause)))
    )
  })
}
