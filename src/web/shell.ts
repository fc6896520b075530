import { html, svg, type TemplateResult } from "lit"
import { directionOf, isLanguageTag, languageNames, type LanguageTag } from "./words/languageOf.ts"
import type { Language } from "./words/loadWords.ts"

/** The shell around every step: its language and direction, the card, and the switch of the language. */
export const renderShell = (
  language: Language | undefined,
  isBusy: boolean,
  onLanguage: (tag: LanguageTag) => void,
  content: unknown
): TemplateResult => {
  const tag = language?.tag ?? "en"
  return html`<div class="shell" lang=${tag} dir=${directionOf(tag)}>
    <div class="card" part="card" aria-busy=${isBusy}>
      ${content}${language && renderLanguageSwitch(language, onLanguage)}
    </div>
  </div>`
}

const renderLanguageSwitch = ({ tag, words }: Language, onLanguage: (tag: LanguageTag) => void): TemplateResult =>
  html`<label class="languages" part="languages">
    ${globe}<span class="unseen">${words.language}</span>
    <select
      @change=${({ target }: Event) => {
        if (target instanceof HTMLSelectElement && isLanguageTag(target.value)) onLanguage(target.value)
      }}
    >
      ${Object.entries(languageNames).map(
        ([value, name]) => html`<option value=${value} lang=${value} .selected=${value === tag}>${name}</option>`
      )}
    </select>
  </label>`

const globe = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
  ${svg`<circle cx="8" cy="8" r="6" /><path d="M2 8h12M8 2c4 3.5 4 8.5 0 12M8 2C4 5.5 4 10.5 8 14" />`}
</svg>`
