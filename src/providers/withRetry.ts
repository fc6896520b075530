import { Duration, Effect, Random, Schedule } from "effect"
import { OutcomeUnknown, ProviderFailure } from "./ProviderFailure.ts"

type ZoneOperationFailure = ProviderFailure | OutcomeUnknown

/**
 * Retries an effect up to twice after a failure of this kind that may be temporary. It waits as long as the provider
 * asks for, or a second, and up to another second. Only for effects that may safely run again.
 */
export const withRetry =
  (kind: abstract new (...args: never) => ZoneOperationFailure) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.retry(effect, {
      while: (error) => error instanceof kind && isTemporary(error),
      schedule: Schedule.intersect(randomDelay, Schedule.recurs(2))
    })

/** If the provider asks for more time than a customer waits, it fails at once. */
const isTemporary = ({ code, retryAfter = Duration.zero }: ZoneOperationFailure): boolean =>
  (code === "provider_unavailable" || code === "provider_rate_limited") &&
  Duration.lessThanOrEqualTo(retryAfter, Duration.seconds(20))

/** Random, so that clients that were rate limited together do not come back together. */
const randomDelay = Schedule.identity<unknown>().pipe(
  Schedule.addDelayEffect((error) => {
    const minimum = Duration.toMillis((isFailure(error) ? error.retryAfter : undefined) ?? Duration.seconds(1))
    return Effect.map(Random.nextIntBetween(minimum, minimum + 1_001), Duration.millis)
  })
)

const isFailure = (error: unknown): error is ZoneOperationFailure =>
  error instanceof ProviderFailure || error instanceof OutcomeUnknown
