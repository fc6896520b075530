import { BunFileSystem } from "@effect/platform-bun"
import type { SqlClient } from "@effect/sql"
import { Effect, Layer, Logger, Redacted } from "effect"
import { EmbeddedPostgres } from "../../src/persistence/postgres/EmbeddedPostgres.ts"
import { databasePoolAt, toSocketUrl } from "../../src/persistence/postgres/databasePool.ts"
import { migrationsLayer } from "../../src/persistence/postgres/migrate.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"

/** A PostgreSQL of one test's own, with the service's tables, whose processes the test may stop and kill. */
export interface OwnPostgres {
  readonly url: Redacted.Redacted
  /** Runs an effect on a connection of its own. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.Effect<A>
}

/** Starts a PostgreSQL in a new directory. It stops with the scope. */
export const startOwnPostgres = () =>
  Effect.gen(function* () {
    const dataDirectory = yield* makeDataDirectory
    const server = yield* Layer.build(
      EmbeddedPostgres.layer({ dataDirectory }).pipe(
        Layer.provide(BunFileSystem.layer),
        // It reports every restart that a test causes.
        Layer.provide(Logger.remove(Logger.defaultLogger))
      )
    )
    const url = Redacted.make(toSocketUrl(yield* Effect.provide(EmbeddedPostgres, server)))
    yield* Effect.scoped(Layer.build(Layer.provide(migrationsLayer, databasePoolAt(url, 5))))
    const run: OwnPostgres["run"] = (effect) => Effect.orDie(Effect.provide(effect, databasePoolAt(url, 1)))
    return { url, run }
  })
