import { Clock, Effect, Layer } from "effect"

/** A clock that differs from the right one by this many milliseconds and can be set. It runs at the right speed. */
export const skewedClock = (offset: number, right = Clock.make()) => {
  const skew = { offset }
  const now = () => right.unsafeCurrentTimeMillis() + skew.offset
  const clock = Object.assign(Object.create(right), {
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now)
  }) as Clock.Clock
  return { layer: Layer.setClock(clock), set: (to: number) => Effect.sync(() => void (skew.offset = to)) }
}
