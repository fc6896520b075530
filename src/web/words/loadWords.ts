import { en, type Words } from "./en.ts"
import type { LanguageTag } from "./languageOf.ts"

/** Loads the texts of a language: each but English is a script of its own, which is loaded when a customer needs it. */
export const loadWords = (tag: LanguageTag): Promise<Words> => loaders[tag]()

const loaders: { readonly [_ in LanguageTag]: () => Promise<Words> } = {
  en: () => Promise.resolve(en),
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
