import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Redacted } from "effect"
import { databasePoolAt, toSocketUrl } from "../../src/persistence/postgres/databasePool.ts"
import type { AlertDrill } from "./AlertDrill.ts"
import type { DrillGround } from "./DrillGround.ts"
import { keepDoing, plannedConnection, requestedConnection } from "./drillSteps.ts"

/** Alerts about the database. */
export const databaseDrills: ReadonlyArray<AlertDrill> = [
  {
    alert: "DcsDatabasePoolFull",
    cause: "a session keeps a table locked",
    settings: { DATABASE_CONNECTIONS: "6" },
    plant: (ground) =>
      Effect.gen(function* () {
        const { id } = yield* plannedConnection(ground.api, "locked.drills.com")
        yield* lockConnections(ground)
        yield* Effect.replicateEffect(keepDoing(ground.api.get(`/v1/connections/${id}`), 50), 6)
        yield* Effect.replicateEffect(keepDoing(ground.api.get("/v1/connections?limit=1"), 50), 6)
      })
  },
  {
    alert: "DcsErrors",
    cause: "the database lets nobody in",
    plant: (ground) =>
      Effect.gen(function* () {
        const { id } = yield* plannedConnection(ground.api, "gone.drills.com")
        yield* Effect.acquireRelease(allowSessions(ground, false), () => allowSessions(ground, true))
        yield* keepDoing(ground.api.get(`/v1/connections/${id}`), 200)
      })
  },
  {
    alert: "DcsPhasesFail",
    cause: "the database refuses what a phase writes",
    plant: (ground) =>
      Effect.gen(function* () {
        yield* Effect.acquireRelease(ground.database.run(refusePlans), () => ground.database.run(acceptPlans))
        let nth = 0
        yield* keepDoing(
          Effect.suspend(() => requestedConnection(ground.api, `refused${(nth += 1)}.drills.com`)),
          3_000
        )
      })
  }
]

/** Locks the connections for the life of the scope. */
export const lockConnections = ({ database }: DrillGround) =>
  Effect.gen(function* () {
    const isLocked = yield* Deferred.make<void>()
    const hold = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(
        sql`lock table connections in access exclusive mode`.pipe(
          Effect.zipRight(Deferred.succeed(isLocked, undefined)),
          Effect.zipRight(Effect.never)
        )
      )
    )
    yield* Effect.forkScoped(database.run(hold))
    yield* Deferred.await(isLocked)
  })

/** Lets sessions in or ends all, from another database of the server: one cannot close its own. */
const allowSessions = ({ database }: DrillGround, isAllowed: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`alter database ${sql(database.database)} allow_connections ${sql.literal(String(isAllowed))}`
    if (!isAllowed)
      yield* sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database.database}`
  }).pipe(
    Effect.provide(databasePoolAt(Redacted.make(toSocketUrl({ ...database, database: "postgres" })), 1)),
    Effect.orDie
  )

const refusePlans = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.zipRight(
    sql`create function refuse_plan() returns trigger language plpgsql as $$
      begin raise exception 'planted by a drill'; end $$`,
    sql`create trigger refuse_plan before update on connections for each row
      when (old.state = 'requested' and new.state <> 'requested') execute function refuse_plan()`
  )
)

const acceptPlans = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`drop function refuse_plan cascade`)
