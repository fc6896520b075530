import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test"
import { type Array, Effect, Either, Fiber, FiberId } from "effect"
import {
  failedQuery,
  hedgeQueries,
  NoAnswer,
  type Query,
  type QueryOutcome,
  runQueries,
  runQuery
} from "../../../src/dns/transport/Query.ts"

const no = (reason: NoAnswer["reason"]): QueryOutcome<string> => Either.left(new NoAnswer({ reason }))

/** Attempts that end as they are told to, after so many milliseconds, and what became of them. */
const attempts = (...plans: Array.NonEmptyReadonlyArray<readonly [millis: number, outcome: QueryOutcome<string>]>) => {
  const seen: Array<string> = []
  const [first, ...others] = plans.map(([millis, outcome], nth): Query<string> => {
    return (over) => {
      seen.push(`${nth} begins`)
      const timer = setTimeout(() => over(outcome), millis)
      return () => {
        seen.push(`${nth} is stopped`)
        clearTimeout(timer)
      }
    }
  })
  if (first === undefined) throw new Error("there is one at least")
  return { asking: hedgeQueries([first, ...others]), seen }
}

/** What has been reported after so many milliseconds. */
const outcomesIn = (millis: number, asking: Query<string>) => {
  const outcomes: Array<string> = []
  asking((outcome) => outcomes.push(Either.merge(Either.mapLeft(outcome, ({ reason }) => reason))))
  jest.advanceTimersByTime(millis)
  return outcomes
}

describe("attempts at several servers", () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test("end with the first answer, and no other is begun", () => {
    const { asking, seen } = attempts([399, Either.right("first")], [0, Either.right("second")])
    expect(outcomesIn(5_000, asking)).toEqual(["first"])
    expect(seen).toEqual(["0 begins"])
  })

  test("begin with the next when one fails", () => {
    const { asking, seen } = attempts([10, no("refused")], [10, no("lame")], [10, Either.right("third")])
    expect(outcomesIn(30, asking)).toEqual(["third"])
    expect(seen).toEqual(["0 begins", "1 begins", "2 begins"])
  })

  test("begin with the next when one is silent for 0.4 s, and stop what loses", () => {
    const { asking, seen } = attempts([2_000, Either.right("first")], [10, Either.right("second")])
    expect(outcomesIn(399, asking)).toEqual([])
    expect(seen).toEqual(["0 begins"])
    jest.advanceTimersByTime(11)
    expect(seen).toEqual(["0 begins", "1 begins", "0 is stopped"])
  })

  test("end with a slow answer when those begun after it fail", () => {
    const { asking } = attempts([900, Either.right("first")], [0, no("refused")], [0, no("lame")])
    expect(outcomesIn(899, asking)).toEqual([])
    expect(outcomesIn(900, asking)).toEqual(["first"])
  })

  test("fail with what failed first", () => {
    const { asking } = attempts([500, no("server_failure")], [0, no("refused")], [10, no("lame")])
    expect(outcomesIn(500, asking)).toEqual(["refused"])
  })

  test("fail with what somebody said, if anybody did", () => {
    const { asking } = attempts([500, no("server_failure")], [0, no("no_route")], [0, no("timed_out")])
    expect(outcomesIn(500, asking)).toEqual(["server_failure"])
  })

  test("are all stopped together, and begin no more", () => {
    const { asking, seen } = attempts([2_000, no("timed_out")], [2_000, no("timed_out")], [0, Either.right("third")])
    const stop = asking(() => seen.push("over"))
    jest.advanceTimersByTime(500)
    stop()
    jest.advanceTimersByTime(5_000)
    expect(seen).toEqual(["0 begins", "1 begins", "1 is stopped", "0 is stopped"])
  })
})

describe("many questions", () => {
  test("are put so many at a time, and their outcomes come in their order", async () => {
    let underWay = 0
    let most = 0
    const numbers = globalThis.Array.from({ length: 20 }, (_, number) => number)
    const asking =
      (number: number): Query<number> =>
      (over) => {
        underWay += 1
        most = Math.max(most, underWay)
        const timer = setTimeout(() => {
          underWay -= 1
          over(Either.right(number))
        }, number % 3)
        return () => clearTimeout(timer)
      }
    const outcomes = await Effect.runPromise(runQueries(numbers.map(asking), 7))
    expect(outcomes).toEqual(numbers.map((number) => Either.right(number)))
    expect(most).toBe(7)
  })

  test("may be none", async () => {
    expect(await Effect.runPromise(runQueries([], 7))).toEqual([])
  })

  test("of which all are settled end all the same", async () => {
    const questions = globalThis.Array.from({ length: 20_000 }, () => failedQuery("busy"))
    const outcomes = await Effect.runPromise(runQueries(questions, 1))
    expect(outcomes.filter(Either.isLeft)).toHaveLength(20_000)
  })

  test("are stopped from the last to the first, so that none begins in the place of another", async () => {
    const stopped: Array<number> = []
    const questions = globalThis.Array.from(
      { length: 3 },
      (_, nth): Query<string> =>
        () =>
        () =>
          stopped.push(nth)
    )
    const waiting = Effect.fork(runQueries(questions, 3))
    await Effect.runPromise(Effect.flatMap(waiting, (fiber) => Effect.delay(Fiber.interrupt(fiber), 1)))
    expect(stopped).toEqual([2, 1, 0])
  })

  test("are stopped when nobody waits for them any more", async () => {
    const stopped: Array<string> = []
    const silent =
      (name: string): Query<string> =>
      () =>
      () =>
        stopped.push(name)
    const all = Effect.all([runQuery(silent("one")), runQueries([silent("two"), silent("three")], 5)], {
      concurrency: 2
    })
    await Effect.runPromise(Effect.flatMap(Effect.fork(all), (fiber) => Effect.delay(Fiber.interrupt(fiber), 10)))
    expect(stopped.toSorted()).toEqual(["one", "three", "two"])
  })
})

test("what is over is not stopped, even if nobody waits for it in the same moment", async () => {
  let stops = 0
  const told: Array<(outcome: QueryOutcome<string>) => void> = []
  const asking: Query<string> = (over) => {
    told.push(over)
    return () => {
      stops += 1
    }
  }
  await Effect.runPromise(
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(runQuery(asking))
      yield* Effect.sleep(1)
      told[0]?.(Either.right("answer"))
      fiber.unsafeInterruptAsFork(FiberId.none)
      yield* Fiber.await(fiber)
    })
  )
  expect(stops).toBe(0)
})
