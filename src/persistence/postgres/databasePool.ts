import { PgClient } from "@effect/sql-pg"
import { SqlError } from "@effect/sql/SqlError"
import { Context, Data, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Pool } from "pg"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { DatabaseClient } from "./DatabaseClient.ts"
import { EmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { startupRetry } from "./retryAtStart.ts"

/** The database did not answer within about ten seconds of the start. */
class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{ readonly message: string }> {}

const connectTimeout = Duration.seconds(2)

/** Limits how long a statement waits for a locked row, which is mostly that of a repeated idempotency key. */
const sessionOptions = "-c lock_timeout=2s"

/** A pool of connections to the database at a PostgreSQL URL; it opens them when they are needed. */
export const databasePoolAt = (url: Redacted.Redacted, maxConnections = 10) =>
  makePoolLayer(openPool(url, maxConnections))

/** The pool of `SqlClient`, for statements that go to it directly (see `batchStatement`). */
export class DatabasePool extends Context.Tag("persistence/DatabasePool")<DatabasePool, Pool>() {}

const makePoolLayer = (acquire: ReturnType<typeof openPool>) =>
  Layer.unwrapScoped(
    Effect.map(acquire, (pool) =>
      Layer.merge(PgClient.layerFromPool({ acquire: Effect.succeed(pool) }), Layer.succeed(DatabasePool, pool))
    )
  ).pipe(
    Layer.mapError(
      (error) => new DatabaseUnreachable({ message: `the database cannot be reached: ${readSqlErrorReason(error)}` })
    ),
    Layer.tapError(({ message }) => Effect.logWarning(message)),
    Layer.retry(startupRetry)
  )

const openPool = (url: Redacted.Redacted, max: number) =>
  Effect.acquireRelease(
    Effect.sync(() => newPool(url, max)),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption(Duration.seconds(1)))
  ).pipe(Effect.tap(checkConnection))

const newPool = (url: Redacted.Redacted, max: number): Pool =>
  new Pool({
    connectionString: withSessionOptions(Redacted.value(url)),
    application_name: "domain-connection-service",
    connectionTimeoutMillis: Duration.toMillis(connectTimeout),
    max,
    // A new connection takes a process and a proof of the password: hundreds of milliseconds where the machine is busy.
    idleTimeoutMillis: 0,
    // What forwards connections may forget idle ones without a word.
    keepAlive: true,
    Client: DatabaseClient
    // The pool replaces a lost idle connection; without a listener its "error" event would end the process.
  }).on("error", () => {})

/**
 * Opens all connections in the background, so that the first burst of work does not wait for them: the pool opens one
 * for each request that comes while none is free. Each is given back in the callback, not in a promise: nobody listens
 * to the errors of one that is lent, and an error may have come together with the connection.
 */
const prewarm = (pool: Pool) =>
  Effect.sync(() => {
    for (let opened = 0; opened < pool.options.max; opened += 1) pool.connect((_, client) => client?.release())
  })

const checkConnection = (pool: Pool) =>
  Effect.tryPromise({
    try: () => pool.query("select 1"),
    catch: (cause) => new SqlError({ cause, message: "it refuses" })
  }).pipe(
    Effect.timeoutFail({
      duration: connectTimeout,
      onTimeout: () => new SqlError({ cause: undefined, message: "it does not answer" })
    })
  )

/** Where the database is: the configured one, or else an embedded one in the data directory, which the layer starts. */
export class DatabaseUrl extends Context.Tag("persistence/DatabaseUrl")<DatabaseUrl, Redacted.Redacted>() {
  static readonly layer = (settings: {
    readonly databaseUrl: Option.Option<Redacted.Redacted>
    readonly dataDirectory: string
    /** Runs when the embedded database is open, with the process that runs it. */
    readonly onEmbedded?: (owner: typeof EmbeddedPostgres.Service.owner) => Effect.Effect<void>
  }) =>
    Option.match(settings.databaseUrl, {
      onNone: () =>
        Layer.effect(
          DatabaseUrl,
          EmbeddedPostgres.pipe(
            Effect.tap(({ owner }) => settings.onEmbedded?.(owner) ?? Effect.void),
            Effect.map((embedded) => Redacted.make(toSocketUrl(embedded)))
          )
        ).pipe(Layer.provide(EmbeddedPostgres.layer({ dataDirectory: settings.dataDirectory }))),
      onSome: (url) => Layer.succeed(DatabaseUrl, url)
    })
}

/** A new pool of at most ten connections on each call. */
export const databasePool = () => Layer.unwrapEffect(Effect.map(DatabaseUrl, (url) => databasePoolAt(url)))

/** A new pool on each call that opens its ten connections at the start. */
export const prewarmedDatabasePool = () =>
  Layer.unwrapEffect(Effect.map(DatabaseUrl, (url) => makePoolLayer(Effect.tap(openPool(url, 10), prewarm))))

/** The PostgreSQL URL of a server that listens on a Unix socket only. */
export const toSocketUrl = (server: {
  readonly database: string
  readonly password: Redacted.Redacted
  readonly socketDirectory: string
  readonly username: string
}) =>
  `postgresql://${server.username}:${Redacted.value(server.password)}@localhost/${server.database}?host=${encodeURIComponent(server.socketDirectory)}`

const withSessionOptions = (url: string): string => {
  const parsed = new URL(url)
  const options = parsed.searchParams.get("options")
  parsed.searchParams.set("options", options === null ? sessionOptions : `${options} ${sessionOptions}`)
  return parsed.toString()
}
