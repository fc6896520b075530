import { expect } from "bun:test"
import { Cause, Clock, Effect, Exit, Fiber, FiberId, Schedule, TestClock } from "effect"
import { retryAfterFailure } from "../../src/runtime/retryAfterFailure.ts"
import { effect } from "../support/effectTest.ts"

const sequences: ReadonlyArray<ReadonlyArray<Result>> = [
  ["success"],
  ["temporary", "success"],
  ["temporary", "temporary", "success"],
  ["temporary", "temporary", "temporary", "temporary", "temporary", "success"],
  ["permanent", "success"],
  ["temporary", "permanent", "success"],
  ["defect", "success"],
  ["temporary", "defect", "success"],
  ["interruption", "success"]
]

for (const sequence of sequences) {
  effect(`${sequence.join(", ")}: an effect ends, and runs at the times, as with Effect.retry`, () =>
    Effect.gen(function* () {
      const ofLibrary = yield* observe(sequence, Effect.retry)
      expect(yield* observe(sequence, retryAfterFailure)).toEqual(ofLibrary)
    })
  )
}

effect("an effect runs again after the delays of the schedule, as long as the condition holds", () =>
  Effect.gen(function* () {
    expect(yield* observe(["temporary", "temporary", "success"], retryAfterFailure)).toEqual({
      exit: Exit.succeed("success"),
      ranAt: [0, 100, 300],
      asked: ["temporary", "temporary"]
    })
    expect(yield* observe(["temporary", "permanent", "success"], retryAfterFailure)).toEqual({
      exit: Exit.fail("permanent"),
      ranAt: [0, 100],
      asked: ["temporary", "permanent"]
    })
  })
)

effect("a defect is not retried", () =>
  Effect.gen(function* () {
    const { asked, exit, ranAt } = yield* observe(["defect", "success"], retryAfterFailure)
    expect({ asked, exit, ranAt }).toEqual({ asked: [], exit: Exit.die("defect"), ranAt: [0] })
  })
)

effect("each run of a retried effect begins its schedule anew", () =>
  Effect.gen(function* () {
    let runs = 0
    const always = Effect.suspend(() => Effect.fail((runs += 1)))
    const retried = retryAfterFailure(always, { while: () => true, schedule: Schedule.recurs(2) })
    expect(yield* Effect.replicateEffect(Effect.flip(retried), 2)).toEqual([3, 6])
  })
)

type Result = "success" | "temporary" | "permanent" | "defect" | "interruption"

/** Three retries, after 100, 200 and 400 milliseconds. */
const schedule = Schedule.intersect(Schedule.exponential("100 millis"), Schedule.recurs(3))

/** Runs an effect that has these results one after the other: how it ends, when it runs, for which failures the condition is asked. */
const observe = (sequence: ReadonlyArray<Result>, retry: typeof retryAfterFailure) =>
  Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    const ranAt: Array<number> = []
    const asked: Array<Result> = []
    const once = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      toEffect(sequence[ranAt.push(now - begin) - 1] ?? "success")
    )
    const retried = retry(once, {
      schedule,
      while: (failure) => {
        asked.push(failure)
        return failure === "temporary"
      }
    })
    const fiber = yield* Effect.fork(retried)
    yield* TestClock.adjust("1 second")
    return { exit: yield* Fiber.await(fiber), ranAt, asked }
  })

const toEffect = (result: Result): Effect.Effect<Result, Result> => {
  if (result === "success") return Effect.succeed(result)
  if (result === "defect") return Effect.die(result)
  return result === "interruption" ? Effect.failCause(Cause.interrupt(FiberId.none)) : Effect.fail(result)
}
