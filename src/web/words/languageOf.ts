import { de } from "./de.ts"
import { en, type Words } from "./en.ts"

/** A language that the component speaks, by the tag that it has in HTML and in `Intl`. */
export interface Language {
  readonly tag: "en" | "de"
  readonly words: Words
}

/** The nearest language to one that was asked for: `de_AT` is German, and what nobody knows is English. */
export const languageOf = (asked: string): Language =>
  asked.trim().split(/[-_]/)[0]?.toLowerCase() === "de" ? { tag: "de", words: de } : { tag: "en", words: en }
