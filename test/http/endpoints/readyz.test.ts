import { expect } from "bun:test"
import { Array, Effect, Fiber, Layer } from "effect"
import { DatabaseReadiness, type DatabaseProblem } from "../../../src/persistence/postgres/DatabaseReadiness.ts"
import { withLayer } from "../../support/effectTest.ts"
import { timeByTurns } from "../../support/timeByTurns.ts"
import { send, serviceUrl } from "../../support/testApi.ts"
import { adjustableMonotonicClock } from "../support/adjustableMonotonicClock.ts"
import { apiWith } from "../support/apiWith.ts"

const database = { reads: 0, problems: Array.empty<DatabaseProblem>(), answers: Effect.unsafeMakeLatch(true) }

const countingReadiness = Layer.succeed(DatabaseReadiness, {
  findProblems: Effect.suspend(() => {
    database.reads += 1
    return Effect.as(database.answers.await, database.problems)
  })
})

const clock = adjustableMonotonicClock()

const readyz = Effect.map(send("/readyz"), ({ status }) => status)

withLayer("/readyz, which needs no key", Layer.provide(apiWith(countingReadiness), clock.layer), (live) => {
  live("reads the database once for all calls of a second", () =>
    Effect.gen(function* () {
      const together = yield* Effect.replicateEffect(readyz, 100, { concurrency: "unbounded" })
      const later = yield* Effect.replicateEffect(readyz, 10)
      expect([...together, ...later]).toEqual(Array.replicate(200, 110))
      expect(database.reads).toBe(1)
    })
  )

  live("reports a problem, and its end, after a second at the latest", () =>
    Effect.gen(function* () {
      database.problems = ["database"]
      yield* clock.move("1 second")
      expect(yield* readyz).toBe(503)
      database.problems = []
      yield* clock.move("999 millis")
      expect(yield* readyz).toBe(503)
      yield* clock.move("1 millis")
      expect(yield* readyz).toBe(200)
    })
  )

  live("answers the others when the first to ask goes away", () =>
    Effect.gen(function* () {
      yield* timeByTurns
      yield* clock.move("1 second")
      const reads = database.reads
      yield* database.answers.close
      const url = yield* serviceUrl
      const first = yield* Effect.fork(Effect.tryPromise((signal) => fetch(`${url}/readyz`, { signal })))
      yield* Effect.repeat(Effect.sleep("1 millis"), { until: () => database.reads > reads })
      const others = yield* Effect.fork(Effect.replicateEffect(readyz, 5, { concurrency: "unbounded" }))
      yield* Effect.sleep("50 millis")
      yield* Fiber.interrupt(first)
      yield* Effect.sleep("50 millis")
      yield* database.answers.open
      expect(yield* Fiber.join(others)).toEqual(Array.replicate(200, 5))
    })
  )
})
