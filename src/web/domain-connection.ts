import { html, LitElement, nothing, type PropertyValues } from "lit"
import { ConnectionClient, type PageCommand, RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import { type ConnectionDocument, hasEnded, type ObservationsDocument, webAddress } from "./ConnectionDocument.ts"
import { ConnectionWatcher } from "./ConnectionWatcher.ts"
import {
  approvalBody,
  type ConsentDraft,
  emptyConsentDraft,
  isAwaitingConsent,
  loadConsentDraft,
  preApprovalFields,
  saveConsentDraft
} from "./ConsentDraft.ts"
import { StepFocus } from "./StepFocus.ts"
import { MissingTokenError, TokenSource, tokenTimeoutMillis } from "./TokenSource.ts"
import type { CopyResult, ViewActions, ViewModel } from "./ViewModel.ts"
import { copyOrSelect, downloadZoneFile } from "./export.ts"
import { isTransient, oauthFailureText, type ProblemKey, problemKey } from "./problemKey.ts"
import { type Step, stepNumbers, stepOf } from "./stepOf.ts"
import { access } from "./steps/access.ts"
import { changes } from "./steps/changes.ts"
import { failure } from "./steps/failure.ts"
import { manual } from "./steps/manual.ts"
import { oauthPending } from "./steps/oauthPending.ts"
import { progress } from "./steps/progress.ts"
import { success } from "./steps/success.ts"
import { copyStatusText, icons, loadingIndicator, stepIndicator } from "./templates.ts"
import { theme } from "./theme/theme.ts"
import type { Words } from "./words/en.ts"
import { type Language, languageOf } from "./words/languageOf.ts"

const steps: { readonly [_ in Step]: (view: ViewModel) => unknown } = {
  changes,
  access,
  visit: oauthPending,
  manual,
  progress,
  success,
  failure
}

/**
 * `<domain-connection>`: leads a customer through one connection. Events, which leave every shadow tree: `connected`,
 * `failed`, `closed` and `token-expired`, after which the page sets another `token` and everything goes on.
 */
export class DomainConnection extends LitElement {
  static override readonly styles = theme
  static override readonly properties = {
    token: { type: String },
    baseUrl: { type: String, attribute: "base-url" },
    connectionId: { type: String, attribute: "connection-id" },
    locale: { type: String },
    theme: { type: String, reflect: true },
    words: { attribute: false },
    connection: { state: true },
    observations: { state: true },
    consent: { state: true },
    wantsOtherWay: { state: true },
    wrongFields: { state: true },
    trouble: { state: true },
    notice: { state: true },
    busy: { state: true },
    taken: { state: true },
    now: { state: true }
  }

  /** The browser token of the connection. */
  declare token: string
  /** Where the service is; by default where this script came from. */
  declare baseUrl: string
  declare connectionId: string
  /** `en` or `de`, as in `lang`; by default that of the page. */
  declare locale: string
  /** `light` or `dark`; by default what the customer's device prefers. */
  declare theme: string
  /** Texts in place of ours: a product's own words, or another language. */
  declare words: Partial<Words>

  declare private connection: ConnectionDocument | undefined
  declare private observations: ObservationsDocument | undefined
  declare private consent: ConsentDraft
  declare private wantsOtherWay: boolean
  declare private wrongFields: ReadonlySet<string>
  declare private trouble: unknown
  declare private notice: ProblemKey | undefined
  declare private busy: boolean
  declare private taken: CopyResult | undefined
  declare private now: number

  readonly #tokens = new TokenSource(this, () => this.#tell("token-expired"))
  #client: ConnectionClient | undefined
  #live: ConnectionWatcher | undefined
  readonly #focus = new StepFocus(this, () => this.#step)
  #ticking: ReturnType<typeof setInterval> | undefined
  #starting: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.token = ""
    this.baseUrl = new URL(import.meta.url).origin
    this.connectionId = ""
    this.locale = ""
    this.theme = ""
    this.words = {}
    this.consent = emptyConsentDraft()
    this.wantsOtherWay = false
    this.wrongFields = new Set()
    this.busy = false
    this.now = Date.now()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#begin()
    this.#ticking = setInterval(() => (this.now = Date.now()), 1_000)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticking)
    clearTimeout(this.#starting)
    this.#live?.stop()
    this.#live = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("token")) this.#tokens.setToken(this.token)
    if (this.hasUpdated && (changed.has("connectionId") || changed.has("baseUrl"))) this.#begin()
    if (changed.has("token") && this.#live === undefined) this.#begin()
  }

  protected override updated(changed: PropertyValues): void {
    // The button that was pressed may be far below.
    if (changed.has("notice")) this.renderRoot.querySelector(".problem")?.scrollIntoView({ block: "nearest" })
  }

  #begin(): void {
    this.#live?.stop()
    this.#live = undefined
    clearTimeout(this.#starting)
    if (!this.isConnected) return
    if (this.connectionId === "") {
      this.#starting = setTimeout(() => this.#missConnection(), tokenTimeoutMillis)
      return
    }
    this.trouble = undefined
    this.connection = undefined
    this.observations = undefined
    this.consent = loadConsentDraft(this.connectionId)
    this.#client = new ConnectionClient({
      baseUrl: this.baseUrl.replace(/\/$/, ""),
      connectionId: this.connectionId,
      token: () => this.#tokens.getToken(),
      replaceToken: (rejected) => this.#tokens.replaceToken(rejected)
    })
    this.#live = new ConnectionWatcher(this.#client, {
      onConnection: (connection) => this.#take(connection),
      onObservations: (observations) => (this.observations = observations),
      onError: (trouble) => {
        this.trouble = trouble
        if (trouble === undefined && isTransient(this.notice)) this.notice = undefined
      }
    })
  }

  #missConnection(): void {
    this.trouble = new MissingTokenError()
    if (this.token === "") this.#tokens.requestToken()
    // oxlint-disable-next-line no-console -- the customer is told what to do, and whoever made the page what is missing
    else console.error("<domain-connection> has a token, but no connection-id: it needs both")
  }

  #take(connection: ConnectionDocument): void {
    const before = this.connection
    if (connection.plan?.digest !== this.consent.digest) {
      if (this.consent.isGiven && connection.state === "awaiting_authorization") this.notice = "problemStale"
      this.#say(emptyConsentDraft(connection.plan?.digest))
    }
    this.connection = connection
    if (connection.state === before?.state) return
    this.wantsOtherWay = false
    if (!isAwaitingConsent(connection)) this.#say(emptyConsentDraft(connection.plan?.digest))
    if (connection.state === "active") this.#tell("connected")
    if (connection.state === "failed") this.#tell("failed", { failure: connection.failure })
  }

  /** Takes in what the customer says to the plan. */
  #say(said: Partial<ConsentDraft>): void {
    this.consent = { ...this.consent, ...said }
    saveConsentDraft(this.connectionId, this.consent)
  }

  #tell(name: string, more: object = {}): void {
    const detail = { connectionId: this.connectionId, state: this.connection?.state, ...more }
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  async #command(name: PageCommand, body?: object): Promise<void> {
    await this.#ask(async (client) => this.#live?.accept(await client.command(name, body)))
  }

  async #openProvider(): Promise<void> {
    await this.#ask(async (client) => {
      const asked = { returnUrl: location.href.replace(/#.*$/, ""), ...this.#approvalAhead }
      const address = webAddress(await client.authorizeUrl(asked))
      if (address === undefined) this.notice = "problemUnknown"
      else location.assign(address)
    })
  }

  /** Asks the service for one thing at a time; whatever it answers, things are then shown as they stand. */
  async #ask(request: (client: ConnectionClient) => Promise<void>): Promise<void> {
    if (this.busy || this.#client === undefined) return
    this.#tokens.retryNow()
    this.busy = true
    this.notice = undefined
    this.wrongFields = new Set()
    try {
      await request(this.#client)
    } catch (refusal) {
      this.#complain(refusal)
      if (refusal instanceof ServiceUnreachable) this.#live?.reconnect()
    } finally {
      this.busy = false
      this.#live?.refreshNow()
    }
  }

  #complain(refusal: unknown): void {
    this.notice = problemKey(refusal)
    if (refusal instanceof RequestRejected && refusal.status === 422) this.wrongFields = new Set(refusal.fields)
    if (refusal instanceof RequestRejected && refusal.code === "acknowledgement_required")
      this.#say({ acknowledged: new Set() })
  }

  get #approvalAhead() {
    return this.connection === undefined ? {} : preApprovalFields(this.connection, this.consent)
  }

  readonly #acts: ViewActions = {
    acknowledge: (warning, isKnown) => {
      const others = [...this.consent.acknowledged].filter((one) => one !== warning)
      this.#say({ acknowledged: new Set(isKnown ? [...others, warning] : others) })
    },
    approve: () => {
      this.notice = undefined
      if (this.connection?.state === "planned")
        void this.#command("approval", approvalBody(this.connection, this.consent))
      else this.#say({ isGiven: true })
    },
    goBack: () => {
      if (!this.wantsOtherWay) this.#say({ isGiven: false })
      this.wantsOtherWay = false
      this.notice = undefined
    },
    authorizeWithCredential: (credential) =>
      void this.#command("authorization", { method: "direct_credential", credential, ...this.#approvalAhead }),
    startOAuth: () => void this.#openProvider(),
    chooseManual: () => void this.#command("authorization", { method: "manual" }),
    chooseOtherMethod: () => (this.wantsOtherWay = true),
    recheck: () => void this.#command("recheck"),
    retry: () => {
      this.#say({ isGiven: false })
      void this.#command("retry")
    },
    copy: (text, id) => void this.#copy(text, id),
    download: () => this.connection && downloadZoneFile(this.connection),
    close: () => this.#tell("closed")
  }

  async #copy(text: string, id: string): Promise<void> {
    const shown = this.renderRoot.querySelector(`[id="label-${id}"] + dd code`)
    this.taken = { id, outcome: await copyOrSelect(text, shown) }
    const { taken } = this
    if (taken.outcome === "copied")
      setTimeout(() => (this.taken = this.taken === taken ? undefined : this.taken), 2_000)
  }

  get #language(): Language {
    return languageOf(this.locale || document.documentElement.lang || navigator.language)
  }

  protected override render(): unknown {
    const { tag, words: ours } = this.#language
    const words = { ...ours, ...this.words }
    const step = this.#step
    const problem = this.#problemIn(words)
    return html`<div
      class="card"
      part="card"
      lang=${tag}
      aria-busy=${this.connection === undefined && problem === undefined}
    >
      <div role="alert">
        ${problem === undefined ? nothing : html`<p class="problem" part="problem">${icons.alert}<span>${problem}</span></p>`}
      </div>
      <p class="unseen" role="status">${copyStatusText(this.taken, words) ?? this.#focus.headline}</p>
      ${step === undefined ? (problem === undefined ? loadingIndicator(words) : nothing) : [stepIndicator(stepNumbers[step], words), steps[step](this.#view(words))]}
    </div>`
  }

  #problemIn(words: Words): string | undefined {
    if (hasEnded(this.connection)) return undefined
    const problem = this.notice ?? (this.trouble === undefined ? undefined : problemKey(this.trouble))
    if (problem !== undefined) return words[problem]
    return this.connection === undefined ? undefined : oauthFailureText(this.connection, words)
  }

  get #step(): Step | undefined {
    const said = { hasAgreed: this.consent.isGiven, wantsOtherMethod: this.wantsOtherWay }
    return this.connection === undefined ? undefined : stepOf(this.connection, said)
  }

  #view(words: Words): ViewModel {
    const { busy, connection, consent, now, observations, taken, wrongFields } = this
    const { acknowledged } = consent
    if (connection === undefined) throw new Error("there is no connection to show")
    const locale = this.#language.tag
    return {
      connection,
      observations,
      words,
      locale,
      isBusy: busy,
      acknowledged,
      invalidFields: wrongFields,
      copyResult: taken,
      now,
      actions: this.#acts
    }
  }
}

if (customElements.get("domain-connection") === undefined) customElements.define("domain-connection", DomainConnection)
