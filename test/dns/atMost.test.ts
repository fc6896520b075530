import { expect } from "bun:test"
import { Deferred, Effect, Fiber, Ref } from "effect"
import { atMost } from "../../src/dns/atMost.ts"
import { live } from "../support/effect.ts"

live("runs as many as there are places, and the others in the order of their coming", () =>
  Effect.gen(function* () {
    const withPlace = yield* atMost(2)
    const running = yield* Ref.make(0)
    const order: Array<number> = []
    const most = yield* Ref.make(0)
    const work = (number: number) =>
      Effect.gen(function* () {
        order.push(number)
        const now = yield* Ref.updateAndGet(running, (count) => count + 1)
        yield* Ref.update(most, (count) => Math.max(count, now))
        yield* Effect.yieldNow()
        yield* Ref.update(running, (count) => count - 1)
      })
    const numbers = Array.from({ length: 50 }, (_, number) => number)
    yield* Effect.forEach(numbers, (number) => withPlace(work(number)), { concurrency: "unbounded" })
    expect(order).toEqual(numbers)
    expect(yield* Ref.get(most)).toBe(2)
  })
)

live("who is interrupted while waiting or working leaves a place behind", () =>
  Effect.gen(function* () {
    const withPlace = yield* atMost(1)
    const working = yield* Deferred.make<void>()
    const first = yield* Effect.fork(withPlace(Effect.zipRight(Deferred.succeed(working, undefined), Effect.never)))
    yield* Deferred.await(working)
    const waiting = yield* Effect.fork(withPlace(Effect.never))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(waiting)
    const third = yield* Effect.fork(withPlace(Effect.succeed("done")))
    yield* Fiber.interrupt(first)
    expect(yield* Fiber.join(third)).toBe("done")
  })
)
