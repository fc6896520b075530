import type { Words } from "./en.ts"
import type { LanguageTag } from "./languageOf.ts"

/** A language with the texts of the browser component. */
export interface Language {
  readonly tag: LanguageTag
  readonly words: Words
}

/**
 * Loads a language, or English where its texts do not come. Where neither does, it calls `onFailed` and tries again. A
 * browser may remember that a script was not there; then only a reload helps. Rejects once the signal is aborted.
 */
export const loadLanguage = async (tag: LanguageTag, onFailed: () => void, signal?: AbortSignal): Promise<Language> => {
  for (let attempt = 0; ; attempt += 1) {
    const found = (await loadOne(tag)) ?? (await loadOne("en"))
    signal?.throwIfAborted()
    if (found !== undefined) return found
    onFailed()
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(2 ** attempt, 30)))
  }
}

const loadOne = (tag: LanguageTag): Promise<Language | undefined> =>
  loadWords(tag).then(
    (words) => ({ tag, words }),
    () => undefined
  )

/** Said where no texts can be loaded: in English, which is here already. */
export const withoutTexts = "We cannot reach the service. We keep trying. If it takes long, reload the page."

/** Loads the texts of a language: each is a script of its own. */
export const loadWords = (tag: LanguageTag): Promise<Words> => loaders[tag]()

const loaders: { readonly [_ in LanguageTag]: () => Promise<Words> } = {
  en: () => import("./en.ts").then(({ en }) => en),
  de: () => import("./de.ts").then(({ de }) => de),
  fr: () => import("./fr.ts").then(({ fr }) => fr),
  es: () => import("./es.ts").then(({ es }) => es),
  ar: () => import("./ar.ts").then(({ ar }) => ar),
  it: () => import("./it.ts").then(({ it }) => it),
  "pt-BR": () => import("./pt-BR.ts").then(({ ptBR }) => ptBR),
  nl: () => import("./nl.ts").then(({ nl }) => nl),
  pl: () => import("./pl.ts").then(({ pl }) => pl),
  ja: () => import("./ja.ts").then(({ ja }) => ja)
}
