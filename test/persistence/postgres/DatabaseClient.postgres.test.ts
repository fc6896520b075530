import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Chunk, Effect, Fiber, Layer, Option, Redacted, Stream } from "effect"
import { readSqlState } from "../../../src/persistence/StoreUnavailable.ts"
import { DatabaseClient } from "../../../src/persistence/postgres/DatabaseClient.ts"
import { databasePoolAt } from "../../../src/persistence/postgres/databasePool.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { SharedPool } from "../../../src/persistence/postgres/SharedPool.ts"
import { emptyDatabase, poolOn, urlOf } from "../freshDatabase.ts"

concurrentTest("a statement with parameters is prepared once per connection, for any values", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const double = (n: number) => sql`select ${n}::int * 2 as twice`
    expect(yield* Effect.forEach([1, 2, 3], double)).toEqual([[{ twice: 2 }], [{ twice: 4 }], [{ twice: 6 }]])
    expect(yield* preparedTexts).toEqual(["select $1::int * 2 as twice"])
  }).pipe(Effect.provide(oneConnection))
)

concurrentTest(
  "a connection that the server ends while nobody asks it fails its next statement, and nothing else",
  () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const config = { connectionString: Redacted.value(urlOf(database)), settings: [], schema: undefined }
      const client = yield* Effect.promise(() => new DatabaseClient(config).connect())
      const ended = new Promise((resolve) => client.once("end", resolve))
      const backend = yield* Effect.promise(() => client.query("select pg_backend_pid() as pid"))
      const end = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`select pg_terminate_backend(${backend.rows[0].pid}::int)`
      )
      yield* Effect.provide(end, poolOn(database))
      yield* Effect.promise(() => ended)
      yield* Effect.flip(Effect.tryPromise(() => client.query("select 1")))
    })
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

concurrentTest("a full pool tells how long a caller waited, also in vain, once", () =>
  Effect.gen(function* () {
    const connectionString = Redacted.value(urlOf(yield* emptyDatabase))
    const pool = new SharedPool({ connectionString, max: 1, servers: 1, connectionTimeoutMillis: 2_000 }, () => {})
    const held = yield* Effect.promise(() => pool.connect())
    const waitWhenFree = pool.takeLongestWait()
    const refused = yield* Effect.flip(Effect.tryPromise(() => pool.connect()))
    expect([waitWhenFree, String(refused.error), pool.takeLongestWait() > 1_000, pool.takeLongestWait()]).toEqual([
      0,
      "Error: timeout exceeded when trying to connect",
      true,
      0
    ])
    held.release()
    yield* Effect.promise(() => pool.end())
  })
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

concurrentTest("a statement in a schema makes and finds its tables there only, in a transaction or not", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>, schema?: string) =>
      Effect.provide(effect, databasePoolAt(urlOf(database), 1, schema))
    yield* run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create schema other; create table live as select 1 as n`)
    )
    const inOther = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table made (n int)`
      yield* sql`create index concurrently made_n on made (n)`
      yield* sql.withTransaction(Effect.zipRight(sql`insert into made values (${1})`, sql`insert into made values (2)`))
      yield* Effect.flip(sql.withTransaction(Effect.zipRight(sql`insert into made values (3)`, Effect.fail("undone"))))
      const [own, other] = yield* Effect.all([
        sql`select n, (select count(*)::int from pg_indexes where tablename = 'made' and schemaname = 'other') as indexes
          from made where n < ${9} order by n`,
        Effect.flip(sql`select n from live where n < ${9}`)
      ])
      return { own, other: readSqlState(other) }
    })
    expect(yield* run(inOther, "other")).toEqual({
      own: [
        { n: 1, indexes: 1 },
        { n: 2, indexes: 1 }
      ],
      other: Option.some("42P01")
    })
  })
)

concurrentTest(
  "in a schema a prepared statement returns a column that was added since, and an error ends nothing",
  () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const inPublic = Effect.gen(function* () {
        const { addColumn, all } = yield* domains
        const sql = yield* SqlClient.SqlClient
        yield* all
        yield* addColumn
        const failure = yield* Effect.flip(sql`select 1 / ${0}::int`)
        return [readSqlState(failure), yield* all, yield* all]
      })
      const row = { name: "example.com", ttl: 60 }
      expect(yield* Effect.provide(inPublic, databasePoolAt(urlOf(database), 1, "public"))).toEqual([
        Option.some("22012"),
        [row],
        [row]
      ])
    })
)

concurrentTest("a statement of another caller waits for the transaction of one that was interrupted", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table written (n int)`
    const slow = sql`insert into written select ${1} from pg_sleep(30)`.pipe(Effect.withTracerEnabled(true))
    const started = Effect.gen(function* () {
      const running = yield* Effect.fork(slow)
      yield* Effect.sleep("200 millis")
      yield* Fiber.interrupt(running)
    })
    yield* started
    yield* sql`insert into written values (${2})`
    expect(yield* sql`select n from written`).toEqual([{ n: 2 }])
  }).pipe(
    Effect.provide(
      Layer.unwrapEffect(Effect.map(emptyDatabase, (database) => databasePoolAt(urlOf(database), 2, "public")))
    )
  )
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
