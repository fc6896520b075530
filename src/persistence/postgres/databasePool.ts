import { PgClient } from "@effect/sql-pg"
import { SqlError } from "@effect/sql/SqlError"
import { Context, Data, Duration, Effect, Layer, Metric, Option, Redacted, Runtime, Schedule, type Scope } from "effect"
import type { Pool } from "pg"
import { metrics } from "../../runtime/metrics.ts"
import { readSqlErrorReason, readSqlState } from "../StoreUnavailable.ts"
import { DatabaseClient, type DatabaseClientConfig } from "./DatabaseClient.ts"
import { SessionNotKept } from "./sessionErrors.ts"
import { listDatabaseServers } from "./databaseUrl.ts"
import { EmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { SharedPool } from "./SharedPool.ts"
import { startupRetry } from "./retryAtStart.ts"
import { splitSessionSettings } from "./sessionSettings.ts"

/** The database did not answer within about ten seconds of the start. */
class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{ readonly message: string }> {}

/** The database does not let the service in, as long as nobody changes `DATABASE_URL` or the database. */
class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{ readonly message: string }> {}

/** A wrong password or role, or a database that is not there (PostgreSQL, appendix A). */
const isRefusal = (error: SqlError): boolean => Option.exists(readSqlState(error), (state) => /^(28|3D)/.test(state))

/** For requests, which get 503 then; phases and commands wait longer for a database that is busy or far away. */
const requestTimeout = Duration.seconds(2)
const usualTimeout = Duration.seconds(5)

/** A pool that opens connections when needed. With `schema` (no quotes), statements stay within it. */
export const databasePoolAt = (url: Redacted.Redacted, maxConnections = 10, schema?: string, name?: PoolName) =>
  Layer.unwrapScoped(
    Effect.map(Effect.tap(openPool(url, maxConnections, schema, name), measurePool(name)), (pool) =>
      Layer.merge(PgClient.layerFromPool({ acquire: Effect.succeed(pool) }), Layer.succeed(DatabasePool, pool))
    )
  ).pipe(
    Layer.mapError((error) =>
      error instanceof DatabaseRefused
        ? error
        : error.cause instanceof SessionNotKept
          ? error.cause
          : isRefusal(error)
            ? new DatabaseRefused({
                message: `the database refuses the service (DATABASE_URL): ${readSqlErrorReason(error)}`
              })
            : new DatabaseUnreachable({ message: `the database cannot be reached: ${readSqlErrorReason(error)}` })
    ),
    Layer.tapError(({ _tag, message }) => (_tag === "DatabaseUnreachable" ? Effect.logWarning(message) : Effect.void)),
    Layer.retry(
      Schedule.whileInput(startupRetry, ({ _tag }: { readonly _tag: string }) => _tag === "DatabaseUnreachable")
    )
  )

/** Whose statements a pool runs, as its metrics name it. */
type PoolName = "requests" | "phases"

/** Measures a pool that has a name every five seconds, until it is closed. */
const measurePool =
  (name: PoolName | undefined) =>
  (pool: SharedPool): Effect.Effect<void, never, Scope.Scope> =>
    name === undefined
      ? Effect.void
      : Effect.suspend(() =>
          Effect.all([
            Metric.set(metrics.databaseConnections.labeled(name, "used"), pool.totalCount - pool.idleCount),
            Metric.set(metrics.databaseConnections.labeled(name, "idle"), pool.idleCount),
            Metric.set(metrics.databaseWaitMaxSeconds.labeled(name), pool.takeLongestWait() / 1_000)
          ])
        ).pipe(Effect.zipRight(Effect.sleep(Duration.seconds(5))), Effect.forever, Effect.forkScoped, Effect.asVoid)

/** The pool of `SqlClient`, for statements that go to it directly (see `batchStatement`). */
export class DatabasePool extends Context.Tag("persistence/DatabasePool")<DatabasePool, SharedPool>() {}

const openPool = (url: Redacted.Redacted, max: number, schema: string | undefined, name: PoolName | undefined) =>
  Effect.acquireRelease(makePool(url, max, schema, name === "requests" ? requestTimeout : usualTimeout), (pool) =>
    Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption(Duration.seconds(1)))
  ).pipe(Effect.tap(checkSessions))

const makePool = (url: Redacted.Redacted, max: number, schema: string | undefined, connectTimeout: Duration.Duration) =>
  Effect.zipWith(Effect.runtime<never>(), makeSessionConfigs(url, schema, connectTimeout), (runtime, sessions) => {
    const config = {
      max,
      servers: sessions.count,
      connectionTimeoutMillis: Duration.toMillis(connectTimeout),
      // A new connection takes a process and a proof of the password: hundreds of milliseconds where the machine is busy.
      idleTimeoutMillis: 0,
      Client: class extends DatabaseClient {
        constructor() {
          super(sessions.next())
        }
      }
    }
    // The pool replaces a lost idle connection; without a listener its "error" event would end the process.
    return new SharedPool(config, (reason) => Runtime.runFork(runtime)(warnOfLimit(max, reason))).on("error", () => {})
  })

/** How the sessions of the service on a database are opened: each at the server at which the last one could be. */
export const makeSessionConfigs = (databaseUrl: Redacted.Redacted, schema?: string, connectTimeout = usualTimeout) =>
  Effect.map(
    Effect.mapError(listDatabaseServers(databaseUrl), (message) => new DatabaseRefused({ message })),
    (servers) => {
      let current = 0
      return {
        /** How many ways there are to reach the database. */
        count: servers.length,
        next: (): DatabaseClientConfig => {
          const nth = current
          const { ssl, url: serverUrl = "" } = servers[nth] ?? {}
          const { settings, url } = splitSessionSettings(serverUrl)
          return {
            connectionString: url,
            ...(ssl === undefined ? {} : { ssl }),
            connectionTimeoutMillis: Duration.toMillis(connectTimeout),
            // Proxies and firewalls may drop idle connections silently.
            keepAlive: true,
            schema,
            settings,
            mustWrite: servers.some(({ url }) => url !== serverUrl),
            onUnreachable: () => {
              if (current === nth) current = (nth + 1) % servers.length
            }
          }
        }
      }
    }
  )

const warnOfLimit = (wanted: number, reason: string) =>
  Effect.logWarning(
    "The database allows fewer connections than the service uses: work waits for those that it has, but test mode may " +
      "not start, and commands may be refused. Raise the limit of the role or of the server, or set DATABASE_CONNECTIONS " +
      "to eleven less than it allows (docs/operations.md, Database)"
  ).pipe(Effect.annotateLogs({ reason, wanted }))

/** Opens two sessions at the same time: where a pooler keeps none, the second one shows it. */
const checkSessions = (pool: Pool) =>
  Effect.async<void, SqlError>((resume) => {
    const refuse = (cause: unknown) => resume(Effect.fail(new SqlError({ cause, message: "it refuses" })))
    pool.connect((unconnected, first, release) => {
      if (first === undefined) return refuse(unconnected)
      if (pool.options.max === 1) return resume(Effect.sync(release))
      pool.connect((refused, second, releaseSecond) => {
        releaseSecond()
        release()
        if (second === undefined) refuse(refused)
        else resume(Effect.void)
      })
    })
  })

/** The URL of the database: the configured one, or else an embedded one in the data directory, which the layer starts. */
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

/** A new pool of at most `maxConnections` on each call, by default ten; one with a name has metrics. */
export const databasePool = (maxConnections?: number, schema?: string, name?: PoolName) =>
  Layer.unwrapEffect(Effect.map(DatabaseUrl, (url) => databasePoolAt(url, maxConnections, schema, name)))

/** Opens all connections of a pool in the background. */
export const warmUpPool = Effect.map(DatabasePool, (pool) => pool.warmUp())

/** The PostgreSQL URL of a server that listens on a Unix socket only. */
export const toSocketUrl = (server: {
  readonly database: string
  readonly password: Redacted.Redacted
  readonly socketDirectory: string
  readonly username: string
}) =>
  `postgresql://${server.username}:${Redacted.value(server.password)}@localhost/${server.database}?host=${encodeURIComponent(server.socketDirectory)}`
