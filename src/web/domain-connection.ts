import { html, LitElement, nothing, type PropertyValues } from "lit"
import { ConnectionClient, type PageCommand, RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import {
  type ConnectionDocument,
  type ObservationsDocument,
  type PlatformDocument,
  toSafeWebUrl
} from "./ConnectionDocument.ts"
import { ConnectionWatcher } from "./ConnectionWatcher.ts"
import {
  type ConsentDraft,
  createConsentDraft,
  isAwaitingConsent,
  loadConsentDraft,
  saveConsentDraft,
  toApprovalBody,
  toPreApprovalFields
} from "./ConsentDraft.ts"
import { CopyFeedback } from "./CopyFeedback.ts"
import { SecondClock } from "./SecondClock.ts"
import { StepFocus } from "./StepFocus.ts"
import { MissingTokenError, TokenSource, tokenTimeoutMillis } from "./TokenSource.ts"
import type { ViewActions, ViewModel } from "./ViewModel.ts"
import { downloadZoneFile } from "./downloadZoneFile.ts"
import { formatProblem, isTransient, type ProblemKey, problemKeyOf } from "./problemKeyOf.ts"
import { type Step, stepNumbers, stepOf } from "./stepOf.ts"
import { renderStep } from "./steps/renderStep.ts"
import { formatCopyStatus, icons, renderLoadingIndicator, renderPlatform, renderStepIndicator } from "./templates.ts"
import { theme } from "./theme/theme.ts"
import type { Words } from "./words/en.ts"
import { type Language, languageOf } from "./words/languageOf.ts"

/**
 * `<domain-connection>`: leads a customer through one connection. Events, which are composed: `connected`,
 * `failed`, `closed` and `token-expired`, after which the page sets another `token` and the element continues.
 */
export class DomainConnectionElement extends LitElement {
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
    platform: { state: true },
    consent: { state: true },
    wantsOtherMethod: { state: true },
    invalidFields: { state: true },
    error: { state: true },
    notice: { state: true },
    isBusy: { state: true }
  }

  /** The browser token of the connection. */
  declare token: string
  /** The address of the service; by default the origin of this script. */
  declare baseUrl: string
  declare connectionId: string
  /** `en` or `de`; by default the `lang` of the page. */
  declare locale: string
  /** `light` or `dark`; by default what the customer's device prefers. */
  declare theme: string
  /** Texts that replace ours: a product's own words, or another language. */
  declare words: Partial<Words>

  declare private connection: ConnectionDocument | undefined
  declare private observations: ObservationsDocument | undefined
  /** Shown together with the connection, so that nothing moves when it comes. */
  declare private platform: PlatformDocument | undefined
  declare private consent: ConsentDraft
  declare private wantsOtherMethod: boolean
  declare private invalidFields: ReadonlySet<string>
  declare private error: unknown
  declare private notice: ProblemKey | undefined
  declare private isBusy: boolean

  readonly #tokens = new TokenSource(this, () => this.#emit("token-expired"))
  #client: ConnectionClient | undefined
  #watcher: ConnectionWatcher | undefined
  readonly #focus = new StepFocus(this, () => this.#step)
  readonly #clock = new SecondClock(this)
  readonly #copies = new CopyFeedback(this)
  #startTimer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.token = ""
    this.baseUrl = new URL(import.meta.url).origin
    this.connectionId = ""
    this.locale = ""
    this.theme = ""
    this.words = {}
    this.consent = createConsentDraft()
    this.wantsOtherMethod = false
    this.invalidFields = new Set()
    this.isBusy = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#restart()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#startTimer)
    this.#watcher?.stop()
    this.#watcher = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("token")) this.#tokens.setToken(this.token)
    if (this.hasUpdated && (changed.has("connectionId") || changed.has("baseUrl"))) this.#restart()
    if (changed.has("token") && this.#watcher === undefined) this.#restart()
  }

  protected override updated(changed: PropertyValues): void {
    // The button that caused the problem may be far below.
    if (changed.has("notice")) this.renderRoot.querySelector(".problem")?.scrollIntoView({ block: "nearest" })
  }

  #restart(): void {
    this.#watcher?.stop()
    this.#watcher = undefined
    clearTimeout(this.#startTimer)
    if (!this.isConnected) return
    if (this.connectionId === "") {
      this.#startTimer = setTimeout(() => this.#reportMissingConnection(), tokenTimeoutMillis)
      return
    }
    this.error = undefined
    this.connection = undefined
    this.observations = undefined
    this.platform = undefined
    this.consent = loadConsentDraft(this.connectionId)
    this.#client = new ConnectionClient({
      baseUrl: this.baseUrl.replace(/\/$/, ""),
      connectionId: this.connectionId,
      getToken: () => this.#tokens.getToken(),
      replaceToken: (rejected) => this.#tokens.replaceToken(rejected)
    })
    this.#watcher = new ConnectionWatcher(this.#client, {
      onConnection: (connection) => this.#accept(connection),
      onObservations: (observations) => (this.observations = observations),
      onError: (error) => {
        this.error = error
        if (error === undefined && isTransient(this.notice)) this.notice = undefined
      }
    })
  }

  #reportMissingConnection(): void {
    this.error = new MissingTokenError()
    if (this.token === "") this.#tokens.requestToken()
    // oxlint-disable-next-line no-console -- the customer sees what to do, the developer of the page what is missing
    else console.error("<domain-connection> has a token, but no connection-id: it needs both")
  }

  #accept(connection: ConnectionDocument): void {
    const before = this.connection
    if (connection.plan?.digest !== this.consent.digest) {
      if (this.consent.isGiven && connection.state === "awaiting_authorization") this.notice = "problemStale"
      this.#updateConsent(createConsentDraft(connection.plan?.digest))
    }
    this.connection = connection
    if (before === undefined) void this.#readPlatform()
    if (connection.state === before?.state) return
    this.wantsOtherMethod = false
    if (!isAwaitingConsent(connection)) this.#updateConsent(createConsentDraft(connection.plan?.digest))
    if (connection.state === "active") this.#emit("connected")
    if (connection.state === "failed") this.#emit("failed", { failure: connection.failure })
  }

  async #readPlatform(): Promise<void> {
    const client = this.#client
    const platform = await client?.readPlatform()
    if (client === this.#client) this.platform = platform
  }

  /** Updates the consent of the customer and saves it for this tab. */
  #updateConsent(change: Partial<ConsentDraft>): void {
    this.consent = { ...this.consent, ...change }
    saveConsentDraft(this.connectionId, this.consent)
  }

  #emit(name: string, more: object = {}): void {
    const detail = { connectionId: this.connectionId, state: this.connection?.state, ...more }
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  async #sendCommand(name: PageCommand, body?: object): Promise<void> {
    await this.#request(async (client) => this.#watcher?.accept(await client.sendCommand(name, body)))
  }

  async #openProvider(): Promise<void> {
    await this.#request(async (client) => {
      const returnUrl = location.href.replace(/#.*$/, "")
      const body = this.connection?.provider?.domainConnect
        ? { method: "domain_connect" as const, returnUrl }
        : { method: "oauth2_pkce" as const, returnUrl, ...this.#preApproval }
      const url = toSafeWebUrl(await client.startOAuth(body))
      if (url === undefined) this.notice = "problemUnknown"
      else location.assign(url)
    })
  }

  /** Sends one request at a time; whatever the response, the connection is read again afterwards. */
  async #request(request: (client: ConnectionClient) => Promise<void>): Promise<void> {
    if (this.isBusy || this.#client === undefined) return
    this.#tokens.retryNow()
    this.isBusy = true
    this.notice = undefined
    this.invalidFields = new Set()
    try {
      await request(this.#client)
    } catch (cause) {
      this.#showProblem(cause)
      if (cause instanceof ServiceUnreachable) this.#watcher?.reconnect()
    } finally {
      this.isBusy = false
      this.#watcher?.refreshNow()
    }
  }

  #showProblem(cause: unknown): void {
    this.notice = problemKeyOf(cause)
    if (cause instanceof RequestRejected && cause.status === 422) this.invalidFields = new Set(cause.fields)
    if (cause instanceof RequestRejected && cause.code === "acknowledgement_required")
      this.#updateConsent({ acknowledged: new Set() })
  }

  get #preApproval() {
    return this.connection === undefined ? {} : toPreApprovalFields(this.connection, this.consent)
  }

  readonly #actions: ViewActions = {
    acknowledge: (warning, isKnown) => {
      const others = [...this.consent.acknowledged].filter((known) => known !== warning)
      this.#updateConsent({ acknowledged: new Set(isKnown ? [...others, warning] : others) })
    },
    approve: () => {
      this.notice = undefined
      if (this.connection?.state === "planned")
        void this.#sendCommand("approval", toApprovalBody(this.connection, this.consent))
      else this.#updateConsent({ isGiven: true })
    },
    goBack: () => {
      if (!this.wantsOtherMethod) this.#updateConsent({ isGiven: false })
      this.wantsOtherMethod = false
      this.notice = undefined
    },
    authorizeWithCredential: (credential) =>
      void this.#sendCommand("authorization", { method: "direct_credential", credential, ...this.#preApproval }),
    startOAuth: () => void this.#openProvider(),
    chooseManual: () => void this.#sendCommand("authorization", { method: "manual" }),
    chooseOtherMethod: () => (this.wantsOtherMethod = true),
    recheck: () => void this.#sendCommand("recheck"),
    retry: () => {
      this.#updateConsent({ isGiven: false })
      void this.#sendCommand("retry")
    },
    copy: (text, id) => void this.#copies.copy(text, id),
    download: () => this.connection && downloadZoneFile(this.connection),
    close: () => this.#emit("closed")
  }

  get #language(): Language {
    return languageOf(this.locale || document.documentElement.lang || navigator.language)
  }

  protected override render(): unknown {
    const { tag, words: ours } = this.#language
    const words = { ...ours, ...this.words }
    const step = this.#step
    const problem = formatProblem({ connection: this.connection, error: this.error, notice: this.notice }, words)
    return html`<div
      class="card"
      part="card"
      lang=${tag}
      aria-busy=${this.connection === undefined && problem === undefined}
    >
      ${this.token.startsWith("dct_test_") ? words.testMode : nothing}
      ${step === undefined ? nothing : renderPlatform(this.platform)}
      <div role="alert">
        ${problem === undefined ? nothing : html`<p class="problem" part="problem">${icons.alert}<span>${problem}</span></p>`}
      </div>
      <p class="unseen" role="status">${formatCopyStatus(this.#copies.result, words) ?? this.#focus.headline}</p>
      ${step === undefined ? (problem === undefined ? renderLoadingIndicator(words) : nothing) : [renderStepIndicator(stepNumbers[step], words), renderStep(step, this.#makeViewModel(words))]}
    </div>`
  }

  get #step(): Step | undefined {
    const choices = { hasAgreed: this.consent.isGiven, wantsOtherMethod: this.wantsOtherMethod }
    return this.connection && this.platform && stepOf(this.connection, choices)
  }

  #makeViewModel(words: Words): ViewModel {
    const { connection, consent, invalidFields, isBusy, observations, platform = {} } = this
    if (connection === undefined) throw new Error("there is no connection")
    return {
      connection,
      observations,
      platform,
      words,
      locale: this.#language.tag,
      isBusy,
      acknowledged: consent.acknowledged,
      invalidFields,
      copyResult: this.#copies.result,
      now: this.#clock.now,
      actions: this.#actions
    }
  }
}

if (customElements.get("domain-connection") === undefined)
  customElements.define("domain-connection", DomainConnectionElement)
