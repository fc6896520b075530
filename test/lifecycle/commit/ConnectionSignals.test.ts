import { describe, expect } from "bun:test"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/Connection.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { effect } from "../../support/effectTest.ts"

const own = ConnectionId.make("con_own")

/** Somebody who looks at a connection until he has looked so often; `within` is what happens while he looks first. */
const looking = (times: number, within: Effect.Effect<unknown> = Effect.void) =>
  Effect.gen(function* () {
    const signals = yield* ConnectionSignals
    let looks = 0
    const look = Effect.suspend(() => {
      looks += 1
      return Effect.as(looks === 1 ? within : Effect.void, looks === times)
    })
    const watching = yield* Effect.fork(signals.waitUntil(own, Duration.seconds(15), look))
    yield* settled
    return { watching, looks: () => looks }
  })

/** Everything has happened that can happen at this time. */
const settled = TestClock.adjust(0)

const changed = (id: ConnectionId) => Effect.flatMap(ConnectionSignals, (signals) => signals.notifyChanged(id))

const withSignals =
  <E>(test: Effect.Effect<void, E, ConnectionSignals>) =>
  () =>
    Effect.provide(test, ConnectionSignals.layer)

describe("whoever waits for a connection", () => {
  effect(
    "looks at once, and again at each change of this one only",
    withSignals(
      Effect.gen(function* () {
        const { looks, watching } = yield* looking(2)
        yield* changed(ConnectionId.make("con_other"))
        yield* settled
        expect(looks()).toBe(1)
        yield* changed(own)
        yield* Fiber.join(watching)
        expect(looks()).toBe(2)
      })
    )
  )

  effect(
    "looks again when the time is over, though nobody said anything",
    withSignals(
      Effect.gen(function* () {
        const { looks, watching } = yield* looking(3)
        yield* TestClock.adjust("14 seconds")
        expect(looks()).toBe(1)
        yield* TestClock.adjust("1100 millis")
        expect(looks()).toBe(2)
        yield* TestClock.adjust("15100 millis")
        yield* Fiber.join(watching)
      })
    )
  )

  effect(
    "misses no change that comes while he looks",
    withSignals(
      Effect.gen(function* () {
        const signals = yield* ConnectionSignals
        const { watching } = yield* looking(2, signals.notifyChanged(own))
        yield* Fiber.join(watching)
      })
    )
  )

  effect(
    "is forgotten when he goes away",
    withSignals(
      Effect.gen(function* () {
        const { looks, watching } = yield* looking(2)
        yield* Fiber.interrupt(watching)
        yield* changed(own)
        yield* settled
        expect(looks()).toBe(1)
      })
    )
  )
})
