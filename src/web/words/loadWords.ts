import type { Words } from "./en.ts"
import type { LanguageTag } from "./languageOf.ts"

/** A language with the texts of the browser component. */
export interface Language {
  readonly tag: LanguageTag
  readonly words: Words
}

/** Loads a language, or English where its texts do not come; repeats that until one of them does. */
export const loadLanguage = async (tag: LanguageTag): Promise<Language> => {
  const found = (await loadOne(tag)) ?? (await loadOne("en"))
  if (found !== undefined) return found
  await new Promise((resolve) => setTimeout(resolve, retryMillis))
  return loadLanguage(tag)
}

const retryMillis = 2_000

const loadOne = (tag: LanguageTag): Promise<Language | undefined> =>
  loadWords(tag).then(
    (words) => ({ tag, words }),
    () => undefined
  )

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
