/** The languages of the texts for customers, by their tags in HTML and in `Intl`, each in its own words. */
export const languageNames = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ar: "العربية",
  it: "Italiano",
  "pt-BR": "Português (Brasil)",
  nl: "Nederlands",
  pl: "Polski",
  ja: "日本語"
} as const

export type LanguageTag = keyof typeof languageNames

/** Whether a text is the tag of one of our languages. */
export const isLanguageTag = (text: string): text is LanguageTag => Object.hasOwn(languageNames, text)

const tags = Object.keys(languageNames).filter(isLanguageTag)

/** The language for a requested tag: `de_AT` is German, `pt` Brazilian, an unknown one English. */
export const languageOf = (requested: string): LanguageTag => findLanguage(requested, tags) ?? "en"

/** The direction in which a language is written. */
export const directionOf = (tag: string): "ltr" | "rtl" => (tag === "ar" ? "rtl" : "ltr")

/**
 * The language of those that a browser prefers by its `Accept-Language` (RFC 9110 section 12.5.4), else English.
 */
export const negotiateLanguage = <Tag extends string>(
  acceptLanguage: string,
  among: ReadonlyArray<Tag>
): Tag | "en" => {
  const preferences = acceptLanguage.split(",").flatMap((part) => {
    const [range = "", quality = "q=1"] = part.split(";").map((piece) => piece.trim().toLowerCase())
    const tag = findLanguage(range, among)
    const weight = Number(quality.replace(/^q=/, ""))
    return tag !== undefined && weight > 0 ? [{ tag, weight }] : []
  })
  return preferences.toSorted((left, right) => right.weight - left.weight)[0]?.tag ?? "en"
}

const findLanguage = <Tag extends string>(requested: string, among: ReadonlyArray<Tag>): Tag | undefined => {
  const primary = primaryOf(requested.trim())
  return among.find((tag) => primaryOf(tag) === primary)
}

const primaryOf = (tag: string): string | undefined => tag.split(/[-_]/)[0]?.toLowerCase()
