import { type Array, Deferred, Effect } from "effect"

/**
 * The first success of attempts at several servers. Each begins when the one before it has failed or has been silent
 * for a while; what loses is interrupted. If all fail, the failure that came first.
 */
export const hedged = <A, E, R>([attempt, ...others]: Array.NonEmptyReadonlyArray<
  Effect.Effect<A, E, R>
>): Effect.Effect<A, E, R> => {
  const [next, ...rest] = others
  if (next === undefined) return attempt
  return Effect.gen(function* () {
    const failed = yield* Deferred.make<void>()
    return yield* Effect.race(
      Effect.tapError(attempt, () => Deferred.succeed(failed, undefined)),
      Deferred.await(failed).pipe(Effect.timeoutOption(patience), Effect.zipRight(hedged([next, ...rest])))
    )
  })
}

/** Longer than an honest answer takes around the earth. */
const patience = "400 millis"
