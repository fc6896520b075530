import { de } from "./de.ts"
import { en, type Words } from "./en.ts"

/** A language of the texts for customers, by its tag in HTML and in `Intl`. */
export type LanguageTag = "en" | "de"

/** A language with the texts of the browser component. */
export interface Language {
  readonly tag: LanguageTag
  readonly words: Words
}

const english: Language = { tag: "en", words: en }

const languages: ReadonlyArray<Language> = [english, { tag: "de", words: de }]

/** The language for a requested tag: `de_AT` is German, an unknown one English. */
export const languageOf = (requested: string): Language => findSupportedLanguage(requested) ?? english

/** The supported language that a browser prefers by its `Accept-Language` (RFC 9110 section 12.5.4), else English. */
export const negotiateLanguage = (acceptLanguage: string): LanguageTag => {
  const preferences = acceptLanguage.split(",").flatMap((part) => {
    const [range = "", quality = "q=1"] = part.split(";").map((piece) => piece.trim().toLowerCase())
    const language = findSupportedLanguage(range)
    const weight = Number(quality.replace(/^q=/, ""))
    return language !== undefined && weight > 0 ? [{ tag: language.tag, weight }] : []
  })
  return preferences.toSorted((left, right) => right.weight - left.weight)[0]?.tag ?? "en"
}

const findSupportedLanguage = (requested: string): Language | undefined => {
  const primary = requested.trim().split(/[-_]/)[0]?.toLowerCase()
  return languages.find(({ tag }) => tag === primary)
}
