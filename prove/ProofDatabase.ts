import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted } from "effect"
import { Identifiers } from "../src/domain/Identifiers.ts"
import { ApiKeyStore } from "../src/persistence/ApiKeyStore.ts"
import { migrated, postgresAt, socketUrl } from "../src/persistence/Postgres.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { issueKey, tenancyOf } from "../test/support/apiUnderTest.ts"
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
  const { key } = yield* ask(Effect.provide(issueKey(tenancyOf("proof", "tenant")), keys))
  return { ...database, url, ask, key }
}).pipe(Effect.orDie)

const poolAt = (url: string) => postgresAt(Redacted.make(url), 2)

const migrate = (template: TestDatabase) =>
  Effect.scoped(Layer.build(Layer.provide(migrated, postgresAt(Redacted.make(socketUrl(template)), 5))))

const keys = ApiKeys.layer.pipe(Layer.provide(Layer.mergeAll(ApiKeyStore.layer, Identifiers.layer)))
