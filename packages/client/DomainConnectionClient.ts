import { ApiError, NoResponse } from "./ApiError.ts"
import { readEventStream } from "./eventStream.ts"
import { Operations } from "./generated/Operations.ts"
import type { Connection, ConnectionState, StreamEvent } from "./generated/schemas.ts"
import {
  type CallOptions,
  type ClientOptions,
  type OperationRequest,
  openStream,
  pause,
  sendRequest
} from "./requests.ts"

/** The connection has ended, or has failed, before it came to the state that was waited for. */
export class ConnectionStopped extends Error {
  override readonly name = "ConnectionStopped"
  /** As it is now; its `failure` says why it failed. */
  readonly connection: Connection

  constructor(connection: Connection) {
    const { failure, id, state } = connection
    super(`${id} is ${state}${failure === undefined ? "" : `: ${failure.code}, ${failure.message}`}`)
    this.connection = connection
  }
}

/** The connection did not come to the state in time; it goes on nevertheless. */
export class WaitTimeout extends Error {
  override readonly name = "WaitTimeout"
  /** As it was seen last. */
  readonly connection: Connection | undefined

  constructor(states: ReadonlyArray<ConnectionState>, connection: Connection | undefined) {
    super(`the connection is ${connection?.state ?? "unread"}, and not ${states.join(" or ")}, when the time is over`)
    this.connection = connection
  }
}

/** How long to wait for a state. */
export interface WaitOptions {
  /** After how many seconds to give up with `WaitTimeout`; 600 if absent. */
  readonly timeoutSeconds?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** A client of the Domain Connection Service, for servers: every operation of its API is a method. */
export class DomainConnectionClient extends Operations {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    super()
    if (!URL.canParse(options.baseUrl)) throw new TypeError("baseUrl must be the address of the service")
    this.#options = options
  }

  /**
   * Follows a connection until it is in one of the states, and returns it. Throws `ConnectionStopped` if it fails or ends
   * before, and `WaitTimeout` when the time is over.
   */
  async waitUntil(
    connectionId: string,
    states: ReadonlyArray<ConnectionState>,
    { signal, timeoutSeconds = 600 }: WaitOptions = {}
  ): Promise<Connection> {
    const limit = AbortSignal.timeout(timeoutSeconds * 1_000)
    const ended = AbortSignal.any(signal === undefined ? [limit] : [signal, limit])
    let last: Connection | undefined
    try {
      for (let misses = 0; ; misses += 1) {
        for await (const connection of this.#follow(connectionId, ended)) {
          if (connection.updatedAt !== last?.updatedAt) misses = 0
          last = connection
          if (states.includes(connection.state)) return connection
          if (stoppedStates.includes(connection.state)) throw new ConnectionStopped(connection)
        }
        await pause(Math.min(15, 0.5 * 2 ** misses), ended)
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw limit.aborted ? new WaitTimeout(states, last) : error
    }
  }

  /** The connection now, and whenever it changes, for as long as the stream lasts; once if there is no stream. */
  async *#follow(connectionId: string, signal: AbortSignal): AsyncGenerator<Connection, void> {
    try {
      yield (await this.getConnection(connectionId, { signal })).connection
      for await (const event of this.streamEvents(connectionId, { signal }))
        if (event.event === "connection") yield event.data
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error)) throw error
    }
  }

  protected override send<Body>(request: OperationRequest, options: CallOptions): Promise<Body> {
    return sendRequest(this.#options, request, options) as Promise<Body>
  }

  protected override async *stream(request: OperationRequest, options: CallOptions): AsyncGenerator<StreamEvent, void> {
    const response = await openStream(this.#options, request, options)
    if (response.status !== 204) yield* readEventStream(response) as AsyncGenerator<StreamEvent, void>
  }
}

/** Those from which a connection does not go on by itself. */
const stoppedStates: ReadonlyArray<ConnectionState> = ["failed", "expired", "canceled", "disconnected"]

/** Whether the cause of an error may be gone a little later. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status === 429 || error.status >= 500
    : error instanceof NoResponse || error instanceof TypeError || error instanceof DOMException
