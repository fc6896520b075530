import { DateTime, Duration, Effect } from "effect"

/** What its issuer gives for a time only. */
interface Temporary {
  readonly expiresAt: DateTime.Utc
}

/** Makes what returns the same value until shortly before its end, and then a new one. */
export const renewBeforeEnd = <A extends Temporary, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let current: A | undefined
  return Effect.gen(function* () {
    const soon = DateTime.addDuration(yield* DateTime.now, margin)
    if (current === undefined || DateTime.lessThan(current.expiresAt, soon)) current = yield* request
    return current
  })
}

/** Longer than a call and its pauses may take. */
const margin = Duration.minutes(2)
