import { SqlClient } from "@effect/sql"
import { Console, Data, Effect, Layer, Option, type Redacted } from "effect"
import { findEmbeddedDatabase } from "./postgres/PostgresDirectory.ts"
import { databasePool, databasePoolAt, DatabaseUrl } from "./postgres/databasePool.ts"
import { formatDatabaseUrl } from "./postgres/databaseUrl.ts"
import { migrationsLayer, testSchema, testSchemaLayer } from "./postgres/migrate.ts"

interface CommandDatabaseSettings {
  /** The PostgreSQL of the operator (`DATABASE_URL`). */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** Where an embedded PostgreSQL keeps its files (`DATA_DIR`). */
  readonly dataDirectory: string
}

/** The live tables of a database, or those of test mode. */
export type DatabaseEnvironment = "live" | "test"

/** A command has no database: neither is one configured, nor has a service made one in the data directory. */
class NoDatabase extends Data.TaggedError("NoDatabase")<{ readonly message: string }> {}

/** An up-to-date database for commands beside the service, without its lock, clock and stores. Creates none. */
export const commandDatabase = (settings: CommandDatabaseSettings, environment: DatabaseEnvironment = "live") => {
  const url = Layer.unwrapEffect(findDatabase(settings))
  return environment === "live"
    ? Layer.provideMerge(migrationsLayer, databasePool()).pipe(Layer.provide(url))
    : Layer.provide(testTables, url)
}

/** The same database as it is, and its URL: its tables may be missing, or those of another version. */
export const commandDatabaseAsFound = (settings: CommandDatabaseSettings) =>
  Layer.provideMerge(databasePool(), Layer.unwrapEffect(findDatabase(settings)))

/** The tables of test mode in the same database, as they are. */
export const testTablesAsFound = Layer.unwrapEffect(
  Effect.map(DatabaseUrl, (url) => databasePoolAt(url, 1, testSchema))
)

/** The tables of test mode, up to date, in their schema, which is created if it is missing. */
export const testTables = Layer.unwrapEffect(
  Effect.map(DatabaseUrl, (url) =>
    migrationsLayer.pipe(Layer.provide(testSchemaLayer), Layer.provideMerge(databasePoolAt(url, 2, testSchema)))
  )
)

/** Brings the live tables up to date, and those of test mode if somebody has used it. */
export const bringUpToDate = Effect.gen(function* () {
  yield* Effect.scoped(Layer.build(migrationsLayer))
  const sql = yield* SqlClient.SqlClient
  const [schema] = yield* sql`select to_regnamespace(${testSchema}) is not null as exists`
  if (schema?.["exists"] === true) yield* Effect.scoped(Layer.build(testTables))
})

const findDatabase = Effect.fnUntraced(function* ({ databaseUrl, dataDirectory }: CommandDatabaseSettings) {
  if (Option.isSome(databaseUrl)) {
    yield* announce(`${formatDatabaseUrl(databaseUrl.value)} (DATABASE_URL)`)
    return DatabaseUrl.layer({ databaseUrl, dataDirectory })
  }
  const { exists, path } = yield* findEmbeddedDatabase(dataDirectory)
  if (!exists) return yield* new NoDatabase({ message: noDatabaseMessage(path) })
  return DatabaseUrl.layer({
    databaseUrl,
    dataDirectory,
    onEmbedded: (owner) => announce(`the embedded PostgreSQL in ${path} (DATABASE_URL is not set), ${usageOf(owner)}`)
  })
})

const announce = (database: string) => Console.error(`Database: ${database}`)

const usageOf = (owner: "this process" | "another process") =>
  owner === "another process" ? "which another process has open" : "which no running service uses"

const noDatabaseMessage = (path: string) =>
  `DATABASE_URL is not set, and there is no embedded database in ${path}: set DATABASE_URL as for the service, ` +
  "or DATA_DIR to its data directory, or start the service first"
