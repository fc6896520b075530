import type { LitElement, TemplateResult } from "lit"
import { platformMillis } from "./ConnectionClient.ts"
import type { PlatformDocument } from "./ConnectionDocument.ts"
import type { DomainForm } from "./steps/domainForm.ts"
import { renderLoadingIndicator } from "./templates.ts"
import type { Words } from "./words/en.ts"

/** An element of a page that has a token to type a domain, and no connection yet. */
interface EntryHost extends LitElement {
  token: string
  connectionId: string
  readonly baseUrl: string
}

/** The step in which the customer types the domain, by a script that is loaded where it is needed. */
export class DomainEntry {
  readonly #host: EntryHost
  readonly #emit: (name: "created" | "step" | "token-expired", detail?: object) => void
  #form: DomainForm | undefined

  constructor(host: EntryHost, emit: (name: "created" | "step" | "token-expired", detail?: object) => void) {
    this.#host = host
    this.#emit = emit
  }

  /** Whether the page leaves it to the customer to type the domain. */
  get isNeeded(): boolean {
    return this.#host.connectionId === "" && /^dct_(test_)?entry_/.test(this.#host.token)
  }

  /** Shows the step; the page hears of it once. */
  start(): void {
    if (this.#form === undefined) void this.#load().catch(() => this.#emit("token-expired"))
  }

  render(words: Words): TemplateResult {
    return this.#form?.render(words) ?? renderLoadingIndicator(words)
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
        this.#emit("created")
      },
      onExpired: () => this.#emit("token-expired")
    })
    this.#emit("step", { step: "domain" })
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
