import { Clock, Duration, Effect, Layer } from "effect"

/** A clock that runs like the real one and can be set forward; provide `layer` to the service under test. */
export const adjustableClock = () => {
  const real = Clock.make()
  const ahead = { millis: 0 }
  const nowMillis = () => real.unsafeCurrentTimeMillis() + ahead.millis
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: nowMillis,
    currentTimeMillis: Effect.sync(nowMillis),
    unsafeCurrentTimeNanos: () => BigInt(nowMillis()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(nowMillis()) * 1_000_000n),
    sleep: (duration) => real.sleep(duration)
  }
  return {
    layer: Layer.setClock(clock),
    move: (by: Duration.DurationInput) =>
      Effect.sync(() => {
        ahead.millis += Duration.toMillis(by)
      })
  }
}
