import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Deferred, Effect, Exit, Layer, Option, Schedule, Scope, Stream } from "effect"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { ClusterEvents } from "../../../src/persistence/postgres/ClusterEvents.ts"
import { LiveProcesses } from "../../../src/persistence/postgres/LiveProcesses.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshDatabase, poolOn, urlOf } from "../freshDatabase.ts"

concurrentTest("the number follows processes that come, go and hang", () =>
  Effect.gen(function* () {
    const { sql, start } = yield* makeDatabase
    const [first, second] = [yield* start, yield* start]
    yield* awaitCount(first, 2)
    yield* awaitCount(second, 2)
    yield* sql`insert into processes (id, seen_at) values ('hangs', now() + interval '1 hour')`
    yield* awaitCount(first, 3)
    yield* sql`update processes set seen_at = now() - interval '10 seconds' where id = 'hangs'`
    yield* awaitCount(first, 2)
    yield* second.end
    yield* awaitCount(first, 1)
    expect(yield* sql`select id from processes`).toEqual([{ id: first.id }])
  }).pipe(Effect.scoped)
)

concurrentTest("nothing is left to looks while a process of a version lives that knows none", () =>
  Effect.gen(function* () {
    const { sql, start } = yield* makeDatabase
    const { allLook } = yield* start
    expect(allLook()).toBe(true)
    yield* sql`insert into processes (id, seen_at) values ('old', now() + interval '1 hour')`
    yield* awaitValue(allLook, false)
    yield* sql`update processes set seen_at = now() - interval '10 seconds' where id = 'old'`
    yield* awaitValue(allLook, true)
  }).pipe(Effect.scoped)
)

concurrentTest(
  "the slots of looks of a process that hangs, or ends, are due at once, those of one that lives are not",
  () =>
    Effect.gen(function* () {
      const { sql, start } = yield* makeDatabase
      const [staying, ending] = [yield* start, yield* start]
      yield* sql`insert into processes (id) values ('hangs')`
      yield* sql`
      update look_slots set due_at = now() + interval '1 hour', taken_by = (array[${staying.id}, ${ending.id}, 'hangs'])[slot + 1]`
      yield* ending.end
      const takenSlots = sql<{ slot: number }>`select slot from look_slots where due_at <= now() order by slot`
      const released = yield* Effect.repeat(Effect.delay(takenSlots, "50 millis"), {
        until: ({ length }) => length > 1
      })
      expect(released).toEqual([{ slot: 1 }, { slot: 2 }])
    }).pipe(Effect.scoped)
)

concurrentTest("the phases of a process that hangs are due at once, those of one that lives are not", () =>
  Effect.gen(function* () {
    const { sql, start } = yield* makeDatabase
    const process = yield* start
    yield* sql`insert into processes (id) values ('hangs')`
    yield* insertTaken(sql, [process.id, "hangs"])
    yield* Effect.repeat(dueOwners(sql), {
      until: (owners) => owners.length > 0,
      schedule: Schedule.spaced("50 millis")
    })
    expect(yield* rowsOf(sql)).toEqual(
      [
        { id: `con_${process.id}`, takenBy: process.id, isDue: false },
        { id: "con_hangs", takenBy: null, isDue: true }
      ].toSorted(byId)
    )
  }).pipe(Effect.scoped)
)

concurrentTest(
  "the phases of a process that ends, and of one that nobody knows, are due at once, which others hear",
  () =>
    Effect.gen(function* () {
      const { sql, start } = yield* makeDatabase
      yield* insertTaken(sql, ["forgotten"])
      const staying = yield* start
      expect(yield* rowsOf(sql)).toEqual([{ id: "con_forgotten", takenBy: null, isDue: true }])
      const ending = yield* start
      yield* awaitCount(staying, 2)
      yield* insertTaken(sql, [ending.id, staying.id])
      const listens = yield* Deferred.make<void>()
      const heard = yield* staying.released.pipe(
        Stream.tap(() => Deferred.succeed(listens, undefined)),
        Stream.filter((id) => id === ending.id),
        Stream.runHead,
        Effect.fork
      )
      yield* Effect.repeat(sql`select pg_notify('phases_released', 'nobody')`, {
        until: () => Deferred.isDone(listens),
        schedule: Schedule.spaced("20 millis")
      })
      yield* ending.end
      expect(yield* heard).toEqual(Option.some(ending.id))
      expect((yield* rowsOf(sql)).filter(({ id }) => id !== "con_forgotten")).toEqual(
        [
          { id: `con_${ending.id}`, takenBy: null, isDue: true },
          { id: `con_${staying.id}`, takenBy: staying.id, isDue: false }
        ].toSorted(byId)
      )
    }).pipe(Effect.scoped)
)

concurrentTest("a process whose own heartbeat was late ends no other one before its next heartbeat", () =>
  Effect.gen(function* () {
    const { sql, start } = yield* makeDatabase
    const process = yield* start
    yield* sql.withTransaction(
      Effect.zipRight(
        sql`
          with late as (update processes set seen_at = now() - interval '10 seconds' where id = ${process.id})
          insert into processes (id, seen_at) values ('late too', now() - interval '10 seconds')`,
        noteOthersAtHeartbeats(sql)
      )
    )
    const heartbeats = sql`select others from heartbeats order by nth`
    yield* Effect.repeat(heartbeats, { until: (noted) => noted.length > 0, schedule: Schedule.spaced("20 millis") })
    expect((yield* heartbeats)[0]).toEqual({ others: 1 })
    yield* awaitCount(process, 1)
    yield* Effect.repeat(sql`select id from processes where id = 'late too'`, {
      until: (rows) => rows.length === 0,
      schedule: Schedule.spaced("50 millis")
    })
  }).pipe(Effect.scoped)
)

concurrentTest("the only process of a database makes every phase due that was taken before its start", () =>
  Effect.gen(function* () {
    const { pool, sql } = yield* makeDatabase
    yield* sql`insert into processes (id) values ('killed')`
    yield* insertTaken(sql, ["killed"])
    const { count } = yield* Effect.provide(
      LiveProcesses,
      LiveProcesses.aloneLayer.pipe(Layer.provide(Layer.merge(pool, Identifiers.layer)))
    )
    expect([count(), yield* rowsOf(sql), yield* sql`select id from processes`]).toEqual([
      1,
      [{ id: "con_killed", takenBy: null, isDue: true }],
      []
    ])
  }).pipe(Effect.scoped)
)

concurrentTest("a process outside a cluster is alone", () =>
  Effect.map(LiveProcesses, ({ count }) => expect(count()).toBe(1))
)

/** A new database, and how processes start on it. */
const makeDatabase = Effect.gen(function* () {
  const database = yield* freshDatabase
  const pool = poolOn(database, 4)
  const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(pool))
  const start = Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const process = Layer.provideMerge(LiveProcesses.layer, ClusterEvents.layer(urlOf(database)))
    const context = yield* Layer.buildWithScope(
      Layer.fresh(process.pipe(Layer.provide(Layer.merge(poolOn(database, 2), Identifiers.layer)))),
      scope
    )
    const { allLook, count, id } = yield* Effect.provide(LiveProcesses, context)
    const { subscribe } = yield* Effect.provide(ClusterEvents, context)
    return { id, allLook, count, released: subscribe("phases_released"), end: Scope.close(scope, Exit.void) }
  })
  return { pool, sql, start }
})

const awaitCount = ({ count }: { readonly count: () => number }, expected: number) => awaitValue(count, expected)

const awaitValue = <A>(read: () => A, expected: A) =>
  Effect.repeat(Effect.sync(read), { until: (value) => value === expected, schedule: Schedule.spaced("20 millis") })

/** Connections with a phase that each of the processes has taken. */
const insertTaken = (sql: SqlClient.SqlClient, processes: ReadonlyArray<string>) => sql`
  insert into connections (id, application_id, tenant_id, state, domain, doc, progress, phase, due_at, taken_by)
  select 'con_' || process, 'app', 'tenant', 'requested', 'example.com', '{}', '{}', 'discover',
    now() + interval '2 minutes', process
  from unnest(${processes}::text[]) as taken (process)`

const rowsOf = (sql: SqlClient.SqlClient) =>
  sql<{ readonly id: string; readonly takenBy: string | null; readonly isDue: boolean }>`
    select id, taken_by as "takenBy", due_at <= now() as "isDue" from connections order by id collate "C"`

const dueOwners = (sql: SqlClient.SqlClient) => sql`select id from connections where due_at <= now()`

/** From now on each heartbeat notes how many other processes it has left. */
const noteOthersAtHeartbeats = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table heartbeats (nth serial, others int)`,
    sql`
      create function note_others() returns trigger language plpgsql as $$
        begin
          insert into heartbeats (others) select count(*) from processes where id <> new.id;
          return null;
        end $$`,
    sql`create trigger note_others after update on processes for each row execute function note_others()`
  ])

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
