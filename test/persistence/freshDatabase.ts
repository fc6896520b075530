import { Effect, Layer, Redacted } from "effect"
import { testTables } from "../../src/persistence/commandDatabase.ts"
import { storesOfPhases, storesOfRequests } from "../../src/persistence/layer.ts"
import { DatabaseUrl, databasePoolAt, toSocketUrl } from "../../src/persistence/postgres/databasePool.ts"
import { migrationsLayer } from "../../src/persistence/postgres/migrate.ts"
import { createDatabase, type TestDatabase } from "../support/TestPostgres.ts"

/** A pool on a test database. */
export const poolOn = (database: TestDatabase, maxConnections?: number) =>
  databasePoolAt(urlOf(database), maxConnections)

/** The PostgreSQL URL of a test database. */
export const urlOf = (database: TestDatabase): Redacted.Redacted => Redacted.make(toSocketUrl(database))

const migrateTemplate = (template: TestDatabase) =>
  Effect.scoped(Layer.build(Layer.provide(migrationsLayer, poolOn(template, 5))))

/** A new database with the service's tables and no rows. */
export const freshDatabase = Effect.suspend(() => createDatabase(migrateTemplate))

const migrateBothEnvironments = (template: TestDatabase) =>
  Effect.zipRight(
    migrateTemplate(template),
    Effect.scoped(Layer.build(Layer.provide(testTables, Layer.succeed(DatabaseUrl, urlOf(template)))))
  )

/** The same with the tables of test mode, which the service makes at the first use of test mode. */
export const freshTestModeDatabase = Effect.suspend(() => createDatabase(migrateBothEnvironments))

const leaveEmpty = () => Effect.void

/** A new database without tables. */
export const emptyDatabase = Effect.suspend(() => createDatabase(leaveEmpty))

/** A pool on a new database with the service's tables and no rows. */
export const freshPool = Layer.unwrapEffect(Effect.map(freshDatabase, (database) => poolOn(database)))

/** Every store, on one pool. */
export const allStores = Layer.merge(storesOfRequests, storesOfPhases)
