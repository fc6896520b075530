import { expect } from "bun:test"
import { Array, Deferred, Effect, Exit, Fiber, Supervisor, TestClock } from "effect"
import { limitTime, Timers } from "../../src/runtime/Timers.ts"
import { effect } from "../support/effectTest.ts"
import { interruptAtStep } from "../support/interruptAtStep.ts"

const onTimeout = () => Effect.succeed("late")

effect("an effect that ends in time gives its result or its failure, and its timer is stopped", () =>
  withCountedTimers((countTimers) =>
    Effect.gen(function* () {
      expect(yield* limitTime(Effect.succeed("result"), "1 second", onTimeout)).toBe("result")
      expect(yield* Effect.exit(limitTime(Effect.fail("failure"), "1 second", onTimeout))).toEqual(Exit.fail("failure"))
      expect(yield* Effect.exit(limitTime(Effect.die("defect"), "1 second", onTimeout))).toEqual(Exit.die("defect"))
      expect(countTimers()).toBe(0)
    })
  )
)

effect("an effect that takes longer is interrupted, and has ended before what follows the timeout", () =>
  Effect.gen(function* () {
    const steps: Array<string> = []
    const add = (step: string) => Effect.sync(() => void steps.push(step))
    const slow = Effect.ensuring(Effect.never, Effect.zipRight(Effect.yieldNow(), add("ended")))
    const limited = yield* Effect.fork(
      limitTime(slow, "1 second", () => Effect.zipRight(add("timeout"), Effect.fail("late")))
    )
    yield* TestClock.adjust("999 millis")
    expect(steps).toEqual([])
    yield* TestClock.adjust("1 millis")
    expect(yield* Fiber.await(limited)).toEqual(Exit.fail("late"))
    expect(steps).toEqual(["ended", "timeout"])
  })
)

effect("an effect that cannot be interrupted ends first, and is late all the same", () =>
  Effect.gen(function* () {
    const canEnd = yield* Deferred.make<string>()
    const limited = yield* Effect.fork(limitTime(Effect.uninterruptible(Deferred.await(canEnd)), "1 second", onTimeout))
    yield* TestClock.adjust("2 seconds")
    yield* Deferred.succeed(canEnd, "result")
    expect(yield* Fiber.join(limited)).toBe("late")
  })
)

effect("an interruption of the caller leaves neither the effect nor a timer, at whichever of its steps it comes", () =>
  withCountedTimers((countTimers) =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor.track
      for (const step of Array.range(1, 40)) {
        const caller = yield* limitTime(Effect.never, "1 second", onTimeout).pipe(
          Effect.withScheduler(interruptAtStep(step)),
          Effect.supervised(supervisor),
          Effect.fork
        )
        // Interrupts it in its last step too, where it waits.
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(caller)
        const left = { fibers: (yield* supervisor.value).length, timers: countTimers() }
        expect({ step, ...left }).toEqual({ step, fibers: 0, timers: 0 })
      }
    })
  )
)

/** Timers that count how many run. */
const withCountedTimers = <A, E, R>(use: (count: () => number) => Effect.Effect<A, E, R>) => {
  const running = new Set<() => void>()
  const start = (task: () => void) => {
    running.add(task)
    return () => void running.delete(task)
  }
  return Effect.provideService(
    Effect.suspend(() => use(() => running.size)),
    Timers,
    { start }
  )
}
