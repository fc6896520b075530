import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Exit, Fiber, Layer, Logger, Option, Schedule, Scope } from "effect"
import * as SingleInstance from "../../../src/persistence/postgres/SingleInstanceLock.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { findWaitingSession } from "../tableLocks.ts"
import { freshDatabase, freshPool, poolOn } from "../freshDatabase.ts"

concurrentTest("a second instance on the same database fails with the reason until the first one ends", () =>
  Effect.gen(function* () {
    const start = Layer.build(Layer.provide(SingleInstance.layer, Layer.fresh(poolOn(yield* freshDatabase))))
    yield* Effect.gen(function* () {
      yield* start
      expect(yield* Effect.flip(start)).toMatchObject({
        _tag: "InstanceAlreadyRunning",
        message: "another instance of the service runs on this database; set CLUSTER=true"
      })
    }).pipe(Effect.scoped)
    yield* start
  })
)

concurrentTest("a second instance starts if the first one ends within ten seconds", () =>
  Effect.gen(function* () {
    const start = Layer.build(Layer.provide(SingleInstance.layer, Layer.fresh(poolOn(yield* freshDatabase))))
    const first = yield* Scope.make()
    yield* Scope.extend(start, first)
    const second = yield* Effect.fork(start)
    yield* Effect.sleep("2 seconds")
    expect(Option.isNone(yield* Fiber.poll(second))).toBe(true)
    yield* Scope.close(first, Exit.void)
    yield* Fiber.join(second)
  })
)

concurrentTest("instances on different databases of one server are independent", () =>
  Effect.replicateEffect(Layer.build(Layer.provide(SingleInstance.layer, Layer.fresh(freshPool))), 2)
)

concurrentTest("the lock is acquired again after its connection was closed", () =>
  Effect.gen(function* () {
    yield* Layer.build(SingleInstance.layer)
    const [first = 0] = yield* holders
    yield* cut(first)
    yield* Effect.repeat(holders, {
      until: ([pid]) => pid !== undefined && pid !== first,
      schedule: Schedule.spaced("20 millis")
    })
  }).pipe(Effect.provide(quietPool))
)

concurrentTest("an instance stops its process if another session acquires the lock first", () =>
  Effect.gen(function* () {
    const stopRequested = yield* sigtermLatch
    yield* Layer.build(SingleInstance.layer)
    const session = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
    const [first = 0] = yield* holders
    const acquiring = yield* Effect.fork(session.executeRaw("select pg_advisory_lock(727001)", []))
    yield* findWaitingSession
    yield* cut(first)
    yield* acquiring.await
    yield* stopRequested.await
  }).pipe(Effect.provide(quietPool))
)

const quietPool = Layer.merge(freshPool, Logger.remove(Logger.defaultLogger))

/** A latch that opens when this process gets SIGTERM, which it survives while the scope is open. */
const sigtermLatch = Effect.gen(function* () {
  const stopRequested = yield* Effect.makeLatch()
  const onSigterm = () => stopRequested.unsafeOpen()
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGTERM", onSigterm)),
    () => Effect.sync(() => process.off("SIGTERM", onSigterm))
  )
  return stopRequested
})

/** The process ids of the sessions that hold the lock of this database. */
const holders = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly pid: number }>`
      select l.pid from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.objid = 727001 and l.granted and d.datname = current_database()`,
    (rows) => rows.map(({ pid }) => pid)
  )
)

const cut = (pid: number) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_terminate_backend(${pid}::int)`)
