import type { AuthorizationMethod } from "../domain/provider/Provider.ts"
import type { ConnectionDocument, ObservationsDocument, PlatformDocument } from "./ConnectionDocument.ts"

/**
 * The address of the API, the connection, and its token; `replaceToken` resolves to another token than the rejected
 * one.
 */
interface ConnectionClientOptions {
  readonly baseUrl: string
  readonly connectionId: string
  readonly getToken: () => Promise<string>
  readonly replaceToken: (rejected: string) => Promise<string>
}

/** The service rejected the request with an error response. */
export class RequestRejected extends Error {
  readonly status: number
  readonly code: string
  /** The last segment of each JSON pointer in the details of the error. */
  readonly fields: ReadonlyArray<string>

  constructor(status: number, code: string, fields: ReadonlyArray<string>) {
    super(code)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** No response: no network, no service, or CORS does not allow this page to read it. */
export class ServiceUnreachable extends Error {}

/** The commands that a browser token allows. */
export type PageCommand = "authorization" | "provider" | "approval" | "recheck" | "retry" | "cancel"

/** A client for one connection. Where its token has expired, it gets another one and sends the request again. */
export class ConnectionClient {
  readonly #options: ConnectionClientOptions
  #etag = ""
  /** What the customer sees of the platform, read beside the connection: both are shown together. */
  readonly #platform: Promise<Response | undefined>

  constructor(options: ConnectionClientOptions) {
    this.#options = options
    this.#platform = options
      .getToken()
      .then((token) => this.#sendWith(token, platformPath, { signal: AbortSignal.timeout(platformMillis) }))
      .catch(() => undefined)
  }

  /** Reads the connection; `undefined` if it has not changed since the last read. */
  async read(): Promise<ConnectionDocument | undefined> {
    const response = await this.#send("", { headers: this.#etag === "" ? {} : { "if-none-match": this.#etag } })
    return response.status === 304 ? undefined : this.#connectionIn(response)
  }

  async readRecords(): Promise<ObservationsDocument> {
    return (await this.#send("/records")).json()
  }

  /** Reads what the customer sees of the platform; nothing where that takes too long or fails. */
  async readPlatform(): Promise<PlatformDocument> {
    const early = await this.#platform
    const answered = early?.ok
      ? Promise.resolve(early)
      : this.#send(platformPath, { signal: AbortSignal.timeout(platformMillis) })
    return answered
      .then((response) => response.json())
      .then(({ platform = {} }) => platform)
      .catch(() => ({}))
  }

  async sendCommand(name: PageCommand, body: object = {}): Promise<ConnectionDocument> {
    return this.#connectionIn(await this.#send(`/${name}`, toJsonPost(body)))
  }

  /** Makes a link to this connection on the service's own page, for a helper. */
  async createShareLink(): Promise<string> {
    const { path } = await (await this.#send("/share-link", toJsonPost({}))).json()
    return new URL(path, new URL(this.#options.baseUrl, location.href)).href
  }

  async revokeShareLinks(): Promise<void> {
    await this.#send("/share-link", { method: "DELETE" })
  }

  /** Starts OAuth or Domain Connect and resolves to the URL of the provider, which later redirects to `returnUrl`. */
  async startOAuth(body: { readonly method: AuthorizationMethod; readonly returnUrl: string }): Promise<string> {
    const response = await this.#send("/authorization", toJsonPost(body))
    return (await response.json()).authorizeUrl
  }

  /** Streams the events of the connection until the service or the network ends the stream. */
  async *streamEvents(signal: AbortSignal, lastId: string): AsyncGenerator<ServerSentEvent> {
    const headers = { accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) }
    const { body } = await this.#send("/stream", { headers, signal })
    if (body !== null) yield* readServerSentEvents(body)
  }

  async #connectionIn(response: Response): Promise<ConnectionDocument> {
    this.#etag = response.headers.get("etag") ?? ""
    return (await response.json()).connection
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const token = await this.#options.getToken()
    const response = await this.#sendWith(token, path, init)
    const final =
      response.status === 401 ? await this.#sendWith(await this.#options.replaceToken(token), path, init) : response
    if (final.ok || final.status === 304) return final
    const { error } = await final.json().catch(() => ({}))
    throw new RequestRejected(final.status, error?.code ?? "unknown", (error?.details ?? []).map(fieldOf))
  }

  async #sendWith(token: string, path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const { baseUrl, connectionId } = this.#options
    const url = `${baseUrl}/v1/connections/${encodeURIComponent(connectionId)}${path}`
    try {
      return await fetch(url, {
        credentials: "omit",
        cache: "no-store",
        ...init,
        headers: { ...headers, authorization: `Bearer ${token}` }
      })
    } catch (cause) {
      throw new ServiceUnreachable("no response", { cause })
    }
  }
}

const platformPath = "/platform"

/** How long the page waits for the platform, which nobody needs to continue. */
export const platformMillis = 2_000

const toJsonPost = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const fieldOf = ({ pointer }: { readonly pointer: string }): string => pointer.replace(/.*\//, "")

/** One event of a `text/event-stream` (HTML standard, section 9.2). */
interface ServerSentEvent {
  readonly id: string
  readonly name: string
  readonly data: string
}

/**
 * Reads the events of a stream, which `EventSource` cannot do with an `authorization` header. Fails after 70 silent
 * seconds.
 */
async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await withTimeout(maxSilence, reader.read())
      if (done) return
      text += decoder.decode(value, { stream: true }).replaceAll("\r", "")
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      yield* blocks.map(parseEvent).filter(({ data }) => data !== "")
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Longer than the interval of heartbeats, in milliseconds. */
const maxSilence = 70_000

const withTimeout = <A>(milliseconds: number, promise: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the stream is silent")), milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const parseEvent = (block: string): ServerSentEvent => {
  const lines = block.split("\n")
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ""))
  return {
    id: valuesOf("id").at(-1) ?? "",
    name: valuesOf("event").at(-1) ?? "message",
    data: valuesOf("data").join("\n")
  }
}
