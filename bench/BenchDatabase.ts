import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted } from "effect"
import type { Connection } from "../src/domain/connection/Connection.ts"
import { Identifiers } from "../src/domain/values/Identifiers.ts"
import type { Tenancy } from "../src/domain/access/Tenancy.ts"
import { databasePoolAt, toSocketUrl } from "../src/persistence/postgres/databasePool.ts"
import { migrationsLayer } from "../src/persistence/postgres/migrate.ts"
import { ApiKeyStore } from "../src/persistence/stores/access/ApiKeyStore.ts"
import { encodeConnection } from "../src/persistence/stores/connections/StoredConnection.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { createDatabase, type TestDatabase } from "../test/support/TestPostgres.ts"
import { issueKey, tenancyOf } from "../test/support/testApi.ts"
import { discoveredConnection } from "./typicalConnection.ts"

/** A database with the tables of the service, and an API key of the tenant that owns all its rows. */
export interface BenchDatabase extends TestDatabase {
  readonly key: string
}

/** Creates a database on the PostgreSQL of the run. Autovacuum is off, so that it does not disturb a measurement. */
export const createBenchDatabase: Effect.Effect<BenchDatabase> = Effect.gen(function* () {
  const database = yield* createDatabase(migrate)
  const { key } = yield* issueKey(tenancy).pipe(
    Effect.zipLeft(runOnDatabase(database, disableAutovacuum)),
    Effect.provide(Layer.provide(keys, poolOf(database)))
  )
  return { ...database, key }
}).pipe(Effect.orDie)

/** Runs an effect with a pool of its own, which is closed at the end. */
export const runOnDatabase = <A, E>(database: TestDatabase, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.orDie(Effect.provide(effect, poolOf(database)))

/** The id of the nth connection, counted from 1. */
export const connectionIdOf = (n: number): string => `con_${String(n).padStart(26, "0")}`

/**
 * Inserts the connections from the `from`th to the `to`th in a state after discovery. PostgreSQL copies the compressed
 * document of the first into all of them, so a million rows of realistic size take seconds.
 */
export const insertDiscoveredConnections = (database: TestDatabase, from: number, to: number) =>
  runOnDatabase(
    database,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (from === 1) yield* insertRow(sql, discoveredConnection(connectionIdOf(1), tenancy))
      yield* sql`
        insert into connections (id, application_id, tenant_id, state, domain, doc)
        select 'con_' || lpad(n::text, 26, '0'), application_id, tenant_id, state, domain, doc
        from generate_series(${Math.max(from, 2)}::int, ${to}::int) n, connections where id = ${connectionIdOf(1)}`
      yield* sql`vacuum analyze connections`
    })
  )

/** Inserts the first `count` connections, not yet due, each with its own id in its document. */
export const insertPerConnection = (
  database: TestDatabase,
  count: number,
  connectionOf: (id: string, tenancy: Tenancy) => Connection
) =>
  runOnDatabase(
    database,
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(
        Array.from({ length: count }, (_, index) => connectionOf(connectionIdOf(index + 1), tenancy)),
        (connection) => insertRow(sql, connection),
        { concurrency: 4, discard: true }
      )
    )
  )

export const databaseUrlOf = (database: TestDatabase): string => toSocketUrl(database)

const tenancy = tenancyOf("bench", "tenant")

const insertRow = (sql: SqlClient.SqlClient, connection: Connection) => sql`
  insert into connections (id, application_id, tenant_id, state, domain, phase, doc)
  values (${connection.id}, ${connection.applicationId}, ${connection.tenantId}, ${connection.state},
    ${connection.effectiveIntent.domain}, ${connection.state === "requested" ? "discover" : null}::text, ${encodeConnection(connection)})`

const disableAutovacuum = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(
    ["connections", "connection_events", "browser_tokens"],
    (table) => sql`alter table ${sql(table)} set (autovacuum_enabled = off)`
  )
)

const poolOf = (database: TestDatabase) => databasePoolAt(Redacted.make(databaseUrlOf(database)), 4)

const migrate = (template: TestDatabase) => Effect.scoped(Layer.build(Layer.provide(migrationsLayer, poolOf(template))))

const keys = ApiKeys.layer.pipe(Layer.provide(Layer.mergeAll(ApiKeyStore.layer, Identifiers.layer)))
