import { SqlClient } from "@effect/sql"
import { describe, expect } from "bun:test"
import { Clock, Duration, Effect, Layer } from "effect"
import * as DatabaseClock from "../../../src/persistence/postgres/DatabaseClock.ts"
import { live } from "../../support/effectTest.ts"
import { skewedClock } from "../../support/skewedClock.ts"
import { freshPool } from "../freshDatabase.ts"

const hour = Duration.toMillis("1 hour")

/** The hours by which this process's time differs from the database's. */
const hoursOff = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ readonly millis: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis`
  return Math.abs(Math.round((now - (row?.millis ?? 0)) / hour))
})

describe("a process whose local clock", () => {
  for (const [what, by] of [
    ["an hour behind", -hour],
    ["right", 0],
    ["an hour ahead", hour]
  ] as const)
    live(`is ${what} uses the time of the database, even if its clock is changed meanwhile`, () => {
      const own = skewedClock(by)
      const compared = Effect.gen(function* () {
        const atFirst = yield* hoursOff
        yield* own.set(by + 3 * hour)
        return [atFirst, yield* hoursOff]
      })
      return Effect.gen(function* () {
        expect(yield* Effect.provide(compared, DatabaseClock.layer)).toEqual([0, 0])
        expect(yield* hoursOff).toBe(Math.abs(by / hour + 3))
      }).pipe(Effect.provide(Layer.provideMerge(own.layer, freshPool)))
    })
})
