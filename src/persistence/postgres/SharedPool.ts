import { DatabaseError, Pool, type PoolClient, type PoolConfig } from "pg"
import { isUnreachable } from "./sessionErrors.ts"

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void
) => void

/**
 * A pool that works with the connections that the database allows. One refused for too many makes its caller wait for an
 * open one; later the pool tries to open more. With several servers, the first that opens one gets the caller.
 */
export class SharedPool extends Pool {
  readonly #wanted: number
  readonly #servers: number
  readonly #onLimited: (reason: string) => void
  #open = 0
  #hasReported = false
  #longestWait = 0
  #isLimited = false

  /** `onLimited` is called at the first refusal, with the words of the database. */
  constructor(
    { servers, ...config }: PoolConfig & { readonly max: number; readonly servers: number },
    onLimited: (reason: string) => void
  ) {
    super(config)
    this.#servers = servers
    this.#wanted = config.max
    this.#onLimited = onLimited
    this.on("connect", () => (this.#open += 1))
    this.on("remove", () => (this.#open -= 1))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      )
    }
    const startedAt = performance.now()
    const isFull = this.idleCount === 0 && this.totalCount >= this.options.max
    const giveUpAt = startedAt + (this.options.connectionTimeoutMillis ?? 0)
    let refusal: Error | undefined
    let failed = 0
    const attempt = () =>
      // An ended pool calls back with the error alone.
      super.connect((error, client, release = ignore) => {
        if (isFull) this.#longestWait = Math.max(this.#longestWait, performance.now() - startedAt)
        if (client !== undefined) return callback(undefined, client, release)
        if (isUnreachable(error) && !isPoolFull(error) && ++failed < this.#servers) return attempt()
        if (!isTooManyConnections(error)) return callback(refusal ?? error, undefined, release)
        refusal = error
        this.#limit(error.message)
        if (performance.now() >= giveUpAt) return callback(error, undefined, release)
        // In a pool without a connection there is none to wait for.
        setTimeout(attempt, this.#open > 0 ? 0 : retryMillis)
      })
    attempt()
  }

  /** The longest wait in milliseconds since the last call. A sample would miss callers who waited in vain. */
  takeLongestWait(): number {
    const longest = this.#longestWait
    this.#longestWait = 0
    return longest
  }

  /** Opens all connections one by one, so that the first burst finds them: many at once would be late if busy. */
  warmUp(): void {
    this.#openAnother([])
  }

  #openAnother(held: ReadonlyArray<PoolClient>): void {
    if (!this.ending && this.totalCount < this.options.max) {
      // While one is idle, the pool opens no other.
      if (this.idleCount > 0) {
        return this.connect((_, client) => this.#openAnother(client === undefined ? held : [...held, client]))
      }
      // Given back in the callback, not in a promise: an error may have come together with the connection.
      this.connect((error, client) => {
        client?.release()
        setTimeout(() => this.warmUp(), error === undefined ? 0 : failedMillis).unref()
      })
    }
    held.forEach((client) => client.release())
  }

  #limit(reason: string): void {
    // Those that the pool is opening count as well for it, and would be tried again and again.
    this.options.max = Math.max(1, this.#open)
    if (!this.#isLimited) {
      setTimeout(() => {
        this.#isLimited = false
        this.options.max = this.#wanted
      }, triedAgainMillis).unref()
    }
    this.#isLimited = true
    if (this.#hasReported) return
    this.#hasReported = true
    this.#onLimited(reason)
  }
}

/** A connection that is lost is noticed by whoever uses it next; without a listener the event would end the process. */
const ignore = () => {}

/** PostgreSQL, appendix A: the limit of a role, a database or the server. */
const isTooManyConnections = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.code === "53300"

/** The pool's own error: every connection is in use. */
const isPoolFull = (error: Error | undefined): boolean => error?.message === "timeout exceeded when trying to connect"

const retryMillis = 100

const failedMillis = 1_000

const triedAgainMillis = 10_000
