import { Predicate } from "effect"
import { createHash } from "node:crypto"
import { Client, type ClientConfig, DatabaseError, type QueryResult } from "pg"
import { isUnreachable, ServerReadOnly, SessionNotKept } from "./sessionErrors.ts"

/** Where a session of the service runs its statements. */
export interface DatabaseClientConfig extends ClientConfig {
  /** The settings that hold in the session. */
  readonly settings: ReadonlyArray<readonly [name: string, value: string]>
  /** The schema of all tables, whose name needs no quotes; by default that of the role. */
  readonly schema: string | undefined
  /** Whether the session is refused where it cannot write, as at a standby. */
  readonly mustWrite?: boolean
  /** Called where no session can be opened and another server may open one. */
  readonly onUnreachable?: () => void
}

/**
 * A connection that is a session of its own: `connect` fails where a pooler gives the session to others or a setting does
 * not hold (`SessionNotKept`).
 *
 * It prepares each statement under the hash of its text, which halves the work for our short statements. It is closed
 * when the server does not answer, so that callers get an error; not in a transaction whose `begin` is followed by
 * `set local statement_timeout = 0`. A connection that the server gives up takes no further statement.
 *
 * With `schema`, each statement names it in its own transaction, whatever a pooler does with sessions.
 */
export class DatabaseClient extends Client {
  readonly #names = new Map<string, string>()
  readonly #schema: string | undefined
  readonly #settings: DatabaseClientConfig["settings"]
  readonly #mustWrite: boolean
  readonly #onUnreachable: () => void
  #checkedAt = 0
  /** Whether the running transaction may take as long as it takes. */
  #isUnlimited = false
  /** The messages to send after the transaction of the running statement. */
  #waiting: Array<() => void> | undefined

  constructor(config: DatabaseClientConfig) {
    super(config)
    // The statement that fails gets the error as well; without a listener the event would end the process.
    this.on("error", ignore)
    this.#schema = config.schema
    this.#settings = config.settings
    this.#mustWrite = config.mustWrite === true
    this.#onUnreachable = config.onUnreachable ?? ignore
  }

  override connect(): Promise<Client>
  override connect(callback: (error: Error | null, client?: Client) => void): void
  override connect(callback?: (error: Error | null, client?: Client) => void): Promise<Client> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) => this.connect((error) => (error === null ? resolve(this) : reject(error))))
    }
    const refuse = (error: Error) => {
      if (isUnreachable(error)) this.#onUnreachable()
      callback(error)
    }
    super.connect((error: Error | null) => {
      if (error) return refuse(error)
      const session = { settings: this.#settings, mustWrite: this.#mustWrite }
      openSession(this, session, (text, values) => super.query(text, values)).then(
        () => {
          this.#checkedAt = performance.now()
          callback(null, this)
        },
        (refusal: Error) => {
          void this.end()
          refuse(refusal)
        }
      )
    })
  }

  override query(query: unknown, ...rest: ReadonlyArray<unknown>) {
    if (this.#waiting !== undefined) return void this.#waiting.push(() => this.query(query, ...rest))
    const callback = rest.at(-1)
    this.#checkSession()
    const begins = Predicate.isString(query) && isBegin.test(query)
    const isOutside = this.getTransactionStatus() === "I"
    this.#isUnlimited = begins ? setsNoLimit.test(query) : this.#isUnlimited && !isOutside
    if (this.#schema === undefined || !isOutside) return this.#send(query, rest)
    if (!isCallback(callback)) throw new TypeError("a statement in a schema takes a callback")
    if (begins) {
      return this.#send(`${query}; ${setSchema(this.#schema, "local")}`, rest)
    }
    return this.#sendInSchema(this.#schema, query, rest, callback)
  }

  /** Asks now and then whether this still is the session that was opened: the mode of a pooler may be changed meanwhile. */
  #checkSession(): void {
    if (performance.now() - this.#checkedAt < checkMillis || this.getTransactionStatus() !== "I") return
    this.#checkedAt = performance.now()
    this.#send(selectBackend, [
      [],
      (error: Error | null, result: QueryResult | undefined) => {
        if (error || result === undefined) return
        try {
          requireOwnBackend(this, result)
        } catch {
          // The next statement has not left yet. New sessions are refused with the reason.
          this.connection.stream.destroy()
        }
      }
    ])
  }

  /** A statement of another caller, whom an interrupted one has left the connection, waits for the end of the transaction. */
  #sendInSchema(schema: string, query: unknown, rest: ReadonlyArray<unknown>, callback: Callback): void {
    const isAlone = Predicate.isString(query) && isOutsideTransactions.test(query)
    const [before, after] = isAlone
      ? [setSchema(schema, "session"), "reset search_path"]
      : [`begin; ${setSchema(schema, "local")}`, "commit"]
    const waiting: Array<() => void> = []
    this.#waiting = waiting
    const end: Callback = (error, result) => {
      this.#waiting = undefined
      if (isOutdated(error)) this.query(query, ...rest)
      else callback(error, result)
      waiting.forEach((send) => send())
    }
    const sendAfter: Callback = (failure, result) => {
      // A parameter that cannot be sent is reported before the answer of the server, which follows.
      if (isAnswered) return
      isAnswered = true
      this.#send(after, [[], (error: Error | null) => end(failure ?? error, result)])
    }
    let isAnswered = false
    const sendStatement: Callback = (error) => {
      if (error === null) return this.#send(query, [...rest.slice(0, -1), sendAfter])
      void this.end()
      end(error, undefined)
    }
    this.#send(before, [[], sendStatement])
  }

  /** Prepares a text with values and a callback; passes commands and cursors on unchanged. */
  #send(query: unknown, rest: ReadonlyArray<unknown>) {
    const [values, callback] = rest
    if (!Predicate.isString(query) || !Array.isArray(values) || !isCallback(callback)) {
      return Reflect.apply(super.query, this, [query, ...rest])
    }
    const handle = this.#endIfLost(callback)
    if (values.length > 0) return this.#execute(query, values, this.#withDeadline(handle))
    return super.query(query, values, isShort.test(query) ? this.#withDeadline(handle) : handle)
  }

  /** Ends a closing connection, which the pool would hand out, and one whose statements show another session. */
  #endIfLost(callback: Callback): Callback {
    return (error, result) => {
      const isExchanged = isOfOtherSession(error)
      if (isGivenUp(error) || isExchanged) void this.end()
      callback(isExchanged ? new SessionNotKept({ message: sessionExchanged }) : error, result)
    }
  }

  #withDeadline(callback: Callback): Callback {
    if (this.#isUnlimited) return callback
    const deadline = setTimeout(() => this.connection.stream.destroy(), answerTimeoutMillis)
    return (error, result) => {
      clearTimeout(deadline)
      callback(error, result)
    }
  }

  #execute(text: string, values: Array<unknown>, callback: Callback): void {
    const name = this.#nameOf(text)
    super.query({ name, text, values }, (error: Error | null, result) => {
      if (name === unnamed || !isOutdated(error)) return callback(error, result)
      this.#names.set(text, unnamed)
      // In a schema the transaction has failed as well, and is sent again as a whole.
      if (this.#schema === undefined) this.#execute(text, values, callback)
      else callback(error, result)
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

type Callback = (error: Error | null, result: QueryResult | undefined) => void

const ignore = () => {}

const isCallback = (value: unknown): value is Callback => Predicate.isFunction(value)

const checkMillis = 5_000

const setSchema = (schema: string, reach: "local" | "session") => `set ${reach} search_path to ${schema}`

const isBegin = /^\s*begin\b/i

const setsNoLimit = /\bset local statement_timeout = 0\b/i

/** Statements that PostgreSQL refuses in a transaction. */
const isOutsideTransactions = /^\s*((create|drop)\s+(unique\s+)?index\s+concurrently|reindex|vacuum)\b/i

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

/** PostgreSQL, appendix A: invalid_sql_statement_name and duplicate_prepared_statement. */
const isOfOtherSession = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === "26000" || error.code === "42P05")

const sessionExchanged =
  "the database session has not the statements that were prepared in it: a pooler must keep sessions " +
  "(PgBouncer: pool_mode = session; docs/operations.md, Database)"

/** Sends a statement and waits for its rows. */
type StatementSender = (text: string, values: Array<unknown>) => Promise<QueryResult>

/**
 * Makes a connection a session of its own, or fails before any other statement. A pooler that gives the server process
 * to others gives it to a second session too, or the next statement another one: sessions are compared.
 */
const openSession = async (
  client: Client,
  { mustWrite, settings }: Pick<DatabaseClientConfig, "settings"> & { readonly mustWrite: boolean },
  send: StatementSender
): Promise<void> => {
  const ask = async (columns: ReadonlyArray<string>, values: Array<unknown> = []) => {
    const result = await send(`${selectBackend}${columns.map((column) => `, ${column}`).join("")}`, values)
    requireOwnBackend(client, result)
    return result.rows[0]
  }
  const shown = processOf(client)
  await ask([])
  // Behind a pooler the server process may have what another client has left in it.
  if (processOf(client) !== shown) await send("discard all", [])
  const set = await ask(
    settings.map((_, nth) => `set_config($${nth * 2 + 1}, $${nth * 2 + 2}, false) as s${nth}`),
    settings.flat()
  ).catch(nameSetting)
  const found = await ask(
    settings.map((_, nth) => `current_setting($${nth + 1}) as s${nth}`),
    settings.map(([name]) => name)
  )
  const [name] = settings.find((_, nth) => set[`s${nth}`] !== found[`s${nth}`]) ?? []
  if (name !== undefined) throw new SessionNotKept({ message: notHeld(name) })
  if (!mustWrite) return
  const { standby } = await ask(["current_setting('transaction_read_only') as standby"])
  if (standby === "on") throw new ServerReadOnly({ message: `the server ${client.host} takes no writes` })
}

/** Asks for the server process: its number may be that of an earlier one, its start is not. */
const selectBackend = `select pg_backend_pid() || ' ' || coalesce((select extract(epoch from backend_start)::text
  from pg_stat_activity where pid = pg_backend_pid()), '') as backend`

/** The number of the server process: a pooler shows one of its own. */
const processOf = (client: Client): unknown => Reflect.get(client, "processID")

/** The open sessions of this process by their server processes. */
const sessions = new Map<string, Client>()

/** Throws `SessionNotKept` if another server process answered, or that of another session. */
const requireOwnBackend = (client: Client, { rows }: QueryResult): void => {
  const found = String(rows[0].backend)
  const holder = sessions.get(found)
  if (holder === client) return
  const isFirst = ![...sessions.values()].includes(client)
  if (holder === undefined && isFirst) {
    sessions.set(found, client)
    client.once("end", () => void sessions.delete(found))
    // Statements are cancelled by this number.
    Object.assign(client, { processID: Number.parseInt(found, 10) })
    return
  }
  // Both are no sessions of their own.
  if (holder !== undefined) void holder.end()
  throw new SessionNotKept({ message: notKept })
}

const nameSetting = (error: unknown): never => {
  if (!(error instanceof DatabaseError && /^(22|42|55P02)/.test(error.code ?? ""))) throw error
  throw new SessionNotKept({ message: `a setting of DATABASE_URL cannot be set in its sessions: ${error.message}` })
}

const remedy =
  "set pool_mode = session in PgBouncer, or use another pooler's session mode (docs/operations.md, Database)"

const notKept =
  "a pooler before the database shares one server connection between several sessions, as by transaction or statement " +
  `pooling: ${remedy}`

const notHeld = (name: string) =>
  `the setting ${name} does not hold in a session of the database, because a pooler before it drops it: ${remedy}`
