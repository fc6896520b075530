import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Chunk, Effect, Fiber, Layer, Option, Schedule, Stream } from "effect"
import { ClusterEvents } from "../../../src/persistence/postgres/ClusterEvents.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshDatabase, poolOn, urlOf } from "../freshDatabase.ts"

concurrentTest("a process hears what another one on the same database says, by topic", () =>
  Effect.gen(function* () {
    const { one, other, pidsOf } = yield* twoProcesses
    const heard = yield* Effect.fork(Stream.runCollect(Stream.take(other.subscribe("phase_over"), 2)))
    yield* pidsOf(2)
    yield* one.publish("connection_changed", "con_1")
    yield* one.publish("phase_over", "con_1/1")
    yield* one.publish("phase_over", "con_2/7")
    expect(Chunk.toReadonlyArray(yield* Fiber.join(heard))).toEqual(["con_1/1", "con_2/7"])
  })
)

concurrentTest("it hears again after its connection was cut", () =>
  Effect.gen(function* () {
    const { one, other, pidsOf, sql } = yield* twoProcesses
    const heard = yield* Effect.fork(Stream.runHead(other.subscribe("connection_changed")))
    const before = yield* pidsOf(2)
    yield* sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) as cut (pid)`
    yield* Effect.repeat(pidsOf(2), { until: (after) => Array.intersection(before, after).length === 0 })
    yield* one.publish("connection_changed", "con_1")
    expect(yield* Fiber.join(heard)).toEqual(Option.some("con_1"))
  })
)

concurrentTest("a process alone has nobody to hear", () =>
  Effect.gen(function* () {
    const { subscribe: heard, publish: say } = yield* ClusterEvents
    yield* say("phase_over", "con_1/1")
    expect(Chunk.toReadonlyArray(yield* Stream.runCollect(heard("phase_over")))).toEqual([])
  })
)

/** Two processes on a new database, and the sessions in which `count` of them listen, once there are that many. */
const twoProcesses = Effect.gen(function* () {
  const database = yield* freshDatabase
  const process = Layer.fresh(Layer.provideMerge(ClusterEvents.layer(urlOf(database)), poolOn(database, 2)))
  const one = yield* Layer.build(process)
  const other = yield* Layer.build(process)
  const sql = yield* Effect.provide(SqlClient.SqlClient, one)
  const listening = Effect.map(
    sql<{ readonly pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = '' and query ~ '^(listen|select 1)'`,
    (rows) => rows.map(({ pid }) => pid)
  )
  return {
    one: yield* Effect.provide(ClusterEvents, one),
    other: yield* Effect.provide(ClusterEvents, other),
    pidsOf: (count: number) =>
      Effect.repeat(listening, { until: (pids) => pids.length === count, schedule: Schedule.spaced("20 millis") }).pipe(
        Effect.zipRight(listening)
      ),
    sql
  }
})
