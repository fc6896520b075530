import { describe, expect } from "bun:test"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { effect } from "../../support/effectTest.ts"

const ownId = ConnectionId.make("con_own")

/** A waiter that checks a connection so many times; `duringFirstCheck` runs while it checks first. */
const waiter = (times: number, duringFirstCheck: Effect.Effect<unknown> = Effect.void) =>
  Effect.gen(function* () {
    const signals = yield* ConnectionSignals
    let checks = 0
    const check = Effect.suspend(() => {
      checks += 1
      return Effect.as(checks === 1 ? duringFirstCheck : Effect.void, checks === times)
    })
    const waiting = yield* Effect.fork(signals.waitUntil(ownId, Duration.seconds(15), check))
    yield* settle
    return { waiting, checks: () => checks }
  })

/** Runs everything that can happen at this time. */
const settle = TestClock.adjust(0)

const notifyChanged = (id: ConnectionId) => Effect.flatMap(ConnectionSignals, (signals) => signals.notifyChanged(id))

const withSignals =
  <E>(test: Effect.Effect<void, E, ConnectionSignals>) =>
  () =>
    Effect.provide(test, ConnectionSignals.layer)

describe("a waiter of a connection", () => {
  effect(
    "checks at once, and again at each change of this connection only",
    withSignals(
      Effect.gen(function* () {
        const { checks, waiting } = yield* waiter(2)
        yield* notifyChanged(ConnectionId.make("con_other"))
        yield* settle
        expect(checks()).toBe(1)
        yield* notifyChanged(ownId)
        yield* Fiber.join(waiting)
        expect(checks()).toBe(2)
      })
    )
  )

  effect(
    "checks again when the time is over, without any signal",
    withSignals(
      Effect.gen(function* () {
        const { checks, waiting } = yield* waiter(3)
        yield* TestClock.adjust("14 seconds")
        expect(checks()).toBe(1)
        yield* TestClock.adjust("1100 millis")
        expect(checks()).toBe(2)
        yield* TestClock.adjust("15100 millis")
        yield* Fiber.join(waiting)
      })
    )
  )

  effect(
    "misses no change that comes during a check",
    withSignals(
      Effect.gen(function* () {
        const signals = yield* ConnectionSignals
        const { waiting } = yield* waiter(2, signals.notifyChanged(ownId))
        yield* Fiber.join(waiting)
      })
    )
  )

  effect(
    "is removed when it is interrupted",
    withSignals(
      Effect.gen(function* () {
        const { checks, waiting } = yield* waiter(2)
        yield* Fiber.interrupt(waiting)
        yield* notifyChanged(ownId)
        yield* settle
        expect(checks()).toBe(1)
      })
    )
  )
})
