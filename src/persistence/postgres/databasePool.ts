import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { SqlError } from "@effect/sql/SqlError"
import { Context, Data, Duration, Effect, Layer, Option, Predicate, Redacted } from "effect"
import { createHash } from "node:crypto"
import { Client, DatabaseError, Pool, type QueryResult } from "pg"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { EmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { startupRetry } from "./retryAtStart.ts"
import { sendDirectly } from "./sendDirectly.ts"

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
      Layer.effect(
        SqlClient.SqlClient,
        Effect.map(SqlClient.SqlClient, (client) => sendDirectly(client, pool))
      ).pipe(
        Layer.provide(PgClient.layerFromPool({ acquire: Effect.succeed(pool) })),
        Layer.merge(Layer.succeed(DatabasePool, pool))
      )
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
    // Proxies and firewalls may drop idle connections silently.
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

/** A new pool of at most `maxConnections` on each call, by default ten. */
export const databasePool = (maxConnections?: number) =>
  Layer.unwrapEffect(Effect.map(DatabaseUrl, (url) => databasePoolAt(url, maxConnections)))

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

const withSessionOptions = (url: string): string => addOptions(url, sessionOptions)

const addOptions = (url: string, added: string): string => {
  const parsed = new URL(url)
  const options = parsed.searchParams.get("options")
  parsed.searchParams.set("options", options === null ? added : `${options} ${added}`)
  return parsed.toString()
}

/** The same database, where all tables are found and made in this schema, whose name needs no quotes, and in no other. */
export const inSchema = (url: Redacted.Redacted, schema: string): Redacted.Redacted =>
  Redacted.make(addOptions(Redacted.value(url), `-c search_path=${schema}`))

/**
 * A connection that prepares each statement: PostgreSQL parses its text once, under a name that is the hash of the
 * text, and plans it a few times instead of at every call, which halves the work for our short statements. The
 * connection is closed when the server does not answer, as behind a network that drops packets, so that its callers get
 * an error. A connection that the server gives up takes no further statement.
 */
class DatabaseClient extends Client {
  readonly #names = new Map<string, string>()

  /** Prepares a text with values and a callback; passes commands and cursors on unchanged. */
  override query(query: unknown, ...rest: ReadonlyArray<unknown>) {
    const [values, callback] = rest
    if (!Predicate.isString(query) || !Array.isArray(values) || !isCallback(callback)) {
      return Reflect.apply(super.query, this, [query, ...rest])
    }
    const handle = this.#endIfGivenUp(callback)
    if (values.length > 0) return this.#execute(query, values, this.#withDeadline(handle))
    return super.query(query, values, isShort.test(query) ? this.#withDeadline(handle) : handle)
  }

  /** The server closes the connection after such an error, but the pool would hand it out until then. */
  #endIfGivenUp(callback: Callback): Callback {
    return (error, result) => {
      if (isGivenUp(error)) void this.end()
      callback(error, result)
    }
  }

  #withDeadline(callback: Callback): Callback {
    const deadline = setTimeout(() => this.connection.stream.destroy(), answerTimeoutMillis)
    return (error, result) => {
      clearTimeout(deadline)
      callback(error, result)
    }
  }

  #execute(text: string, values: Array<unknown>, callback: Callback): void {
    const name = this.#nameOf(text)
    super.query({ name, text, values }, (error, result) => {
      if (name === unnamed || !isOutdated(error)) return callback(error, result)
      this.#names.set(text, unnamed)
      this.#execute(text, values, callback)
    })
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= maxNames) return unnamed
    const name = createHash("sha256").update(text).digest("base64url")
    this.#names.set(text, name)
    return name
  }
}

type Callback = (error: Error, result: QueryResult) => void

const isCallback = (value: unknown): value is Callback => Predicate.isFunction(value)

/** Longer than any statement of ours takes, including its wait for a locked row. */
const answerTimeoutMillis = 5_000

/** Statements without values that must answer in time; any other creates tables, which may take longer. */
const isShort = /^\s*(select|begin|commit|rollback|savepoint|release)\b/i

/** Our code has about thirty statements; any beyond this limit would be parsed at each call. */
const maxNames = 100

/** PostgreSQL's unnamed statement lives until the next one. */
const unnamed = ""

/** PostgreSQL, appendix B "severity": the session is over after FATAL, the whole server after PANIC. */
const isGivenUp = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.severity === "FATAL" || error.severity === "PANIC")

/** `cached plan must not change result type`: a migration changed a column after the statement was prepared. */
const isOutdated = (error: unknown): boolean => error instanceof DatabaseError && error.code === "0A000"

/** The URL of a database for people, without the password and with no parameter but the directory of a socket. */
export const formatDatabaseUrl = (url: Redacted.Redacted): string => {
  const { host, pathname, searchParams, username } = new URL(Redacted.value(url))
  const socketDirectory = searchParams.get("host")
  const user = username === "" ? "" : `${username}@`
  return `postgresql://${user}${host}${pathname}${socketDirectory === null ? "" : `?host=${socketDirectory}`}`
}

/** The whole URL of a database, with a placeholder for each password. */
export const maskPasswords = (url: Redacted.Redacted, placeholder: string): string => {
  const masked = new URL(Redacted.value(url))
  if (masked.password !== "") masked.password = placeholder
  for (const name of ["password", "sslpassword"]) {
    if (masked.searchParams.has(name)) masked.searchParams.set(name, placeholder)
  }
  return masked.href
}
