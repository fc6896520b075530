import type { ConnectionDocument, ObservationsDocument } from "./ConnectionDocument.ts"
import { readServerSentEvents, type ServerSentEvent } from "./readServerSentEvents.ts"

/** Where the API is, for which connection, and the token: `renew` gives another in place of one that is not good. */
export interface ConnectionClientOptions {
  readonly baseUrl: string
  readonly connectionId: string
  readonly token: () => Promise<string>
  readonly replaceToken: (rejected: string) => Promise<string>
}

/** The service answered, and refused. */
export class RequestRejected extends Error {
  readonly status: number
  readonly code: string
  /** The last step of each pointer that the answer names. */
  readonly fields: ReadonlyArray<string>

  constructor(status: number, code: string, fields: ReadonlyArray<string>) {
    super(code)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** There was no answer: no network, no service, or a page that may not read it. */
export class ServiceUnreachable extends Error {}

/** The commands that a page may give. */
export type PageCommand = "authorization" | "approval" | "recheck" | "retry" | "cancel"

/** The API as a page sees it: one connection. A token that has run out is renewed, and the request sent again. */
export class ConnectionClient {
  readonly #access: ConnectionClientOptions
  #etag = ""

  constructor(access: ConnectionClientOptions) {
    this.#access = access
  }

  /** The connection, or `undefined` while it is the one that was read before. */
  async read(): Promise<ConnectionDocument | undefined> {
    const answer = await this.#send("", { headers: this.#etag === "" ? {} : { "if-none-match": this.#etag } })
    return answer.status === 304 ? undefined : this.#connectionIn(answer)
  }

  async records(): Promise<ObservationsDocument> {
    return (await this.#send("/records")).json()
  }

  async command(name: PageCommand, body: object = {}): Promise<ConnectionDocument> {
    return this.#connectionIn(await this.#send(`/${name}`, posting(body)))
  }

  /** Where the provider asks its customer, who comes back to `returnUrl`. */
  async authorizeUrl(body: { readonly returnUrl: string }): Promise<string> {
    const answer = await this.#send("/authorization", posting({ method: "oauth2_pkce", ...body }))
    return (await answer.json()).authorizeUrl
  }

  /** What happens from now on, until the service or the network ends it. */
  async *events(signal: AbortSignal, lastId: string): AsyncGenerator<ServerSentEvent> {
    const headers = { accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) }
    const { body } = await this.#send("/stream", { headers, signal })
    if (body !== null) yield* readServerSentEvents(body)
  }

  async #connectionIn(answer: Response): Promise<ConnectionDocument> {
    this.#etag = answer.headers.get("etag") ?? ""
    return (await answer.json()).connection
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const token = await this.#access.token()
    const answer = await this.#sendWith(token, path, init)
    const last =
      answer.status === 401 ? await this.#sendWith(await this.#access.replaceToken(token), path, init) : answer
    if (last.ok || last.status === 304) return last
    const { error } = await last.json().catch(() => ({}))
    throw new RequestRejected(last.status, error?.code ?? "unknown", (error?.details ?? []).map(fieldOf))
  }

  async #sendWith(token: string, path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const { baseUrl, connectionId } = this.#access
    const url = `${baseUrl}/v1/connections/${encodeURIComponent(connectionId)}${path}`
    try {
      return await fetch(url, {
        credentials: "omit",
        cache: "no-store",
        ...init,
        headers: { ...headers, authorization: `Bearer ${token}` }
      })
    } catch (cause) {
      throw new ServiceUnreachable("no answer", { cause })
    }
  }
}

const posting = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const fieldOf = ({ pointer }: { readonly pointer: string }): string => pointer.slice(pointer.lastIndexOf("/") + 1)
