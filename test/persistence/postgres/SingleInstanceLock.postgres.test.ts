import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Logger, Schedule } from "effect"
import * as SingleInstance from "../../../src/persistence/postgres/SingleInstanceLock.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { findWaitingSession } from "../findWaitingSession.ts"
import { freshDatabase, freshPool, poolOn } from "../freshDatabase.ts"

concurrentTest("a second instance on the same database stops and says why, until the first one ends", () =>
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

concurrentTest("instances on different databases of one server do not disturb each other", () =>
  Effect.replicateEffect(Layer.build(Layer.provide(SingleInstance.layer, Layer.fresh(freshPool))), 2)
)

concurrentTest("the lock is taken anew after its connection was cut", () =>
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

concurrentTest("an instance asks its process to stop when another one was faster to take the lock", () =>
  Effect.gen(function* () {
    const asked = yield* stopRequest
    yield* Layer.build(SingleInstance.layer)
    const other = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
    const [first = 0] = yield* holders
    const taking = yield* Effect.fork(other.executeRaw("select pg_advisory_lock(727001)", []))
    yield* findWaitingSession
    yield* cut(first)
    yield* taking.await
    yield* asked.await
  }).pipe(Effect.provide(quietPool))
)

const quietPool = Layer.merge(freshPool, Logger.remove(Logger.defaultLogger))

/** Opens when this process is asked to stop, which it survives for as long as the scope lives. */
const stopRequest = Effect.gen(function* () {
  const asked = yield* Effect.makeLatch()
  const note = () => asked.unsafeOpen()
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGTERM", note)),
    () => Effect.sync(() => process.off("SIGTERM", note))
  )
  return asked
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
