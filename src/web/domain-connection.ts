import { html, LitElement, nothing, type PropertyValues } from "lit"
import { type Command, ConnectionClient, Refused, Unreachable } from "./ConnectionClient.ts"
import { approvalAhead, approvalOf, awaitsConsent, type Consent, keep, kept, unsaid } from "./Consent.ts"
import { type ConnectionDocument, hasEnded, type ObservationsDocument, webAddress } from "./documents.ts"
import { LiveConnection } from "./LiveConnection.ts"
import { copySaid, icons, waiting, whereabouts } from "./pieces.ts"
import { isPassing, type Problem, problemOf, visitInVain } from "./problem.ts"
import { positions, type Step, stepOf } from "./stepOf.ts"
import { access } from "./steps/access.ts"
import { changes } from "./steps/changes.ts"
import { failure } from "./steps/failure.ts"
import { manual } from "./steps/manual.ts"
import { progress } from "./steps/progress.ts"
import { success } from "./steps/success.ts"
import { visit } from "./steps/visit.ts"
import { StepFocus } from "./StepFocus.ts"
import { copyOrMark, download } from "./takeAway.ts"
import { theme } from "./theme.ts"
import { NoSession, patience, TokenHolder } from "./TokenHolder.ts"
import type { Acts, Taken, View } from "./View.ts"
import type { Words } from "./words/en.ts"
import { type Language, languageOf } from "./words/languageOf.ts"

const steps: { readonly [_ in Step]: (view: View) => unknown } = {
  changes,
  access,
  visit,
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
  declare private consent: Consent
  declare private wantsOtherWay: boolean
  declare private wrongFields: ReadonlySet<string>
  declare private trouble: unknown
  declare private notice: Problem | undefined
  declare private busy: boolean
  declare private taken: Taken | undefined
  declare private now: number

  readonly #tokens = new TokenHolder(this, () => this.#tell("token-expired"))
  #client: ConnectionClient | undefined
  #live: LiveConnection | undefined
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
    this.consent = unsaid()
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
    this.#live?.end()
    this.#live = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("token")) this.#tokens.put(this.token)
    if (this.hasUpdated && (changed.has("connectionId") || changed.has("baseUrl"))) this.#begin()
    if (changed.has("token") && this.#live === undefined) this.#begin()
  }

  protected override updated(changed: PropertyValues): void {
    // The button that was pressed may be far below.
    if (changed.has("notice")) this.renderRoot.querySelector(".problem")?.scrollIntoView({ block: "nearest" })
  }

  #begin(): void {
    this.#live?.end()
    this.#live = undefined
    clearTimeout(this.#starting)
    if (!this.isConnected) return
    if (this.connectionId === "") {
      this.#starting = setTimeout(() => this.#missConnection(), patience)
      return
    }
    this.trouble = undefined
    this.connection = undefined
    this.observations = undefined
    this.consent = kept(this.connectionId)
    this.#client = new ConnectionClient({
      baseUrl: this.baseUrl.replace(/\/$/, ""),
      connectionId: this.connectionId,
      token: () => this.#tokens.get(),
      renew: (rejected) => this.#tokens.renew(rejected)
    })
    this.#live = new LiveConnection(this.#client, {
      onConnection: (connection) => this.#take(connection),
      onObservations: (observations) => (this.observations = observations),
      onTrouble: (trouble) => {
        this.trouble = trouble
        if (trouble === undefined && isPassing(this.notice)) this.notice = undefined
      }
    })
  }

  #missConnection(): void {
    this.trouble = new NoSession()
    if (this.token === "") this.#tokens.ask()
    // oxlint-disable-next-line no-console -- the customer is told what to do, and whoever made the page what is missing
    else console.error("<domain-connection> has a token, but no connection-id: it needs both")
  }

  #take(connection: ConnectionDocument): void {
    const before = this.connection
    if (connection.plan?.digest !== this.consent.digest) {
      if (this.consent.isGiven && connection.state === "awaiting_authorization") this.notice = "problemStale"
      this.#say(unsaid(connection.plan?.digest))
    }
    this.connection = connection
    if (connection.state === before?.state) return
    this.wantsOtherWay = false
    if (!awaitsConsent(connection)) this.#say(unsaid(connection.plan?.digest))
    if (connection.state === "active") this.#tell("connected")
    if (connection.state === "failed") this.#tell("failed", { failure: connection.failure })
  }

  /** Takes in what the customer says to the plan. */
  #say(said: Partial<Consent>): void {
    this.consent = { ...this.consent, ...said }
    keep(this.connectionId, this.consent)
  }

  #tell(name: string, more: object = {}): void {
    const detail = { connectionId: this.connectionId, state: this.connection?.state, ...more }
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  async #command(name: Command, body?: object): Promise<void> {
    await this.#ask(async (client) => this.#live?.take(await client.command(name, body)))
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
    this.#tokens.askAgain()
    this.busy = true
    this.notice = undefined
    this.wrongFields = new Set()
    try {
      await request(this.#client)
    } catch (refusal) {
      this.#complain(refusal)
      if (refusal instanceof Unreachable) this.#live?.reconnect()
    } finally {
      this.busy = false
      this.#live?.wake()
    }
  }

  #complain(refusal: unknown): void {
    this.notice = problemOf(refusal)
    if (refusal instanceof Refused && refusal.status === 422) this.wrongFields = new Set(refusal.fields)
    if (refusal instanceof Refused && refusal.code === "acknowledgement_required")
      this.#say({ acknowledged: new Set() })
  }

  get #approvalAhead() {
    return this.connection === undefined ? {} : approvalAhead(this.connection, this.consent)
  }

  readonly #acts: Acts = {
    acknowledge: (warning, isKnown) => {
      const others = [...this.consent.acknowledged].filter((one) => one !== warning)
      this.#say({ acknowledged: new Set(isKnown ? [...others, warning] : others) })
    },
    approve: () => {
      this.notice = undefined
      if (this.connection?.state === "planned")
        void this.#command("approval", approvalOf(this.connection, this.consent))
      else this.#say({ isGiven: true })
    },
    goBack: () => {
      if (!this.wantsOtherWay) this.#say({ isGiven: false })
      this.wantsOtherWay = false
      this.notice = undefined
    },
    letIn: (credential) =>
      void this.#command("authorization", { method: "direct_credential", credential, ...this.#approvalAhead }),
    openProvider: () => void this.#openProvider(),
    doByHand: () => void this.#command("authorization", { method: "manual" }),
    wantOtherWay: () => (this.wantsOtherWay = true),
    recheck: () => void this.#command("recheck"),
    retry: () => {
      this.#say({ isGiven: false })
      void this.#command("retry")
    },
    copy: (text, id) => void this.#copy(text, id),
    download: () => this.connection && download(this.connection),
    close: () => this.#tell("closed")
  }

  async #copy(text: string, id: string): Promise<void> {
    const shown = this.renderRoot.querySelector(`[id="label-${id}"] + dd code`)
    this.taken = { id, how: await copyOrMark(text, shown) }
    const { taken } = this
    if (taken.how === "copied") setTimeout(() => (this.taken = this.taken === taken ? undefined : this.taken), 2_000)
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
      <p class="unseen" role="status">${copySaid(this.taken, words) ?? this.#focus.headline}</p>
      ${step === undefined ? (problem === undefined ? waiting(words) : nothing) : [whereabouts(positions[step], words), steps[step](this.#view(words))]}
    </div>`
  }

  #problemIn(words: Words): string | undefined {
    if (hasEnded(this.connection)) return undefined
    const problem = this.notice ?? (this.trouble === undefined ? undefined : problemOf(this.trouble))
    if (problem !== undefined) return words[problem]
    return this.connection === undefined ? undefined : visitInVain(this.connection, words)
  }

  get #step(): Step | undefined {
    const said = { hasAgreed: this.consent.isGiven, wantsOtherWay: this.wantsOtherWay }
    return this.connection === undefined ? undefined : stepOf(this.connection, said)
  }

  #view(words: Words): View {
    const { busy, connection, consent, now, observations, taken, wrongFields } = this
    const { acknowledged } = consent
    if (connection === undefined) throw new Error("there is no connection to show")
    const locale = this.#language.tag
    return { connection, observations, words, locale, busy, acknowledged, wrongFields, taken, now, acts: this.#acts }
  }
}

if (customElements.get("domain-connection") === undefined) customElements.define("domain-connection", DomainConnection)
