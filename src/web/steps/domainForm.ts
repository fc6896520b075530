import { html, nothing, type TemplateResult } from "lit"
import type { FailureCode, PlatformDocument } from "../ConnectionDocument.ts"
import { toUnicodeName } from "../toUnicodeName.ts"
import { interpolate } from "../ViewModel.ts"
import { renderSupport } from "../templates.ts"
import type { Words } from "../words/en.ts"
import { type EntryProblem, entryProblemOf } from "./entryProblem.ts"
import { renderPlatform } from "./frame.ts"

/** What the service found of the name that was typed. */
interface FoundDomain {
  readonly name: string
  readonly domain: string
  readonly host: string
  readonly provider?: { readonly name: string }
  readonly failure?: { readonly code: FailureCode }
}

interface CreatedConnection {
  readonly connectionId: string
  readonly accessToken: string
}

/** What the form needs of the element. */
interface DomainFormContext {
  /** Who asks for the domain. */
  readonly platform: PlatformDocument
  readonly post: (path: "" | "/check", body: { readonly domain: string }) => Promise<Response>
  readonly onChange: () => void
  readonly onConnected: (created: CreatedConnection) => void
  readonly onExpired: () => void
}

interface FormState {
  readonly typed: string
  /** The name that visitors use. */
  readonly chosen: string
  readonly found?: FoundDomain | undefined
  /** The name that may be meant. */
  readonly suggestion?: string | undefined
  readonly problem?: EntryProblem | undefined
  /** What the service says of the problem, in English. */
  readonly message?: string | undefined
  readonly isBusy: boolean
}

/** The form in which the customer types a domain, and chooses whether visitors use it with `www` or without. */
export class DomainForm {
  readonly #context: DomainFormContext
  #state: FormState = { typed: "", chosen: "", isBusy: false }
  /** Identifies the last request: an answer to one before it is of another text than the one in the field. */
  #request = {}

  constructor(context: DomainFormContext) {
    this.#context = context
  }

  render(words: Words): TemplateResult {
    const canConnect = this.#canConnect
    const platform = renderPlatform(this.#context.platform)
    return html`${platform === nothing ? nothing : html`<header class="frame">${platform}</header>`}
      <form
        novalidate
        @submit=${(event: Event) => {
          event.preventDefault()
          if (this.#state.isBusy) return
          void (canConnect ? this.#connect() : this.#check(this.#state.typed))
        }}
      >
        <h2 id="title" tabindex="-1" part="heading">${words.entryTitle}</h2>
        <p class="lead">${words.entryText}</p>
        ${this.#renderField(words)} ${canConnect ? this.#renderChoices(words) : nothing}
        <div class="actions" part="actions">
          <button
            class="main"
            part="button button-main"
            type="submit"
            aria-busy=${this.#state.isBusy}
            aria-disabled=${this.#state.isBusy}
          >
            ${this.#state.isBusy ? html`<span class="spinner small" aria-hidden="true"></span>` : nothing}${words.goOn}
          </button>
        </div>
      </form>`
  }

  get #canConnect(): boolean {
    return this.#state.found !== undefined && this.#state.found.failure === undefined
  }

  /** A token creates one connection, so that its domain is not to be changed meanwhile. */
  get #isConnecting(): boolean {
    return this.#canConnect && this.#state.isBusy
  }

  #renderField(words: Words): TemplateResult {
    const wrong = this.#wrongIn(words)
    const suggestion = this.#state.suggestion
    return html`<div class="field" part="field">
      <label for="domain">${words.entryLabel}</label>
      <input
        id="domain"
        part="input"
        type="text"
        inputmode="url"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength="1000"
        .value=${this.#state.typed}
        ?readonly=${this.#isConnecting}
        aria-required="true"
        aria-invalid=${wrong !== undefined}
        aria-describedby=${wrong === undefined ? nothing : "wrong-domain"}
        @input=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement)) return
          this.#request = {}
          this.#set({ ...unanswered, typed: target.value, isBusy: false })
        }}
      />
      ${wrong === undefined ? nothing : html`<p class="wrong" id="wrong-domain" role="alert">${wrong}</p>`}
      ${this.#state.problem === "problemRefused" ? this.#renderRefusal(words) : nothing}
      ${
        suggestion === undefined
          ? nothing
          : html`<p>
              <button class="link" part="button button-link" type="button" @click=${() => void this.#check(suggestion)}>
                ${interpolate(words.entryMeant, { name: toUnicodeName(suggestion) })}
              </button>
            </p>`
      }
    </div>`
  }

  /** What the service says of a refusal that no other text mends, and who can help. */
  #renderRefusal(words: Words): TemplateResult {
    const { message } = this.#state
    return html`${message === undefined ? nothing : html`<p class="quiet"><em lang="en">${message}</em></p>`}
    ${renderSupport({ platform: this.#context.platform, words })}`
  }

  #wrongIn(words: Words): string | undefined {
    if (this.#state.problem !== undefined) return words[this.#state.problem]
    const failure = this.#state.found?.failure
    if (failure === undefined) return undefined
    const { next, reason } = words.failures[failure.code]
    return interpolate(`${reason} ${next}`, { domain: toUnicodeName(this.#state.found?.domain ?? "") })
  }

  /** Only what is in front of the domain is a question; what somebody typed is the first answer. */
  #renderChoices(words: Words): TemplateResult {
    const { domain = "", host = "", name = "", provider } = this.#state.found ?? {}
    const others = host === "@" ? [`www.${domain}`] : host === "www" ? [domain] : []
    return html`<fieldset class="question">
        <legend>${words.entryChoice}</legend>
        ${[name, ...others].map(
          (choice) =>
            html`<label class="check">
              <input
                type="radio"
                name="address"
                .checked=${this.#state.chosen === choice}
                ?disabled=${this.#isConnecting}
                @change=${() => this.#set({ chosen: choice })}
              />
              <bdi dir="ltr">${toUnicodeName(choice)}</bdi>
            </label>`
        )}
      </fieldset>
      ${provider === undefined || provider.name === "" ? nothing : html`<p class="quiet">${interpolate(words.managedAt, { provider: provider.name })}</p>`}`
  }

  async #check(typed: string): Promise<void> {
    this.#set({ ...unanswered, typed })
    if (typed.trim() === "") return this.#set({ problem: "entryInvalid" })
    const found = await this.#send<FoundDomain>("/check", typed)
    if (found !== undefined) this.#set({ found, chosen: found.name })
  }

  async #connect(): Promise<void> {
    const created = await this.#send<CreatedConnection>("", this.#state.chosen)
    if (created !== undefined) this.#context.onConnected(created)
  }

  /** The answer of the service; `undefined` where it comes too late or refuses, for the reason that is displayed then. */
  async #send<Answer>(path: "" | "/check", domain: string): Promise<Answer | undefined> {
    const request = {}
    this.#request = request
    const update = (change: Partial<FormState>) => {
      if (this.#request === request) this.#set(change)
    }
    update({ isBusy: true, problem: undefined })
    try {
      const response = await this.#context.post(path, { domain: domain.trim() })
      const answer = await response.json()
      if (response.status === 401) this.#context.onExpired()
      if (response.ok) return this.#request === request ? answer : undefined
      const [detail] = answer.error?.details ?? []
      update({
        problem: entryProblemOf(response.status, answer),
        message: detail?.message ?? answer.error?.message,
        suggestion: detail?.suggestion
      })
    } catch {
      update({ problem: "problemOffline" })
    } finally {
      update({ isBusy: false })
    }
    return undefined
  }

  #set(change: Partial<FormState>): void {
    this.#state = { ...this.#state, ...change }
    this.#context.onChange()
  }
}

const unanswered = { found: undefined, suggestion: undefined, problem: undefined }
