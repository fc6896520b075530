import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import { expect } from "bun:test"
import { Array, Deferred, Effect, Exit, Fiber, Layer, Option, Schedule } from "effect"
import { readSqlState } from "../../../src/persistence/StoreUnavailable.ts"
import { live } from "../../support/effectTest.ts"
import { recordSpans } from "../../support/recordSpans.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"

live("a statement gives its rows, with parameters and without", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`select 1 as one union all select 2`).toEqual([{ one: 1 }, { one: 2 }])
    expect(yield* sql`select ${"text"}::text as value, ${null}::int as nothing`).toEqual([
      { value: "text", nothing: null }
    ])
    expect(yield* sql`select where false`).toEqual([])
  }).pipe(Effect.provide(oneConnection))
)

live("several statements in one text give the rows of each", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows: unknown = yield* sql`create table names (name text); insert into names values ('a') returning name`
    expect(rows).toEqual([[], [{ name: "a" }]])
  }).pipe(Effect.provide(oneConnection))
)

live("identifiers, fragments, lists and records compose", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table ${sql("a table")} (${sql("name")} text, size int)`
    yield* sql`insert into ${sql("a table")} ${sql.insert(["a", "b", "c"].map((name, size) => ({ name, size })))}`
    const isChosen = sql`size > ${0} and ${sql.in("name", ["a", "b"])}`
    const chosen = sql`select name from ${sql("a table")} where ${sql.and([isChosen, sql.literal("true")])}`
    expect(yield* chosen).toEqual([{ name: "b" }])
    expect(yield* Effect.replicateEffect(chosen, 2)).toEqual([[{ name: "b" }], [{ name: "b" }]])
  }).pipe(Effect.provide(oneConnection))
)

live("an error of the server is a SqlError with its cause, and the connection stays in use", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const before = yield* backend
    for (const failing of [sql`select 1 / 0`, sql`select 1 / ${0}::int`]) {
      const error = yield* Effect.flip(failing)
      expect(error).toBeInstanceOf(SqlError)
      expect(readSqlState(error)).toEqual(Option.some("22012"))
    }
    expect(yield* backend).toBe(before)
  }).pipe(Effect.provide(oneConnection))
)

live("a parameter that cannot be sent fails its statement once, and the connection stays in use", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const before = yield* backend
    const cause = new Error("no form")
    const parameter = {
      toPostgres: () => {
        throw cause
      }
    }
    const error = yield* Effect.flip(sql`select ${parameter}::text`)
    expect(error.cause).toBe(cause)
    expect(yield* backend).toBe(before)
  }).pipe(Effect.provide(oneConnection))
)

live("a statement that cannot be written is a defect, and takes no connection", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const exit = yield* Effect.exit(sql`insert into nothing ${sql.insert([])}`)
    expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
    expect(yield* sql`select 1 as one`).toEqual([{ one: 1 }])
  }).pipe(Effect.provide(oneConnection))
)

live("a statement in a transaction is rolled back with it", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table names (name text)`
    const insertAndFail = Effect.zipRight(sql`insert into names values (${"a"})`, Effect.fail("failure"))
    expect(yield* Effect.flip(sql.withTransaction(insertAndFail))).toBe("failure")
    yield* sql.withTransaction(sql`insert into names values (${"b"})`)
    expect(yield* sql`select name from names`).toEqual([{ name: "b" }])
  }).pipe(Effect.provide(oneConnection))
)

live("a statement makes a span while a tracer is on, and none while it is off", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { spans, tracer } = yield* recordSpans
    const one = Effect.withTracer(sql`select 1 as one`, tracer)
    expect(yield* one).toEqual([{ one: 1 }])
    expect(spans).toEqual([])
    expect(yield* Effect.withTracerEnabled(one, true)).toEqual([{ one: 1 }])
    expect(spans.map(({ name }) => name)).toEqual(["sql.execute"])
  }).pipe(Effect.provide(oneConnection))
)

live("a statement whose connection breaks fails, and the next one gets another connection", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const other = yield* Layer.build(poolOn(database, 1))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const sleep of [sql`select pg_sleep(60)`, sql`select pg_sleep(${60})`]) {
        const before = yield* backend
        const statement = yield* Effect.fork(Effect.flip(sleep))
        yield* Effect.provide(terminateAsleep(before), other)
        expect(readSqlState(yield* Fiber.join(statement))).toEqual(Option.some("57P01"))
        expect(yield* backend).not.toBe(before)
      }
    }).pipe(Effect.provide(poolOn(database, 1)))
  })
)

live("a statement whose caller is interrupted before there is a connection for it is not run", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table names (name text)`
    const insert = yield* interruptInQueue(sql`insert into names values (${"a"})`)
    yield* Fiber.await(insert)
    expect(yield* sql`select name from names`).toEqual([])
  }).pipe(Effect.provide(oneConnection))
)

live("a statement whose caller still runs its finalizer, interrupted, when there is a connection is not run", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table names (name text)`
    const isOpen = yield* Deferred.make<void>()
    const insert = yield* interruptInQueue(
      Effect.ensuring(sql`insert into names values (${"a"})`, Deferred.await(isOpen))
    )
    const rows = yield* sql`select name from names`
    yield* Deferred.succeed(isOpen, undefined)
    yield* Fiber.await(insert)
    expect(rows).toEqual([])
  }).pipe(Effect.provide(oneConnection))
)

live(
  "a statement that its caller has made uninterruptible is run, though it is interrupted before there is a connection",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table names (name text)`
      const insert = yield* interruptInQueue(Effect.uninterruptible(sql`insert into names values (${"a"})`))
      yield* Fiber.await(insert)
      expect(yield* sql`select name from names`).toEqual([{ name: "a" }])
    }).pipe(Effect.provide(oneConnection))
)

live("a finalizer of an interrupted caller runs its statement", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create table names (name text)`
    const insert = yield* interruptInQueue(
      Effect.ensuring(sql`select 1`, Effect.ignore(sql`insert into names values (${"a"})`))
    )
    yield* Fiber.await(insert)
    expect(yield* sql`select name from names`).toEqual([{ name: "a" }])
  }).pipe(Effect.provide(oneConnection))
)

/** Interrupts a caller while another one holds the only connection, which that then gives back. */
const interruptInQueue = <A, E>(caller: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isOpen = yield* Deferred.make<void>()
    const isHeld = yield* Deferred.make<void>()
    const held = Effect.zipRight(Deferred.succeed(isHeld, undefined), Deferred.await(isOpen))
    const holder = yield* Effect.fork(sql.withTransaction(held))
    yield* Deferred.await(isHeld)
    const waiting = yield* Effect.fork(caller)
    yield* Effect.yieldNow()
    yield* Fiber.interruptFork(waiting)
    yield* Effect.yieldNow()
    yield* Deferred.succeed(isOpen, undefined)
    yield* Fiber.join(holder)
    return waiting
  })

const oneConnection = Layer.unwrapEffect(Effect.map(emptyDatabase, (database) => poolOn(database, 1)))

/** The process of the server that runs the statements of this connection. */
const backend = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`, ([row]) => row?.pid)
)

const awaitWaiting = (event: "Lock" | "Timeout", pid: number | undefined) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = ${event}`.pipe(
      Effect.repeat({ until: Array.isNonEmptyReadonlyArray, schedule: Schedule.spaced("5 millis") })
    )
  )

const terminateAsleep = (pid: number | undefined) =>
  Effect.zipRight(
    awaitWaiting("Timeout", pid),
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_terminate_backend(${pid})`)
  )
