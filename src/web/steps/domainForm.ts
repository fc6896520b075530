import { html, nothing, type TemplateResult } from "lit"
import type { FailureCode, PlatformDocument } from "../ConnectionDocument.ts"
import { toUnicodeName } from "../toUnicodeName.ts"
import { interpolate } from "../ViewModel.ts"
import type { Words } from "../words/en.ts"
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
  readonly isBusy: boolean
}

type EntryProblem = "entryInvalid" | "problemBusy" | "problemOffline" | "problemRefused" | "problemSession"

/** The form in which the customer types a domain, and chooses whether visitors use it with `www` or without. */
export class DomainForm {
  readonly #context: DomainFormContext
  #state: FormState = { typed: "", chosen: "", isBusy: false }

  constructor(context: DomainFormContext) {
    this.#context = context
  }

  render(words: Words): TemplateResult {
    const canConnect = this.#state.found !== undefined && this.#state.found.failure === undefined
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
        aria-required="true"
        aria-invalid=${wrong !== undefined}
        aria-describedby=${wrong === undefined ? nothing : "wrong-domain"}
        @input=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement)) return
          this.#set({ typed: target.value, found: undefined, suggestion: undefined, problem: undefined })
        }}
      />
      ${wrong === undefined ? nothing : html`<p class="wrong" id="wrong-domain" role="alert">${wrong}</p>`}
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
                @change=${() => this.#set({ chosen: choice })}
              />
              <bdi dir="ltr">${toUnicodeName(choice)}</bdi>
            </label>`
        )}
      </fieldset>
      ${provider === undefined || provider.name === "" ? nothing : html`<p class="quiet">${interpolate(words.managedAt, { provider: provider.name })}</p>`}`
  }

  async #check(typed: string): Promise<void> {
    this.#set({ typed, found: undefined, suggestion: undefined, problem: undefined })
    if (typed.trim() === "") return this.#set({ problem: "entryInvalid" })
    const found = await this.#send<FoundDomain>("/check", typed)
    if (found !== undefined) this.#set({ found, chosen: found.name })
  }

  async #connect(): Promise<void> {
    const created = await this.#send<CreatedConnection>("", this.#state.chosen)
    if (created !== undefined) this.#context.onConnected(created)
  }

  /** The answer of the service; `undefined` where it refuses, for the reason that is displayed then. */
  async #send<Answer>(path: "" | "/check", domain: string): Promise<Answer | undefined> {
    this.#set({ isBusy: true, problem: undefined })
    try {
      const response = await this.#context.post(path, { domain: domain.trim() })
      const answer = await response.json()
      if (response.ok) return answer
      if (response.status === 401) this.#context.onExpired()
      this.#set({
        problem: problemOf(response.status, answer.error?.code),
        suggestion: answer.error?.details?.[0]?.suggestion
      })
    } catch {
      this.#set({ problem: "problemOffline" })
    } finally {
      this.#set({ isBusy: false })
    }
    return undefined
  }

  #set(change: Partial<FormState>): void {
    this.#state = { ...this.#state, ...change }
    this.#context.onChange()
  }
}

const problemOf = (status: number, code: string | undefined): EntryProblem => {
  if (status === 422) return code === "unprocessable" ? "entryInvalid" : "problemRefused"
  const problems: { readonly [status: number]: EntryProblem } = {
    400: "entryInvalid",
    401: "problemSession",
    403: "problemSession",
    429: "problemBusy"
  }
  return problems[status] ?? (status < 500 ? "problemRefused" : "problemOffline")
}
