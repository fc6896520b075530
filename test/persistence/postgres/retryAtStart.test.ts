import { SqlError } from "@effect/sql/SqlError"
import { expect } from "bun:test"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { retryAtStart } from "../../../src/persistence/postgres/retryAtStart.ts"
import { effect } from "../../support/effectTest.ts"

const answer = (code: string) => new SqlError({ cause: { severity: "ERROR", code, message: "refused" } })

/** How often a step is tried that gets these errors, one after the other, and then succeeds. */
const countTries = (errors: ReadonlyArray<SqlError>) =>
  Effect.gen(function* () {
    let tries = 0
    const step = Effect.suspend(() => {
      const error = errors[tries++]
      return error === undefined ? Effect.void : Effect.die(error)
    })
    const starting = yield* Effect.fork(Effect.exit(retryAtStart(step)))
    yield* TestClock.adjust(Duration.minutes(1))
    yield* Fiber.join(starting)
    return tries
  })

effect("a step of the start is tried again after an outage, and after a lost attempt created its table", () =>
  Effect.map(countTries([answer("57P01"), answer("42P07")]), (tries) => expect(tries).toBe(3))
)

effect("a step of the start is not tried again after a mistake in its statement", () =>
  Effect.map(countTries([answer("42601"), answer("57P01")]), (tries) => expect(tries).toBe(1))
)
