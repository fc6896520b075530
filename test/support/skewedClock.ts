import { Clock, Effect, Layer } from "effect"

/** The clock of a machine that is wrong by so many milliseconds, and can be set; the time that goes by is right. */
export const skewedClock = (by: number) => {
  const real = Clock.make()
  const wrong = { by }
  const now = () => real.unsafeCurrentTimeMillis() + wrong.by
  const clock = Object.assign(Object.create(real), {
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now)
  }) as Clock.Clock
  return { layer: Layer.setClock(clock), set: (to: number) => Effect.sync(() => void (wrong.by = to)) }
}
