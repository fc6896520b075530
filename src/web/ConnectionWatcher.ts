import { type ConnectionClient, RequestRejected } from "./ConnectionClient.ts"
import { type ConnectionDocument, hasEnded, type ObservationsDocument } from "./ConnectionDocument.ts"

/** The callbacks of a connection watcher. */
interface ConnectionListener {
  readonly onConnection: (connection: ConnectionDocument) => void
  readonly onObservations: (observations: ObservationsDocument) => void
  /** Reports why the connection cannot be read, and `undefined` once it can be read again. */
  readonly onError: (error: unknown) => void
}

/** Watches one connection by its event stream, and by polling where there is no stream. */
export class ConnectionWatcher {
  readonly #client: ConnectionClient
  readonly #listener: ConnectionListener
  readonly #stopped = new AbortController()
  #connection: ConnectionDocument | undefined
  #lastEventId = ""
  #streamAbort = new AbortController()
  #delay = firstDelay
  #recordsDelay = firstDelay
  #wake = () => {}
  #wakeRecordsPoll = () => {}

  constructor(client: ConnectionClient, listener: ConnectionListener) {
    this.#client = client
    this.#listener = listener
    const { signal } = this.#stopped
    addEventListener("online", () => this.reconnect(), { signal })
    document.addEventListener("visibilitychange", () => this.refreshNow(), { signal })
    void this.#watch()
    void this.#watchRecords()
  }

  stop(): void {
    this.#stopped.abort()
    this.refreshNow()
  }

  /** Drops a stream that may be dead without notice, and polls the service. */
  reconnect(): void {
    this.#streamAbort.abort()
    this.refreshNow()
  }

  /** Polls at once: the customer has acted, or is back on the page. */
  refreshNow(): void {
    this.#delay = firstDelay
    this.#recordsDelay = firstDelay
    this.#wake()
    this.#wakeRecordsPoll()
  }

  /** Accepts a connection that was read, unless it is older than the current one. */
  accept(connection: ConnectionDocument): void {
    if (this.#stopped.signal.aborted) return
    if (this.#connection !== undefined && connection.updatedAt < this.#connection.updatedAt) return
    const hasNewState = connection.state !== this.#connection?.state
    this.#connection = connection
    this.#listener.onConnection(connection)
    if (!hasNewState) return
    this.#recordsDelay = firstDelay
    this.#wakeRecordsPoll()
  }

  async #watch(): Promise<void> {
    let failedStreams = 0
    let nextStreamAt = 0
    while (!this.#isOver) {
      if (await this.#poll()) this.#delay = firstDelay
      if (performance.now() >= nextStreamAt) {
        failedStreams = (await this.#stream()) ? 0 : failedStreams + 1
        nextStreamAt = performance.now() + Math.min(firstDelay * 4 ** failedStreams, longestPause)
      }
      await this.#sleep(this.#delay, (wake) => (this.#wake = wake))
      this.#delay = Math.min(this.#delay * 1.3, longestDelay)
    }
  }

  get #isOver(): boolean {
    return this.#stopped.signal.aborted || hasEnded(this.#connection)
  }

  /** Reads the connection once; whether it had changed. */
  async #poll(): Promise<boolean> {
    try {
      const connection = await this.#client.read()
      this.#listener.onError(undefined)
      if (connection !== undefined) this.accept(connection)
      return connection !== undefined
    } catch (error) {
      this.#listener.onError(error)
      return false
    }
  }

  /** Reads the event stream until it ends; whether it delivered any event. */
  async #stream(): Promise<boolean> {
    let hasEvents = false
    this.#streamAbort = new AbortController()
    const ended = AbortSignal.any([this.#stopped.signal, this.#streamAbort.signal])
    try {
      for await (const { data, id, name } of this.#client.streamEvents(ended, this.#lastEventId)) {
        hasEvents = true
        this.#lastEventId = id
        const body = JSON.parse(data)
        if (name === "connection") this.accept(body.connection ?? body)
        if (name === "records") this.#listener.onObservations(body)
      }
    } catch {
      // The stream broke or does not exist: polling continues and reports what is wrong.
    }
    return hasEvents
  }

  async #watchRecords(): Promise<void> {
    while (!this.#isOver) {
      const delay = hasServerChecks(this.#connection) ? await this.#pollRecords() : longestPause
      await this.#sleep(delay, (wake) => (this.#wakeRecordsPoll = wake))
    }
  }

  /**
   * Reads the observations once; milliseconds until the next read: shortly after the next check, at most the current
   * delay.
   */
  async #pollRecords(): Promise<number> {
    this.#recordsDelay = Math.min(this.#recordsDelay * 1.3, longestDelay)
    try {
      const observations = await this.#client.readRecords()
      this.#listener.onObservations(observations)
      const { nextCheckAt } = observations
      const untilNextCheck = nextCheckAt === undefined ? firstDelay : Date.parse(nextCheckAt) - Date.now() + afterCheck
      return Math.min(Math.max(untilNextCheck, firstDelay), this.#recordsDelay)
    } catch (error) {
      return error instanceof RequestRejected && error.status === 429 ? longestPause : longestDelay
    }
  }

  #sleep(milliseconds: number, onWakeable: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      onWakeable(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/** All in milliseconds. */
const firstDelay = 2_000
const longestDelay = 15_000
const longestPause = 120_000
const afterCheck = 1_000

/** Whether the service checks the name servers in this state. */
const hasServerChecks = (connection: ConnectionDocument | undefined): boolean =>
  ["awaiting_manual", "verifying", "degraded", "disconnecting"].includes(connection?.state ?? "")
