import { Duration, Effect, Layer } from "effect"
import { MonotonicClock } from "../../../src/runtime/MonotonicClock.ts"

/** A monotonic clock that stands still until it is moved; provide `layer` to the service under test. */
export const adjustableMonotonicClock = () => {
  const now = { millis: 0 }
  return {
    layer: Layer.succeed(MonotonicClock, { nowMillis: () => now.millis }),
    move: (by: Duration.DurationInput) =>
      Effect.sync(() => {
        now.millis += Duration.toMillis(by)
      })
  }
}
