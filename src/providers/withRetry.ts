import { Duration, Effect, Random, Schedule } from "effect"
import { OutcomeUnknown, ProviderFailure } from "./ProviderFailure.ts"

type Failure = ProviderFailure | OutcomeUnknown

/**
 * Tries up to twice more what failed in this way, if that may pass by itself, after as long as the provider asks for, or
 * a second, and up to a second more. For what does no harm when it is done again.
 */
export const withRetry =
  (kind: abstract new (...args: never) => Failure) =>
  <A, E, R>(trying: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.retry(trying, {
      while: (error) => error instanceof kind && mayPass(error),
      schedule: Schedule.intersect(waiting, Schedule.recurs(2))
    })

/** Who asks for more time than a customer looks on gets all of it. */
const mayPass = ({ code, retryAfter = Duration.zero }: Failure): boolean =>
  (code === "provider_unavailable" || code === "provider_rate_limited") &&
  Duration.lessThanOrEqualTo(retryAfter, Duration.seconds(20))

/** At moments of chance, so that those who were in each other's way are not again. */
const waiting = Schedule.identity<unknown>().pipe(
  Schedule.addDelayEffect((error) => {
    const atLeast = Duration.toMillis((isFailure(error) ? error.retryAfter : undefined) ?? Duration.seconds(1))
    return Effect.map(Random.nextIntBetween(atLeast, atLeast + 1_001), Duration.millis)
  })
)

const isFailure = (error: unknown): error is Failure =>
  error instanceof ProviderFailure || error instanceof OutcomeUnknown
