import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit"
import type { Warning } from "../domain/plan/Warning.ts"
import { ConnectionClient, type PageCommand, RequestRejected, ServiceUnreachable } from "./ConnectionClient.ts"
import {
  type ConnectionDocument,
  type ObservationsDocument,
  type PlatformDocument,
  toSafeWebUrl
} from "./ConnectionDocument.ts"
import { ConnectionWatcher } from "./ConnectionWatcher.ts"
import {
  carryConsent,
  type ConsentDraft,
  createConsentDraft,
  isAwaitingConsent,
  loadConsentDraft,
  saveConsentDraft,
  toApprovalBody,
  toPreApprovalFields
} from "./ConsentDraft.ts"
import { CopyFeedback } from "./CopyFeedback.ts"
import { LanguageChoice } from "./LanguageChoice.ts"
import { Sharing } from "./Sharing.ts"
import { SecondClock } from "./SecondClock.ts"
import { StepFocus } from "./StepFocus.ts"
import { MissingTokenError, TokenSource, tokenTimeoutMillis } from "./TokenSource.ts"
import type { ByHandProgress, ViewActions, ViewModel } from "./ViewModel.ts"
import { downloadZoneFile } from "./downloadZoneFile.ts"
import { listDiagnoses, listStateEvents } from "./pageEvents.ts"
import { renderShell } from "./shell.ts"
import { formatProblem, isTransient, type ProblemKey, problemKeyOf } from "./problemKeyOf.ts"
import { type Step, stepNumbers, stepOf } from "./stepOf.ts"
import { formatCheckAnswer, lastCheckOf } from "./steps/byHand.ts"
import { renderFrame } from "./steps/frame.ts"
import { renderStep } from "./steps/renderStep.ts"
import { renderHelperWait, renderRequest, renderShare } from "./steps/share.ts"
import { formatCopyStatus, icons, renderLoadingIndicator, renderSupport } from "./templates.ts"
import { theme } from "./theme/theme.ts"
import { en, type Words } from "./words/en.ts"

/**
 * `<domain-connection>`: leads a customer through one connection. `DomainConnectionEventMap` has its events, which are
 * composed. What the page puts into its slot `fallback` is shown where the connection cannot be read.
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
    sender: { attribute: false },
    connection: { state: true },
    observations: { state: true },
    platform: { state: true },
    consent: { state: true },
    wantsOtherMethod: { state: true },
    invalidFields: { state: true },
    isIncomplete: { state: true },
    byHand: { state: true },
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

  /** Who sent the link that opened the page for a helper, empty if that is unknown; `undefined` for the customer. */
  declare sender: string | undefined

  declare private connection: ConnectionDocument | undefined
  declare private observations: ObservationsDocument | undefined
  /** Shown together with the connection, so that nothing moves when it comes. */
  declare private platform: PlatformDocument | undefined
  declare private consent: ConsentDraft
  declare private wantsOtherMethod: boolean
  declare private invalidFields: ReadonlySet<string>
  declare private isIncomplete: boolean
  declare private byHand: ByHandProgress
  declare private error: unknown
  declare private notice: ProblemKey | undefined
  declare private isBusy: boolean

  readonly #tokens = new TokenSource(this, () => this.#emit("token-expired"))
  #client: ConnectionClient | undefined
  #watcher: ConnectionWatcher | undefined
  readonly #focus = new StepFocus(this, () => this.#step)
  readonly #clock = new SecondClock(this)
  readonly #copies = new CopyFeedback(this)
  readonly #language = new LanguageChoice(this)
  readonly #sharing = new Sharing(this, (request) => this.#request(request))
  #startTimer: ReturnType<typeof setTimeout> | undefined
  #entered: ViewModel["entered"] = {}
  #reportedStep: Step | undefined
  #reportedDiagnoses = "[]"
  /** Why the customer leaves the displayed step, where the connection does not say it. */
  #leaving: string | undefined
  /** The place in the bar, which only the customer moves back. */
  #position = 0

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
    this.isIncomplete = false
    this.byHand = firstScreen
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
    const number = stepNumbers[this.#step ?? "failure"] ?? 0
    this.#position = number === 0 || number === 4 ? number : Math.max(this.#position % 4, number)
  }

  protected override updated(changed: PropertyValues): void {
    // The button that caused the problem may be far below.
    if (changed.has("notice")) this.renderRoot.querySelector(".problem")?.scrollIntoView({ block: "nearest" })
    if (changed.has("isIncomplete") && this.isIncomplete)
      this.renderRoot.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
    this.#reportStep()
  }

  /** Tells the page which step is displayed, and why the one before was left. */
  #reportStep(): void {
    const step = this.#step
    if (step === undefined || step === this.#reportedStep) return
    const { failure, replan } = this.connection ?? {}
    const left = this.#leaving ?? failure?.code ?? replan?.code
    this.#emit("step", {
      step,
      ...(this.#reportedStep === undefined ? {} : { previous: this.#reportedStep }),
      ...(this.#reportedStep === undefined || left === undefined ? {} : { reason: left })
    })
    this.#reportedStep = step
    this.#leaving = undefined
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
    this.#entered = {}
    this.#reportedStep = undefined
    this.byHand = firstScreen
    this.consent = loadConsentDraft(this.connectionId)
    this.#client = new ConnectionClient({
      baseUrl: this.baseUrl.replace(/\/$/, ""),
      connectionId: this.connectionId,
      getToken: () => this.#tokens.getToken(),
      replaceToken: (rejected) => this.#tokens.replaceToken(rejected)
    })
    this.#watcher = new ConnectionWatcher(this.#client, {
      onConnection: (connection) => this.#accept(connection),
      onObservations: (observations) => this.#acceptObservations(observations),
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
    const carried =
      before?.direction === connection.direction || before === undefined ? this.consent : createConsentDraft()
    const consent = isAwaitingConsent(connection) ? carryConsent(carried, connection) : createConsentDraft()
    if (this.consent.isGiven && !consent.isGiven && connection.state.startsWith("awaiting_"))
      this.notice = "problemStale"
    this.#updateConsent({ ...consent, seen: consent.seen.length > 0 ? consent.seen : (connection.plan?.changes ?? []) })
    this.connection = connection
    if (before === undefined) void this.#readPlatform()
    if (connection.state === before?.state) return
    this.wantsOtherMethod = false
    this.isIncomplete = false
    if (!["awaiting_manual", "verifying"].includes(before?.state ?? "")) this.byHand = firstScreen
    if (!isAwaitingConsent(connection)) this.#entered = {}
    listStateEvents(connection).forEach(({ detail, name }) => this.#emit(name, detail))
  }

  #acceptObservations(observations: ObservationsDocument): void {
    this.observations = observations
    const diagnoses = this.connection === undefined ? [] : listDiagnoses(this.connection, observations)
    const text = JSON.stringify(diagnoses)
    if (text !== this.#reportedDiagnoses && diagnoses.length > 0) this.#emit("diagnosis", { diagnoses })
    this.#reportedDiagnoses = text
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
      const body = { returnUrl: location.href.replace(/#.*$/, ""), ...this.#preApproval }
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
    this.isIncomplete = false
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
    acknowledge: (warning, isKnown) => this.#acknowledge(warning, isKnown),
    answerMail: (getsMail) => {
      this.#acknowledge("mail_target_changed", !getsMail)
      this.#updateConsent({ getsMail })
    },
    approve: () => {
      this.notice = undefined
      this.isIncomplete = false
      this.#updateConsent({ seen: this.connection?.plan?.changes ?? [] })
      if (this.connection?.state === "planned")
        void this.#sendCommand("approval", toApprovalBody(this.connection, this.consent))
      else this.#updateConsent({ isGiven: true })
    },
    markIncomplete: () => {
      this.isIncomplete = false
      void this.updateComplete.then(() => (this.isIncomplete = true))
    },
    goBack: () => {
      if (!this.wantsOtherMethod) this.#updateConsent({ isGiven: false })
      this.#leave("back")
      this.wantsOtherMethod = false
      this.#position = 0
    },
    authorizeWithCredential: (credential) => {
      this.#entered = credential
      void this.#sendCommand("authorization", { method: "direct_credential", credential, ...this.#preApproval })
    },
    startOAuth: () => void this.#openProvider(),
    chooseManual: () => {
      this.#leave("by_hand")
      void this.#sendCommand("authorization", { method: "manual" })
    },
    chooseOtherMethod: () => {
      this.#leave("other_way")
      this.wantsOtherMethod = true
    },
    showTask: (task) => {
      this.byHand = { ...this.byHand, task, checkedBefore: undefined }
    },
    recheck: (savedTask) => {
      const { saved } = this.byHand
      this.byHand = {
        ...this.byHand,
        checkedBefore: lastCheckOf({ observations: this.observations }),
        saved: savedTask === undefined ? saved : new Set([...saved, savedTask])
      }
      void this.#sendCommand("recheck")
    },
    retry: () => {
      this.#updateConsent({ isGiven: false })
      void this.#sendCommand("retry")
    },
    copy: (text, id) => void this.#copies.copy(text, id),
    download: () => this.connection && downloadZoneFile(this.connection),
    share: () => this.#sharing.open(),
    close: () => this.#emit("closed")
  }

  #leave(reason: string): void {
    this.notice = undefined
    this.isIncomplete = false
    this.#leaving = reason
  }

  #acknowledge(warning: Warning, isKnown: boolean): void {
    const others = [...this.consent.acknowledged].filter((known) => known !== warning)
    this.#updateConsent({ acknowledged: new Set(isKnown ? [...others, warning] : others) })
  }

  protected override render(): unknown {
    const language = this.#language.current
    const words = { ...(language?.words ?? en), ...this.words }
    const step = language && this.#step
    const problem = formatProblem({ connection: this.connection, error: this.error, notice: this.notice }, words)
    const isBusy = this.connection === undefined && problem === undefined
    const view = step === undefined ? undefined : this.#makeViewModel(words)
    const status =
      formatCopyStatus(this.#copies.result, words) ?? (view && step === "by_hand" ? formatCheckAnswer(view) : undefined)
    const content = html`${this.token.startsWith("dct_test_") ? words.testMode : nothing}
      ${view === undefined || this.sender === undefined ? nothing : renderRequest(this.sender, view)}
      ${view === undefined ? nothing : renderFrame(this.#position || undefined, view)}
      <div role="alert">
        ${problem === undefined ? nothing : html`<p class="problem" part="problem">${icons.alert}<span>${problem}</span></p>`}
      </div>
      <p class="unseen" role="status">${status ?? this.#focus.headline}</p>
      ${
        step === undefined || view === undefined
          ? problem === undefined
            ? renderLoadingIndicator(words)
            : html`<slot name="fallback"></slot>`
          : [this.#renderStep(step, view), renderSupport(view)]
      }`
    return renderShell(language, isBusy, (tag) => this.#language.choose(tag), language && content)
  }

  #renderStep(step: Step, view: ViewModel): TemplateResult {
    if (this.#sharing.isOpen) return renderShare(this.#sharing, view)
    return (this.sender === undefined ? undefined : renderHelperWait(step, this.sender, view)) ?? renderStep(step, view)
  }

  get #step(): Step | undefined {
    // A helper enters what the customer agreed to elsewhere.
    const choices = {
      hasAgreed: this.consent.isGiven || this.sender !== undefined,
      wantsOtherMethod: this.wantsOtherMethod
    }
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
      locale: this.#language.current?.tag ?? "en",
      isBusy,
      consent,
      isIncomplete: this.isIncomplete,
      entered: this.#entered,
      invalidFields,
      byHand: this.byHand,
      copyResult: this.#copies.result,
      now: this.#clock.now,
      actions: this.#actions
    }
  }
}

/** The first screen of a setup by hand. */
const firstScreen: ByHandProgress = { task: undefined, checkedBefore: undefined, saved: new Set() }

if (customElements.get("domain-connection") === undefined)
  customElements.define("domain-connection", DomainConnectionElement)
