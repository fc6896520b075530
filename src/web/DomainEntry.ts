import type { LitElement, TemplateResult } from "lit"
import { platformMillis, ServiceUnreachable } from "./ConnectionClient.ts"
import type { PlatformDocument } from "./ConnectionDocument.ts"
import type { DomainForm } from "./steps/domainForm.ts"
import type { Words } from "./words/en.ts"

/** An element of a page that has a token to type a domain, and no connection yet. */
interface EntryHost extends LitElement {
  token: string
  connectionId: string
  readonly baseUrl: string
}

/** What the element does about the step. */
interface EntryListener {
  readonly emit: (name: "created" | "step" | "token-expired", detail?: object) => void
  /** Reports why the step cannot be shown, and `undefined` once it can. */
  readonly onError: (error: ServiceUnreachable | undefined) => void
}

/** The step in which the customer types the domain, by a script that is loaded where it is needed. */
export class DomainEntry {
  readonly #host: EntryHost
  readonly #listener: EntryListener
  #form: DomainForm | undefined
  #isLoading = false

  constructor(host: EntryHost, listener: EntryListener) {
    this.#host = host
    this.#listener = listener
  }

  /** Whether the page leaves it to the customer to type the domain. */
  get isNeeded(): boolean {
    return this.#host.connectionId === "" && /^dct_(test_)?entry_/.test(this.#host.token)
  }

  /** Shows the step; the page hears of it once. */
  start(): void {
    if (this.#form !== undefined || this.#isLoading || !this.#host.isConnected || !this.isNeeded) return
    this.#isLoading = true
    void this.#load()
      .catch(() => {
        if (!this.isNeeded) return
        this.#listener.onError(new ServiceUnreachable("a script cannot be loaded"))
        this.#startLater()
      })
      .finally(() => (this.#isLoading = false))
  }

  /** Tries again when the network is back, or after a pause. */
  #startLater(): void {
    const stopped = new AbortController()
    const retry = () => {
      stopped.abort()
      clearTimeout(timer)
      this.start()
    }
    const timer = setTimeout(retry, retryMillis)
    addEventListener("online", retry, { signal: stopped.signal })
  }

  /** The step; `undefined` until it can be shown. */
  render(words: Words): TemplateResult | undefined {
    return this.#form?.render(words)
  }

  async #load(): Promise<void> {
    const [{ DomainForm }, platform] = await Promise.all([import("./steps/domainForm.ts"), this.#readPlatform()])
    const host = this.#host
    this.#form = new DomainForm({
      platform,
      post: (path, body) => this.#send(path, { method: "POST", body: JSON.stringify(body) }),
      onChange: () => host.requestUpdate(),
      onConnected: ({ accessToken, connectionId }) => {
        Object.assign(host, { connectionId, token: accessToken })
        this.#listener.emit("created")
      },
      onExpired: () => this.#listener.emit("token-expired")
    })
    this.#listener.onError(undefined)
    this.#listener.emit("step", { step: "domain" })
    host.requestUpdate()
  }

  /** Shown together with the form; nothing where that takes too long or fails, since nobody needs it to continue. */
  async #readPlatform(): Promise<PlatformDocument> {
    try {
      const response = await this.#send("/platform", { signal: AbortSignal.timeout(platformMillis) })
      return response.ok ? (await response.json()).platform : {}
    } catch {
      return {}
    }
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${this.#host.baseUrl.replace(/\/$/, "")}/v1/domain-entry${path}`, {
      credentials: "omit",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.#host.token}` },
      ...init
    })
  }
}

/** The pause before a script that could not be loaded is loaded again. */
const retryMillis = 15_000
