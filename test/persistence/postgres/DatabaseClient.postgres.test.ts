import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Chunk, Effect, Layer, Option, Stream } from "effect"
import { readSqlState } from "../../../src/persistence/StoreUnavailable.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"

concurrentTest("a statement with parameters is prepared once per connection, for any values", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const double = (n: number) => sql`select ${n}::int * 2 as twice`
    expect(yield* Effect.forEach([1, 2, 3], double)).toEqual([[{ twice: 2 }], [{ twice: 4 }], [{ twice: 6 }]])
    expect(yield* preparedTexts).toEqual(["select $1::int * 2 as twice"])
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest("an unlimited number of different statements works, with at most a hundred prepared", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const answers = yield* Effect.forEach(Array.range(1, 150), (n) => sql`select ${n}::int as ${sql(`column ${n}`)}`)
    expect(answers).toEqual(Array.makeBy(150, (index) => [{ [`column ${index + 1}`]: index + 1 }]))
    expect((yield* preparedTexts).length).toBe(100)
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest("a prepared statement returns a column that a migration has added since", () =>
  Effect.gen(function* () {
    const { addColumn, all } = yield* domains
    expect(yield* all).toEqual([{ name: "example.com" }])
    yield* addColumn
    expect(yield* all).toEqual([{ name: "example.com", ttl: 60 }])
    expect(yield* all).toEqual([{ name: "example.com", ttl: 60 }])
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest("in a transaction such a statement fails with a retryable error, and then succeeds", () =>
  Effect.gen(function* () {
    const { addColumn, all } = yield* domains
    const sql = yield* SqlClient.SqlClient
    yield* all
    yield* addColumn
    const failure = yield* Effect.flip(sql.withTransaction(all))
    expect(Option.getOrThrow(readSqlState(failure))).toBe("25P02")
    expect(yield* sql.withTransaction(all)).toEqual([{ name: "example.com", ttl: 60 }])
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest("an error of the statement itself is reported unchanged each time", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const divide = sql`select 1 / ${0}::int`
    const states = yield* Effect.replicateEffect(Effect.map(Effect.flip(divide), readSqlState), 2)
    expect(states).toEqual([Option.some("22012"), Option.some("22012")])
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest("a terminated connection is replaced before the next statement", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const terminateOwn = sql`select pg_terminate_backend(pg_backend_pid()), ${1}::int`
    const one = sql`select ${1}::int as one`
    const answers = yield* Effect.replicateEffect(Effect.zipRight(Effect.flip(terminateOwn), one), 20)
    expect(answers).toEqual(Array.replicate([{ one: 1 }], 20))
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest("rows are streamed with a cursor", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Stream.runCollect(
      sql<{ readonly n: number }>`select generate_series(1, ${300}::int) as n`.stream
    )
    expect(Chunk.toReadonlyArray(rows).map(({ n }) => n)).toEqual(Array.range(1, 300))
  }).pipe(Effect.provide(oneConnection))
)

const oneConnection = Layer.unwrapEffect(Effect.map(emptyDatabase, (database) => poolOn(database, 1)))

const preparedTexts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly statement: string }>`select statement from pg_prepared_statements`, (rows) =>
    rows.map(({ statement }) => statement)
  )
)

/** A table of one row, a query for all its columns, and a migration that adds one. */
const domains = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table domains as select 'example.com' as name`
  return {
    all: sql`select * from domains where name = ${"example.com"}`,
    addColumn: sql`alter table domains add column ttl int not null default 60`
  }
})
