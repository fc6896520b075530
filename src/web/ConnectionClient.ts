import type { ConnectionDocument, ObservationsDocument } from "./ConnectionDocument.ts"
import { readServerSentEvents, type ServerSentEvent } from "./readServerSentEvents.ts"

/** The address of the API, the connection, and its token; `replaceToken` resolves to another token than the rejected one. */
export interface ConnectionClientOptions {
  readonly baseUrl: string
  readonly connectionId: string
  readonly token: () => Promise<string>
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
export type PageCommand = "authorization" | "approval" | "recheck" | "retry" | "cancel"

/** A client for one connection. Where its token has expired, it gets another one and sends the request again. */
export class ConnectionClient {
  readonly #options: ConnectionClientOptions
  #etag = ""

  constructor(options: ConnectionClientOptions) {
    this.#options = options
  }

  /** Reads the connection; `undefined` if it has not changed since the last read. */
  async read(): Promise<ConnectionDocument | undefined> {
    const response = await this.#send("", { headers: this.#etag === "" ? {} : { "if-none-match": this.#etag } })
    return response.status === 304 ? undefined : this.#connectionIn(response)
  }

  async records(): Promise<ObservationsDocument> {
    return (await this.#send("/records")).json()
  }

  async command(name: PageCommand, body: object = {}): Promise<ConnectionDocument> {
    return this.#connectionIn(await this.#send(`/${name}`, jsonPost(body)))
  }

  /** Starts OAuth and resolves to the authorization URL of the provider, which later redirects to `returnUrl`. */
  async authorizeUrl(body: { readonly returnUrl: string }): Promise<string> {
    const response = await this.#send("/authorization", jsonPost({ method: "oauth2_pkce", ...body }))
    return (await response.json()).authorizeUrl
  }

  /** Streams the events of the connection until the service or the network ends the stream. */
  async *events(signal: AbortSignal, lastId: string): AsyncGenerator<ServerSentEvent> {
    const headers = { accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) }
    const { body } = await this.#send("/stream", { headers, signal })
    if (body !== null) yield* readServerSentEvents(body)
  }

  async #connectionIn(response: Response): Promise<ConnectionDocument> {
    this.#etag = response.headers.get("etag") ?? ""
    return (await response.json()).connection
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const token = await this.#options.token()
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

const jsonPost = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const fieldOf = ({ pointer }: { readonly pointer: string }): string => pointer.replace(/.*\//, "")
