import { SqlError } from "@effect/sql/SqlError"
import { expect } from "bun:test"
import { Cause, Effect, Exit, Option, ParseResult, Schema } from "effect"
import { batchStatement } from "../../src/persistence/batchStatement.ts"
import { DatabasePool } from "../../src/persistence/postgres/databasePool.ts"
import { readSqlState } from "../../src/persistence/StoreUnavailable.ts"
import { live } from "../support/effectTest.ts"
import { recordSpans } from "../support/recordSpans.ts"
import { emptyDatabase, poolOn } from "./freshDatabase.ts"

live("a request that the database refuses fails alone, and its connection stays in the pool", () =>
  onOneConnection((divide) =>
    Effect.gen(function* () {
      const before = yield* divide(5)
      const [zero, five] = yield* divideBoth(divide(0), divide(5))
      const error = Exit.causeOption(zero).pipe(Option.flatMap(Cause.failureOption), Option.getOrThrow)
      expect(error).toBeInstanceOf(SqlError)
      expect(readSqlState(error)).toEqual(Option.some("22012"))
      // The row has the process of the server that serves the connection.
      expect(five).toEqual(Exit.succeed(before))
    })
  )
)

live("a row that does not match its schema is a defect of its own request", () =>
  onOneConnection((divide) =>
    Effect.gen(function* () {
      const [large, small] = yield* divideBoth(divide(1), divide(5))
      expect(Exit.causeOption(large).pipe(Option.flatMap(Cause.dieOption), Option.getOrThrow)).toBeInstanceOf(
        ParseResult.ParseError
      )
      expect(Exit.map(small, ([row]) => row?.quotient)).toEqual(Exit.succeed(2))
    })
  )
)

live("a request whose values cannot be made is a defect, and the others are answered", () =>
  onOneConnection((divide) =>
    Effect.gen(function* () {
      const [odd, even] = yield* divideBoth(divide(Number.NaN), divide(5))
      expect(odd).toEqual(Exit.die(notANumber))
      expect(Exit.map(even, ([row]) => row?.quotient)).toEqual(Exit.succeed(2))
    })
  )
)

live("each request has a span of its own while a tracer is on, and none while it is off", () =>
  onOneConnection((divide) =>
    Effect.gen(function* () {
      const { spans, tracer } = yield* recordSpans
      const both = Effect.withTracer(divideBoth(divide(5), divide(4)), tracer)
      yield* both
      expect(spans).toEqual([])
      yield* Effect.withTracerEnabled(both, true)
      expect(spans.map(({ name }) => name)).toEqual(["sql.execute", "sql.execute"])
    })
  )
)

type Division = ReturnType<ReturnType<typeof prepareDivision>>

/** The exits of two divisions that are asked for in the same turn. */
const divideBoth = (one: Division, other: Division) =>
  Effect.zip(Effect.exit(one), Effect.exit(other), { concurrent: true })

/** Runs a test with a batched division of ten on a pool of one connection. */
const onOneConnection = (test: (divide: ReturnType<typeof prepareDivision>) => Effect.Effect<void, SqlError>) =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    yield* Effect.provide(
      Effect.flatMap(DatabasePool, (pool) => test(prepareDivision(pool))),
      poolOn(database, 1)
    )
  })

const prepareDivision = (pool: typeof DatabasePool.Service) =>
  batchStatement(pool, {
    text: `
      select nth::int, 10 / divisor as quotient, pg_backend_pid() as backend
      from unnest((select $1::int[])) with ordinality as requests (divisor, nth)`,
    toValues: (divisor: number) => {
      if (Number.isNaN(divisor)) throw notANumber
      return [divisor]
    },
    row: Schema.Struct({ quotient: Schema.Number.pipe(Schema.lessThan(10)), backend: Schema.Number })
  })

const notANumber = new Error("not a number")
