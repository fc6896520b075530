import { Effect, Random } from "effect"

/** A label that no zone has by chance: 16 letters and digits. */
export const strangeLabel: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 36), 16),
  (digits) => digits.map((digit) => digit.toString(36)).join("")
)
