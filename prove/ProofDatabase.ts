import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted } from "effect"
import { Identifiers } from "../src/domain/Identifiers.ts"
import { allScopes, ApplicationId, TenantId } from "../src/domain/Tenancy.ts"
import { ApiKeyStore } from "../src/persistence/ApiKeyStore.ts"
import { migrated, postgresAt, socketUrl } from "../src/persistence/Postgres.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { createDatabase, type TestDatabase } from "../test/support/TestPostgres.ts"

/** A database with the tables of the service, a key for its API, and a pool to look into it. */
export interface ProofDatabase extends TestDatabase {
  readonly url: string
  readonly key: string
  /** Runs on connections of its own. */
  readonly ask: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.Effect<A>
}

/** A new database on the one PostgreSQL of the run. */
export const openDatabase = Effect.gen(function* () {
  const database = yield* createDatabase(migrate)
  const url = socketUrl(database)
  const pool = yield* Layer.build(poolAt(url))
  const ask: ProofDatabase["ask"] = (effect) => Effect.orDie(Effect.provide(effect, pool))
  return { ...database, url, ask, key: yield* ask(Effect.provide(firstKey, keys)) }
}).pipe(Effect.orDie)

const poolAt = (url: string) => postgresAt(Redacted.make(url), 2)

const migrate = (template: TestDatabase) =>
  Effect.scoped(Layer.build(Layer.provide(migrated, postgresAt(Redacted.make(socketUrl(template)), 5))))

const keys = ApiKeys.layer.pipe(Layer.provide(Layer.mergeAll(ApiKeyStore.layer, Identifiers.layer)))

const firstKey = Effect.flatMap(ApiKeys, ({ issue }) =>
  Effect.map(
    issue({
      tenancy: { applicationId: ApplicationId.make("proof"), tenantId: TenantId.make("tenant") },
      scopes: allScopes,
      environment: "test"
    }),
    ({ key }) => Redacted.value(key)
  )
)
