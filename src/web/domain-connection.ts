import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit"
import { ConnectionClient, ServiceUnreachable } from "./ConnectionClient.ts"
import type { ConnectionDocument, ObservationsDocument, PlatformDocument } from "./ConnectionDocument.ts"
import { ConnectionWatcher } from "./ConnectionWatcher.ts"
import { CopyFeedback } from "./CopyFeedback.ts"
import { DomainEntry } from "./DomainEntry.ts"
import { LanguageChoice } from "./LanguageChoice.ts"
import { LaterSteps } from "./LaterSteps.ts"
import { LocalProgress } from "./LocalProgress.ts"
import { PageRequests } from "./PageRequests.ts"
import { PlanConsent } from "./PlanConsent.ts"
import { Sharing } from "./Sharing.ts"
import { SecondClock } from "./SecondClock.ts"
import { StepFocus } from "./StepFocus.ts"
import { StepReporter } from "./StepReporter.ts"
import { MissingTokenError, TokenSource, tokenTimeoutMillis } from "./TokenSource.ts"
import type { ViewModel } from "./ViewModel.ts"
import { listDiagnoses, listStateEvents } from "./pageEvents.ts"
import { hasBegun, listTasks } from "./manualTasks.ts"
import { renderShell } from "./shell.ts"
import { formatProblem } from "./problemKeyOf.ts"
import { type ConnectionStep, stepOf } from "./stepOf.ts"
import { renderFrame } from "./steps/frame.ts"
import { renderHelperWait, renderRequest } from "./steps/helperView.ts"
import { renderStep } from "./steps/renderStep.ts"
import { formatCopyStatus, icons, renderLoadingIndicator, renderSupport } from "./templates.ts"
import { theme } from "./theme/theme.ts"
import { makeViewActions } from "./viewActions.ts"
import type { Words } from "./words/en.ts"
import { type Language, withoutTexts } from "./words/loadWords.ts"

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
    error: { state: true }
  }

  /** The browser token of the connection. */
  declare token: string
  /** The address of the service; by default the origin of this script. */
  declare baseUrl: string
  declare connectionId: string
  /** A language, such as `de`; by default the `lang` of the page. English where the element does not speak it. */
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
  declare private error: unknown
  readonly #tokens = new TokenSource(this, () => this.#emit("token-expired"))
  #client: ConnectionClient | undefined
  #watcher: ConnectionWatcher | undefined
  readonly #focus = new StepFocus(this, () => this.#step && `${this.#step} ${this.#progress.byHand.task}`)
  readonly #clock = new SecondClock(this)
  readonly #copies = new CopyFeedback(this)
  readonly #language = new LanguageChoice(this)
  readonly #consent = new PlanConsent(this)
  readonly #requests = new PageRequests(this, {
    tokens: this.#tokens,
    client: () => this.#client,
    watcher: () => this.#watcher,
    onUnacknowledged: () => this.#consent.update({ acknowledged: new Set() })
  })
  readonly #progress = new LocalProgress(this, () => this.observations)
  readonly #sharing = new Sharing(this, (request) => this.#requests.send(request))
  readonly #later = new LaterSteps(this, () => {
    this.error = new ServiceUnreachable("a script cannot be loaded")
  })
  readonly #entry = new DomainEntry(this, {
    emit: (name, detail) => this.#emit(name, detail),
    onError: (error) => (this.error = error)
  })
  readonly #steps = new StepReporter(
    this,
    () => ({ step: this.#step, connection: this.connection }),
    (detail) => this.#emit("step", detail)
  )
  #startTimer: ReturnType<typeof setTimeout> | undefined
  #reportedDiagnoses = "[]"

  constructor() {
    super()
    this.token = ""
    this.baseUrl = new URL(import.meta.url).origin
    this.connectionId = ""
    this.locale = ""
    this.theme = ""
    this.words = {}
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

  #restart(): void {
    this.#watcher?.stop()
    this.#watcher = undefined
    clearTimeout(this.#startTimer)
    if (!this.isConnected) return
    if (this.#entry.isNeeded) {
      this.error = undefined
      return this.#entry.start()
    }
    if (this.connectionId === "") {
      this.#startTimer = setTimeout(() => this.#reportMissingConnection(), tokenTimeoutMillis)
      return
    }
    this.error = undefined
    this.connection = undefined
    this.observations = undefined
    this.platform = undefined
    this.#copies.clear()
    this.#sharing.reset()
    this.#steps.reset()
    this.#progress.reset()
    this.#reportedDiagnoses = "[]"
    this.#consent.load()
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
        if (error !== undefined) return
        this.#requests.clearTransient()
        this.#later.load()
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
    if (this.#consent.accept(connection, before)) this.#requests.show("problemStale")
    this.connection = connection
    if (before === undefined) void this.#readPlatform()
    if (connection.state === before?.state) return
    this.#progress.accept(connection, before)
    this.#sharing.accept(connection)
    this.#requests.isIncomplete = false
    listStateEvents(connection).forEach(({ detail, name }) => this.#emit(name, detail))
  }

  #acceptObservations(observations: ObservationsDocument): void {
    this.observations = observations
    if (this.connection !== undefined && this.connection.direction !== "restore")
      this.#consent.resume(this.connection, hasBegun(listTasks({ connection: this.connection, observations })))
    const diagnoses =
      this.connection === undefined ? [] : listDiagnoses(this.connection, observations, this.#progress.byHand.saved)
    const text = JSON.stringify(diagnoses)
    if (text !== this.#reportedDiagnoses) this.#emit("diagnosis", { diagnoses })
    this.#reportedDiagnoses = text
  }

  async #readPlatform(): Promise<void> {
    const client = this.#client
    const platform = await client?.readPlatform()
    if (client === this.#client) this.platform = platform
  }

  #emit(name: string, more: object = {}): void {
    const detail = { connectionId: this.connectionId, state: this.connection?.state, ...more }
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  readonly #actions = makeViewActions({
    connection: () => this.connection,
    consent: this.#consent,
    copies: this.#copies,
    progress: this.#progress,
    requests: this.#requests,
    sharing: this.#sharing,
    steps: this.#steps,
    onClose: () => this.#emit("closed")
  })

  protected override render(): unknown {
    const language = this.#language.current
    const isRead = this.connection !== undefined || this.#entry.isNeeded
    const isBusy = (language === undefined || !isRead) && (this.error ?? this.#requests.notice) === undefined
    const content =
      language === undefined
        ? this.error === undefined && !this.#language.isMissing
          ? renderLoadingIndicator()
          : fallbackWithoutWords
        : this.#renderContent({ ...language, words: { ...language.words, ...this.words } })
    return renderShell(language, isBusy, (tag) => this.#language.choose(tag), content)
  }

  #renderContent(language: Language): TemplateResult {
    const { words } = language
    const step = this.#step
    const { notice } = this.#requests
    const problem = formatProblem({ connection: this.connection, error: this.error, notice }, words)
    const view = step === undefined ? undefined : this.#makeViewModel(language)
    const status =
      formatCopyStatus(this.#copies.announced, words) ?? (view && this.#later.formatCheckAnswer(step, view))
    return html`${this.token.startsWith("dct_test_") ? words.testMode : nothing}
      ${step === undefined || view === undefined || this.sender === undefined ? nothing : renderRequest(step, this.sender, view)}
      ${view === undefined ? nothing : renderFrame(this.#steps.position, view)}
      <div role="alert">
        ${problem === undefined ? nothing : html`<p class="problem" part="problem">${icons.alert}<span>${problem}</span></p>`}
      </div>
      <p class="unseen" role="status">${status ?? this.#focus.headline}</p>
      ${
        this.#entry.isNeeded
          ? (this.#entry.render(words) ?? (problem === undefined ? renderLoadingIndicator(words) : fallback))
          : step === undefined || view === undefined
            ? problem === undefined
              ? renderLoadingIndicator(words)
              : fallback
            : [this.#renderStep(step, view), renderSupport(view)]
      }`
  }

  #renderStep(step: ConnectionStep, view: ViewModel): TemplateResult | undefined {
    if (this.#sharing.isOpen) return this.#sharing.render(view)
    return (
      (this.sender === undefined ? undefined : renderHelperWait(step, this.sender, view)) ??
      this.#later.render(step, view) ??
      renderStep(step, view)
    )
  }

  get #step(): ConnectionStep | undefined {
    // A helper enters what the customer agreed to elsewhere.
    const hasAgreed = this.#consent.draft.isGiven || this.sender !== undefined
    const choices = { hasAgreed, wantsOtherMethod: this.#progress.wantsOtherMethod }
    const step = this.connection && this.platform && stepOf(this.connection, choices)
    return step !== undefined && this.#later.has(step) ? step : undefined
  }

  #makeViewModel({ tag, words }: Language): ViewModel {
    const { connection, observations, platform = {} } = this
    if (connection === undefined) throw new Error("there is no connection")
    return {
      connection,
      observations,
      platform,
      words,
      locale: tag,
      isHelper: this.sender !== undefined,
      isBusy: this.#requests.isBusy,
      consent: this.#consent.draft,
      isIncomplete: this.#requests.isIncomplete,
      entered: this.#progress.entered,
      invalidFields: this.#requests.invalidFields,
      byHand: this.#progress.byHand,
      copyResult: this.#copies.result,
      now: this.#clock.now,
      actions: this.#actions
    }
  }
}

const fallback = html`<slot name="fallback"></slot>`

const fallbackWithoutWords = html`<slot name="fallback">
  <p lang="en" dir="ltr">${withoutTexts}</p>
</slot>`
