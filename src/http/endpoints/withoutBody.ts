import { Effect } from "effect"
import { IdempotencyKeyReused } from "../../lifecycle/commands/commandErrors.ts"

/** Answers a request without a body, with which no idempotency key can have been used for another one. */
export const withoutBody = <A, E, R>(answer: Effect.Effect<A, E | IdempotencyKeyReused, R>) =>
  Effect.catchIf(
    answer,
    (error): error is Extract<E | IdempotencyKeyReused, IdempotencyKeyReused> => error instanceof IdempotencyKeyReused,
    Effect.die
  )
