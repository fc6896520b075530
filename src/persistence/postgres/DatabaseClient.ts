import { Predicate } from "effect"
import { createHash } from "node:crypto"
import { Client, DatabaseError, type QueryResult } from "pg"

/**
 * A connection on which PostgreSQL parses each text once, under a name that is made of it, and plans it a few times
 * instead of at every call: for our short statements that is half of the work. It is cut when the server falls silent,
 * as behind a network that loses what it is given; whoever waits for an answer then hears of it.
 */
export class DatabaseClient extends Client {
  readonly #names = new Map<string, string>()

  /** Prepares what comes as a text with values and a callback; commands and cursors go as they are. */
  override query(query: unknown, ...rest: ReadonlyArray<unknown>) {
    const [values, callback] = rest
    if (!Predicate.isString(query) || !Array.isArray(values) || !isCallback(callback)) {
      return Reflect.apply(super.query, this, [query, ...rest])
    }
    if (values.length > 0) return this.#execute(query, values, this.#answered(callback))
    return super.query(query, values, isShort.test(query) ? this.#answered(callback) : callback)
  }

  #answered(callback: Callback): Callback {
    const overdue = setTimeout(() => this.connection.stream.destroy(), answerWithinMillis)
    return (error, result) => {
      clearTimeout(overdue)
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

/** Longer than any statement of ours takes, and than one waits for a row. */
const answerWithinMillis = 5_000

/** What comes without values and is none of this makes tables, for as long as that takes. */
const isShort = /^\s*(select|begin|commit|rollback|savepoint|release)\b/i

/** Our code has about thirty texts; what would come beyond the bound is parsed at each call. */
const maxNames = 100

/** PostgreSQL's unnamed statement lives until the next one. */
const unnamed = ""

/** `cached plan must not change result type`: a migration has changed a column, and the name holds the old one. */
const isOutdated = (error: unknown): boolean => error instanceof DatabaseError && error.code === "0A000"
