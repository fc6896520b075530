import type { AuthorizationMethod } from "../domain/provider/Provider.ts"
import type { LitElement, ReactiveController } from "lit"
import { type ConnectionClient, type PageCommand, RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import { toSafeWebUrl } from "./ConnectionDocument.ts"
import type { ConnectionWatcher } from "./ConnectionWatcher.ts"
import type { TokenSource } from "./TokenSource.ts"
import { isTransient, type ProblemKey, problemKeyOf } from "./problemKeyOf.ts"

/** What a request needs of its element. */
interface RequestContext {
  readonly tokens: TokenSource
  readonly client: () => ConnectionClient | undefined
  readonly watcher: () => ConnectionWatcher | undefined
  /** The plan has warnings that the customer has not confirmed. */
  readonly onUnacknowledged: () => void
}

/** Sends the commands of the customer, one at a time, and keeps what was wrong with the last one. */
export class PageRequests implements ReactiveController {
  isBusy = false
  /** Whether the customer tried to go on without what the step requires. */
  isIncomplete = false
  notice: ProblemKey | undefined
  /** The credential fields that the service rejected. */
  invalidFields: ReadonlySet<string> = new Set()
  readonly #host: LitElement
  readonly #context: RequestContext
  #shown: ProblemKey | undefined
  #isMarked = false

  constructor(host: LitElement, context: RequestContext) {
    this.#host = host
    this.#context = context
    host.addController(this)
  }

  hostUpdated(): void {
    // The button that caused the problem may be far below.
    if (this.notice !== this.#shown)
      this.#host.renderRoot.querySelector(".problem")?.scrollIntoView({ block: "nearest" })
    if (this.isIncomplete && !this.#isMarked)
      this.#host.renderRoot.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
    this.#shown = this.notice
    this.#isMarked = this.isIncomplete
  }

  /** Shows a problem, or none. */
  show(notice: ProblemKey | undefined): void {
    this.notice = notice
    this.isIncomplete = false
    this.#host.requestUpdate()
  }

  /** Marks everything that is missing, and moves the focus to the first of it, each time that it is asked for. */
  markIncomplete(): void {
    this.isIncomplete = true
    this.#isMarked = false
    this.#host.requestUpdate()
  }

  /** Ends a problem that was only of the connection to the service. */
  clearTransient(): void {
    if (isTransient(this.notice)) this.show(undefined)
  }

  async sendCommand(name: PageCommand, body?: object): Promise<void> {
    await this.send(async (client) => this.#context.watcher()?.accept(await client.sendCommand(name, body)))
  }

  /** Leaves the page for the provider, which later redirects back to it. */
  async openProvider(method: AuthorizationMethod, consent: object = {}): Promise<void> {
    await this.send(async (client) => {
      const url = toSafeWebUrl(
        await client.startOAuth({ method, returnUrl: location.href.replace(/#.*$/, ""), ...consent })
      )
      if (url === undefined) this.show("problemUnknown")
      else location.assign(url)
    })
  }

  /** Sends one request; whatever the response, the connection is read again afterwards. */
  async send(request: (client: ConnectionClient) => Promise<void>): Promise<void> {
    const client = this.#context.client()
    if (this.isBusy || client === undefined) return
    this.#context.tokens.retryNow()
    this.isBusy = true
    this.invalidFields = new Set()
    this.show(undefined)
    try {
      await request(client)
    } catch (cause) {
      this.#showProblem(cause)
      if (cause instanceof ServiceUnreachable) this.#context.watcher()?.reconnect()
    } finally {
      this.isBusy = false
      this.#host.requestUpdate()
      this.#context.watcher()?.refreshNow()
    }
  }

  #showProblem(cause: unknown): void {
    if (cause instanceof RequestRejected && cause.status === 422) this.invalidFields = new Set(cause.fields)
    if (cause instanceof RequestRejected && cause.code === "acknowledgement_required") this.#context.onUnacknowledged()
    this.show(problemKeyOf(cause))
  }
}
