import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Schedule } from "effect"
import { LiveProcesses } from "../../../src/persistence/postgres/LiveProcesses.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshPool } from "../freshDatabase.ts"

concurrentTest("the live processes are those that sent the engine a heartbeat lately and are not known as ill", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into cluster_runners (address, runner, last_heartbeat, healthy) values
        ('a', 'a', now(), true), ('b', 'b', now(), true), ('c', 'c', now() - interval '10 seconds', true),
        ('d', 'd', now(), false)`
    const { count } = yield* Effect.provide(LiveProcesses, LiveProcesses.layer)
    expect(count()).toBe(2)
  }).pipe(Effect.provide(freshPool))
)

concurrentTest("the number follows processes that come and go, and is never below one", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const context = yield* Layer.build(LiveProcesses.layer)
    const { count } = yield* Effect.provide(LiveProcesses, context)
    const awaitCount = (expected: number) =>
      Effect.repeat(Effect.sync(count), {
        until: (live) => live === expected,
        schedule: Schedule.spaced("50 millis")
      })
    expect(count()).toBe(1)
    const heartbeat = sql`
      insert into cluster_runners (address, runner, last_heartbeat, healthy)
      select n::text, n::text, now() + interval '1 minute', true from generate_series(1, 3) n`
    yield* heartbeat
    yield* awaitCount(3)
    yield* sql`delete from cluster_runners`
    yield* awaitCount(1)
  }).pipe(Effect.scoped, Effect.provide(freshPool))
)

concurrentTest("a process outside a cluster is alone", () =>
  Effect.map(LiveProcesses, ({ count }) => expect(count()).toBe(1))
)
