import { type ConnectionClient, RequestRejected } from "./ConnectionClient.ts"
import { type ConnectionDocument, hasEnded, type ObservationsDocument } from "./ConnectionDocument.ts"

/** Who wants to know what happens to a connection. */
export interface ConnectionListener {
  readonly onConnection: (connection: ConnectionDocument) => void
  readonly onObservations: (observations: ObservationsDocument) => void
  /** What stands in the way of knowing more, and `undefined` once nothing does. */
  readonly onError: (trouble: unknown) => void
}

/** Follows one connection: by its event stream, and where that is not to be had, by asking again and again. */
export class ConnectionWatcher {
  readonly #client: ConnectionClient
  readonly #listener: ConnectionListener
  readonly #ending = new AbortController()
  #connection: ConnectionDocument | undefined
  #lastEventId = ""
  #listening = new AbortController()
  #delay = firstDelay
  #recordsDelay = firstDelay
  #wake = () => {}
  #wakeRecords = () => {}

  constructor(client: ConnectionClient, listener: ConnectionListener) {
    this.#client = client
    this.#listener = listener
    const { signal } = this.#ending
    addEventListener("online", () => this.reconnect(), { signal })
    document.addEventListener("visibilitychange", () => this.refreshNow(), { signal })
    void this.#follow()
    void this.#followRecords()
  }

  stop(): void {
    this.#ending.abort()
    this.refreshNow()
  }

  /** Gives up a stream that may have died unheard, and looks whether the service can be reached. */
  reconnect(): void {
    this.#listening.abort()
    this.refreshNow()
  }

  /** Looks at once: the customer has done something, or is back. */
  refreshNow(): void {
    this.#delay = firstDelay
    this.#recordsDelay = firstDelay
    this.#wake()
    this.#wakeRecords()
  }

  /** Takes in a connection that was read; what is older than what is known says nothing. */
  accept(connection: ConnectionDocument): void {
    if (this.#ending.signal.aborted) return
    if (this.#connection !== undefined && connection.updatedAt < this.#connection.updatedAt) return
    const isOther = connection.state !== this.#connection?.state
    this.#connection = connection
    this.#listener.onConnection(connection)
    if (!isOther) return
    this.#recordsDelay = firstDelay
    this.#wakeRecords()
  }

  async #follow(): Promise<void> {
    let streams = 0
    let streamAgainAt = 0
    while (!this.#isOver) {
      if (await this.#look()) this.#delay = firstDelay
      if (performance.now() >= streamAgainAt) {
        streams = (await this.#stream()) ? 0 : streams + 1
        streamAgainAt = performance.now() + Math.min(firstDelay * 4 ** streams, longestPause)
      }
      await this.#sleep(this.#delay, (wake) => (this.#wake = wake))
      this.#delay = Math.min(this.#delay * 1.3, longestDelay)
    }
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted || hasEnded(this.#connection)
  }

  /** Whether there was news. */
  async #look(): Promise<boolean> {
    try {
      const connection = await this.#client.read()
      this.#listener.onError(undefined)
      if (connection !== undefined) this.accept(connection)
      return connection !== undefined
    } catch (trouble) {
      this.#listener.onError(trouble)
      return false
    }
  }

  /** Listens for as long as the stream lasts; whether it ever said anything. */
  async #stream(): Promise<boolean> {
    let heard = false
    this.#listening = new AbortController()
    const ended = AbortSignal.any([this.#ending.signal, this.#listening.signal])
    try {
      for await (const { data, id, name } of this.#client.events(ended, this.#lastEventId)) {
        heard = true
        this.#lastEventId = id
        const said = JSON.parse(data)
        if (name === "connection") this.accept(said.connection ?? said)
        if (name === "records") this.#listener.onObservations(said)
      }
    } catch {
      // It broke, or there is none: asking goes on, and finds out what is wrong.
    }
    return heard
  }

  async #followRecords(): Promise<void> {
    while (!this.#isOver) {
      const delay = isWatched(this.#connection) ? await this.#lookAtRecords() : longestPause
      await this.#sleep(delay, (wake) => (this.#wakeRecords = wake))
    }
  }

  /** How long to wait for the next look: until shortly after the next check, but not as long as one may be going on. */
  async #lookAtRecords(): Promise<number> {
    this.#recordsDelay = Math.min(this.#recordsDelay * 1.3, longestDelay)
    try {
      const observations = await this.#client.records()
      this.#listener.onObservations(observations)
      const { nextCheckAt } = observations
      const untilThen = nextCheckAt === undefined ? firstDelay : Date.parse(nextCheckAt) - Date.now() + afterCheck
      return Math.min(Math.max(untilThen, firstDelay), this.#recordsDelay)
    } catch (trouble) {
      return trouble instanceof RequestRejected && trouble.status === 429 ? longestPause : longestDelay
    }
  }

  #sleep(milliseconds: number, hold: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      hold(() => {
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

/** Whether the servers are asked for its records in this state. */
const isWatched = (connection: ConnectionDocument | undefined): boolean =>
  ["awaiting_manual", "verifying", "degraded"].includes(connection?.state ?? "")
