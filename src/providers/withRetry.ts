import { Duration, Effect, Random, Schedule } from "effect"
import { OutcomeUnknown, ProviderFailure } from "./ProviderFailure.ts"

type ZoneOperationFailure = ProviderFailure | OutcomeUnknown

/**
 * Retries up to twice after a temporary failure, as late as the provider asks, or one to two seconds. Beyond `waitLimit`,
 * or a minute altogether, it fails at once. Only for effects that may safely run again.
 */
export const withRetry =
  (kind: abstract new (...args: never) => ZoneOperationFailure, waitLimit = longestWait) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let total = Duration.zero
      const mayWait = ({ retryAfter = Duration.zero }: ZoneOperationFailure): boolean => {
        total = Duration.sum(total, retryAfter)
        return Duration.lessThanOrEqualTo(retryAfter, waitLimit) && Duration.lessThanOrEqualTo(total, longestTotalWait)
      }
      return Effect.retry(effect, {
        while: (error) => error instanceof kind && isTemporary(error) && mayWait(error),
        schedule: Schedule.intersect(randomDelay, Schedule.recurs(2))
      })
    })

export const longestWait = Duration.seconds(20)

/** A vendor that counts calls by the minute asks for as long; it ends before the phase is due again. */
export const longestTotalWait = Duration.minutes(1)

const isTemporary = ({ code }: ZoneOperationFailure): boolean =>
  code === "provider_unavailable" || code === "provider_rate_limited"

/** Random, so that clients that were rate limited together do not come back together. */
const randomDelay = Schedule.identity<unknown>().pipe(
  Schedule.addDelayEffect((error) => {
    const minimum = Duration.toMillis((isFailure(error) ? error.retryAfter : undefined) ?? Duration.seconds(1))
    return Effect.map(Random.nextIntBetween(minimum, minimum + 1_001), Duration.millis)
  })
)

const isFailure = (error: unknown): error is ZoneOperationFailure =>
  error instanceof ProviderFailure || error instanceof OutcomeUnknown
