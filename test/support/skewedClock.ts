import { Clock, Effect, Layer } from "effect"

/** A clock that is wrong by this many milliseconds and can be set. It runs at the right speed. */
export const skewedClock = (offset: number) => {
  const real = Clock.make()
  const skew = { offset }
  const now = () => real.unsafeCurrentTimeMillis() + skew.offset
  const clock = Object.assign(Object.create(real), {
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now)
  }) as Clock.Clock
  return { layer: Layer.setClock(clock), set: (to: number) => Effect.sync(() => void (skew.offset = to)) }
}
