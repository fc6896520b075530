import { Predicate } from "effect"
import { createHash } from "node:crypto"
import { Client, DatabaseError, type QueryResult } from "pg"

/**
 * A connection that prepares each statement: PostgreSQL parses its text once, under a name that is the hash of the
 * text, and plans it a few times instead of at every call, which halves the work for our short statements. The
 * connection is closed when the server does not answer, as behind a network that drops packets, so that its callers get
 * an error. A connection that the server gives up takes no further statement.
 */
export class DatabaseClient extends Client {
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
