import type { LitElement, ReactiveController } from "lit"
import { withSessionStorage } from "./browserStorage.ts"
import { isLanguageTag, languageOf, type LanguageTag } from "./words/languageOf.ts"
import { type Language, loadLanguage } from "./words/loadWords.ts"

/** The language of the element: that of the page, until the customer chooses another one. */
export class LanguageChoice implements ReactiveController {
  readonly #host: LitElement & { readonly locale: string }
  #chosen = loadChoice()
  #requested: LanguageTag | undefined
  #current: Language | undefined
  #isMissing = false
  #loading = new AbortController()

  constructor(host: LitElement & { readonly locale: string }) {
    this.#host = host
    host.addController(this)
  }

  /** The language with its texts; the one before while the texts of another one are loaded, at first none. */
  get current(): Language | undefined {
    return this.#current
  }

  /** Whether no texts can be loaded, not even English ones. */
  get isMissing(): boolean {
    return this.#isMissing && this.#current === undefined
  }

  choose(tag: LanguageTag): void {
    this.#chosen = tag
    withSessionStorage((storage) => storage.setItem(storageKey, tag))
    this.#host.dispatchEvent(new CustomEvent("language", { detail: { language: tag }, bubbles: true, composed: true }))
    this.#host.requestUpdate()
  }

  hostConnected(): void {
    this.#host.requestUpdate()
  }

  hostDisconnected(): void {
    this.#loading.abort()
    this.#requested = undefined
  }

  hostUpdate(): void {
    const page = this.#host.locale || document.documentElement.lang || navigator.language
    const tag = this.#chosen ?? languageOf(page)
    if (tag === this.#requested) return
    this.#requested = tag
    void this.#load(tag)
  }

  /** Shows English where the texts of a language cannot be loaded; choosing the language again loads them again. */
  async #load(tag: LanguageTag): Promise<void> {
    this.#loading.abort()
    const { signal } = (this.#loading = new AbortController())
    const onFailed = () => {
      this.#isMissing = true
      this.#host.requestUpdate()
    }
    const language = await loadLanguage(tag, onFailed, signal).catch(() => undefined)
    if (language === undefined) return
    this.#current = language
    if (language.tag !== tag) this.#requested = this.#chosen = language.tag
    this.#host.requestUpdate()
  }
}

const storageKey = "domain-connection:language"

/** The language that was chosen in this tab. */
export const loadChoice = (): LanguageTag | undefined => {
  const tag = withSessionStorage((storage) => storage.getItem(storageKey)) ?? ""
  return isLanguageTag(tag) ? tag : undefined
}
