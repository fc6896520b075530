import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Chunk, Effect, Fiber, Layer, Option, Schedule, Stream } from "effect"
import { ClusterEvents } from "../../../src/persistence/postgres/ClusterEvents.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshDatabase, poolOn, urlOf } from "../freshDatabase.ts"

concurrentTest("a process receives the events of another process on the same database, by topic", () =>
  Effect.gen(function* () {
    const { publisher, subscriber, pidsOf } = yield* twoProcesses
    const received = yield* Effect.fork(Stream.runCollect(Stream.take(subscriber.subscribe("phases_released"), 2)))
    yield* pidsOf(2)
    yield* publisher.publish("connection_changed", "con_1")
    yield* publisher.publish("phases_released", "prc_1")
    yield* publisher.publish("phases_released", "prc_2")
    expect(Chunk.toReadonlyArray(yield* Fiber.join(received))).toEqual(["prc_1", "prc_2"])
  })
)

concurrentTest("a process receives events again after its connection was closed", () =>
  Effect.gen(function* () {
    const { publisher, subscriber, pidsOf, sql } = yield* twoProcesses
    const received = yield* Effect.fork(Stream.runHead(subscriber.subscribe("connection_changed")))
    const before = yield* pidsOf(2)
    yield* sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) as cut (pid)`
    yield* Effect.repeat(pidsOf(2), { until: (after) => Array.intersection(before, after).length === 0 })
    // A session that has just connected may not listen yet.
    const publish = Effect.repeat(publisher.publish("connection_changed", "con_1"), Schedule.spaced("100 millis"))
    expect(yield* Effect.race(Fiber.join(received), Effect.zipRight(publish, Effect.never))).toEqual(
      Option.some("con_1")
    )
  })
)

concurrentTest("a single process receives no events", () =>
  Effect.gen(function* () {
    const { subscribe, publish } = yield* ClusterEvents
    yield* publish("phases_released", "prc_1")
    expect(Chunk.toReadonlyArray(yield* Stream.runCollect(subscribe("phases_released")))).toEqual([])
  })
)

/** Two processes on a new database, and a wait for `count` listening sessions that returns their process ids. */
const twoProcesses = Effect.gen(function* () {
  const database = yield* freshDatabase
  const process = Layer.fresh(Layer.provideMerge(ClusterEvents.layer(urlOf(database)), poolOn(database, 2)))
  const first = yield* Layer.build(process)
  const second = yield* Layer.build(process)
  const sql = yield* Effect.provide(SqlClient.SqlClient, first)
  const listening = Effect.map(
    sql<{ readonly pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and query ~ '^(listen|select 1)'`,
    (rows) => rows.map(({ pid }) => pid)
  )
  return {
    publisher: yield* Effect.provide(ClusterEvents, first),
    subscriber: yield* Effect.provide(ClusterEvents, second),
    pidsOf: (count: number) =>
      Effect.repeat(listening, { until: (pids) => pids.length === count, schedule: Schedule.spaced("20 millis") }).pipe(
        Effect.zipRight(listening)
      ),
    sql
  }
})
