import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test"
import { type Array, Effect, Either, Fiber, FiberId } from "effect"
import {
  hedgeQueries,
  makeFailedQuery,
  NoAnswer,
  type Query,
  type QueryOutcome,
  runQueries,
  runQuery
} from "../../../src/dns/transport/Query.ts"

const no = (reason: NoAnswer["reason"]): QueryOutcome<string> => Either.left(new NoAnswer({ reason }))

/** Hedged attempts with these outcomes after these delays, and a log of their events. */
const attempts = (...plans: Array.NonEmptyReadonlyArray<readonly [millis: number, outcome: QueryOutcome<string>]>) => {
  const events: Array<string> = []
  const [first, ...others] = plans.map(([millis, outcome], nth): Query<string> => {
    return (onOutcome) => {
      events.push(`${nth} starts`)
      const timer = setTimeout(() => onOutcome(outcome), millis)
      return () => {
        events.push(`${nth} is stopped`)
        clearTimeout(timer)
      }
    }
  })
  if (first === undefined) throw new Error("there is one at least")
  return { query: hedgeQueries([first, ...others]), events }
}

/** The outcomes after this many milliseconds. */
const outcomesIn = (millis: number, query: Query<string>) => {
  const outcomes: Array<string> = []
  query((outcome) => outcomes.push(Either.merge(Either.mapLeft(outcome, ({ reason }) => reason))))
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

  test("end with the first answer, and no further attempt starts", () => {
    const { query, events } = attempts([399, Either.right("first")], [0, Either.right("second")])
    expect(outcomesIn(5_000, query)).toEqual(["first"])
    expect(events).toEqual(["0 starts"])
  })

  test("start the next attempt after a failure", () => {
    const { query, events } = attempts([10, no("refused")], [10, no("lame")], [10, Either.right("third")])
    expect(outcomesIn(30, query)).toEqual(["third"])
    expect(events).toEqual(["0 starts", "1 starts", "2 starts"])
  })

  test("start the next attempt after 0.4 s without an answer, and stop the loser", () => {
    const { query, events } = attempts([2_000, Either.right("first")], [10, Either.right("second")])
    expect(outcomesIn(399, query)).toEqual([])
    expect(events).toEqual(["0 starts"])
    jest.advanceTimersByTime(11)
    expect(events).toEqual(["0 starts", "1 starts", "0 is stopped"])
  })

  test("end with a slow answer if the later attempts fail", () => {
    const { query } = attempts([900, Either.right("first")], [0, no("refused")], [0, no("lame")])
    expect(outcomesIn(899, query)).toEqual([])
    expect(outcomesIn(900, query)).toEqual(["first"])
  })

  test("fail with the first failure", () => {
    const { query } = attempts([500, no("server_failure")], [0, no("refused")], [10, no("lame")])
    expect(outcomesIn(500, query)).toEqual(["refused"])
  })

  test("fail with the failure of a server that responded, if any did", () => {
    const { query } = attempts([500, no("server_failure")], [0, no("no_route")], [0, no("timed_out")])
    expect(outcomesIn(500, query)).toEqual(["server_failure"])
  })

  test("are all stopped together, and no further attempt starts", () => {
    const { query, events } = attempts([2_000, no("timed_out")], [2_000, no("timed_out")], [0, Either.right("third")])
    const stop = query(() => events.push("over"))
    jest.advanceTimersByTime(500)
    stop()
    jest.advanceTimersByTime(5_000)
    expect(events).toEqual(["0 starts", "1 starts", "1 is stopped", "0 is stopped"])
  })
})

describe("many queries", () => {
  test("run up to the limit at a time, with their outcomes in order", async () => {
    let inFlight = 0
    let maximum = 0
    const numbers = globalThis.Array.from({ length: 20 }, (_, number) => number)
    const query =
      (number: number): Query<number> =>
      (onOutcome) => {
        inFlight += 1
        maximum = Math.max(maximum, inFlight)
        const timer = setTimeout(() => {
          inFlight -= 1
          onOutcome(Either.right(number))
        }, number % 3)
        return () => clearTimeout(timer)
      }
    const outcomes = await Effect.runPromise(runQueries(numbers.map(query), () => 7))
    expect(outcomes).toEqual(numbers.map((number) => Either.right(number)))
    expect(maximum).toBe(7)
  })

  test("may be none", async () => {
    expect(await Effect.runPromise(runQueries([], () => 7))).toEqual([])
  })

  test("with immediate outcomes all complete", async () => {
    const questions = globalThis.Array.from({ length: 20_000 }, () => makeFailedQuery("busy"))
    const outcomes = await Effect.runPromise(runQueries(questions, () => 1))
    expect(outcomes.filter(Either.isLeft)).toHaveLength(20_000)
  })

  test("are stopped from the last to the first, so that none starts with the permit of another", async () => {
    const stopped: Array<number> = []
    const questions = globalThis.Array.from(
      { length: 3 },
      (_, nth): Query<string> =>
        () =>
        () =>
          stopped.push(nth)
    )
    const waiting = Effect.fork(runQueries(questions, () => 3))
    await Effect.runPromise(Effect.flatMap(waiting, (fiber) => Effect.delay(Fiber.interrupt(fiber), 1)))
    expect(stopped).toEqual([2, 1, 0])
  })

  test("are stopped by an interruption", async () => {
    const stopped: Array<string> = []
    const silent =
      (name: string): Query<string> =>
      () =>
      () =>
        stopped.push(name)
    const all = Effect.all([runQuery(silent("one")), runQueries([silent("two"), silent("three")], () => 5)], {
      concurrency: 2
    })
    await Effect.runPromise(Effect.flatMap(Effect.fork(all), (fiber) => Effect.delay(Fiber.interrupt(fiber), 10)))
    expect(stopped.toSorted()).toEqual(["one", "three", "two"])
  })
})

test("a query that has ended is not stopped, even if it is interrupted at the same moment", async () => {
  let stops = 0
  const callbacks: Array<(outcome: QueryOutcome<string>) => void> = []
  const query: Query<string> = (onOutcome) => {
    callbacks.push(onOutcome)
    return () => {
      stops += 1
    }
  }
  await Effect.runPromise(
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(runQuery(query))
      yield* Effect.sleep(1)
      callbacks[0]?.(Either.right("answer"))
      fiber.unsafeInterruptAsFork(FiberId.none)
      yield* Fiber.await(fiber)
    })
  )
  expect(stops).toBe(0)
})
