import { expect } from "bun:test"
import { Cause, Effect, Exit, Fiber } from "effect"
import { computeInSlices, pause } from "../../src/runtime/computeInSlices.ts"
import { type LongComputation, visitEach } from "../../src/runtime/LongComputation.ts"
import { live } from "../support/effectTest.ts"

/** Works until `isDone`, a millisecond at a time. */
function* workUntil(isDone: () => boolean): LongComputation<string> {
  while (!isDone()) {
    const end = performance.now() + 1
    while (performance.now() < end);
    yield
  }
  return "done"
}

live("between two slices the event loop serves sockets and timers", () =>
  Effect.gen(function* () {
    let [isServed, isTimerDone] = [false, false]
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") })
    setTimeout(() => (isTimerDone = true), 0)
    void fetch(server.url).then(() => (isServed = true))
    expect(yield* computeInSlices(workUntil(() => isServed && isTimerDone))).toBe("done")
    yield* Effect.promise(() => server.stop(true))
  })
)

live("long computations take turns, one slice per turn of the event loop", () =>
  Effect.gen(function* () {
    const turns: Array<string> = []
    const record = (name: string) => () => {
      if (turns.at(-1) !== name) turns.push(name)
      return turns.length >= 12
    }
    yield* Effect.all([computeInSlices(workUntil(record("a"))), computeInSlices(workUntil(record("b")))], {
      concurrency: 2
    })
    expect(turns.slice(0, 12)).toEqual(Array.from({ length: 6 }, () => ["a", "b"]).flat())
  })
)

live("scheduling priorities take turns, however many computations one of them has", () =>
  Effect.gen(function* () {
    const turns: Array<string> = []
    const compute = (priority: number, name: string) => {
      const work = workUntil(() => turns.push(name) > 40)
      return Effect.withSchedulingPriority(computeInSlices(work), priority)
    }
    yield* Effect.all([...["a1", "a2", "a3", "a4"].map((name) => compute(107, name)), compute(109, "b")], {
      concurrency: "unbounded"
    })
    const slices = turns.slice(0, 40).filter((name, nth, all) => name !== all[nth - 1])
    expect(slices.filter((name) => name === "b").length).toBeGreaterThanOrEqual(Math.floor(slices.length / 2) - 1)
  })
)

live("a short computation ends without a pause", () =>
  Effect.gen(function* () {
    let isLater = false
    setImmediate(() => (isLater = true))
    yield* computeInSlices(visitEach([1, 2, 3], () => {}))
    expect(isLater).toBe(false)
  })
)

live("a computation that is interrupted takes no more turns, and others go on", () =>
  Effect.gen(function* () {
    let steps = 0
    const fiber = yield* Effect.fork(computeInSlices(workUntil(() => (steps += 1) < 0)))
    yield* computeInSlices(workUntil(() => steps > 20))
    yield* Fiber.interrupt(fiber)
    const stopped = steps
    let isLater = false
    setTimeout(() => (isLater = true), 0)
    yield* computeInSlices(workUntil(() => isLater))
    expect(steps).toBe(stopped)
  })
)

live("an error in a computation is a defect", () =>
  Effect.gen(function* () {
    const broken = visitEach([1], () => {
      throw new Error("broken")
    })
    const exit = yield* Effect.exit(computeInSlices(broken))
    expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
  })
)

live("computations that are interrupted while they wait leave one slice to each turn of the event loop", () =>
  Effect.gen(function* () {
    let [turn, isDone] = [0, false]
    const countTurns = () => {
      turn += 1
      if (!isDone) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    for (let nth = 0; nth < 5; nth += 1) {
      const waits = yield* Effect.fork(pause)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waits)
    }
    const turns: Array<number> = []
    yield* Effect.all(
      Array.from({ length: 10 }, () => Effect.map(pause, () => turns.push(turn))),
      {
        concurrency: "unbounded"
      }
    )
    isDone = true
    expect(new Set(turns).size).toBe(10)
  })
)
