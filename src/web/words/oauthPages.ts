import type { FailureCode } from "../../domain/Connection.ts"

/** What a customer reads on a page of ours. */
export interface PageText {
  readonly title: string
  readonly sentences: ReadonlyArray<string>
}

/** What is about to be allowed, and on which page that was begun, if anybody knows. */
export interface OAuthPrompt {
  readonly domain: string
  readonly provider: string
  readonly from: string | undefined
}

/** Every text of the pages between a provider and the page that a customer came from, in one language. */
export interface OAuthPageTexts {
  readonly confirmation: (request: OAuthPrompt) => PageText & { readonly goOn: string }
  readonly allowed: PageText
  readonly notAllowed: (outcome: FailureCode | "not_completed") => PageText
  readonly expired: PageText
  readonly unavailable: PageText
}

type Reasons = { readonly [_ in FailureCode | "not_completed"]?: string }

const reasonsInEnglish: Reasons = {
  authorization_denied: "You did not allow the changes at the provider.",
  authorization_expired: "It took too long.",
  authorization_insufficient_scope: "The provider allowed less than is needed.",
  not_completed: "The answer of the provider did not fit, or came too late."
}

const en: OAuthPageTexts = {
  confirmation: ({ domain, from, provider }) => ({
    title: `Allow changes to ${domain}?`,
    sentences: [
      `You are about to sign in to ${provider} and to allow the DNS records of ${domain} to be changed.`,
      `Go on only if you have just asked for this yourself${from === undefined ? "" : `, at ${from}`}.`,
      "If somebody sent you here by a link, close this page."
    ],
    goOn: `Go on to ${provider}`
  }),
  allowed: { title: "Thank you", sentences: ["You have allowed the changes. You can close this page now."] },
  notAllowed: (outcome) => ({
    title: "Nothing was allowed",
    sentences: [reasonsInEnglish[outcome] ?? "The provider could not be asked.", "Close this page, and begin again."]
  }),
  expired: {
    title: "This page is no longer good",
    sentences: [
      "It was used before, is too old, or was begun in another browser. Nothing was changed.",
      "Close this page, and begin again where you came from."
    ]
  },
  unavailable: {
    title: "Please try again",
    sentences: ["The service cannot be reached for the moment. Go back where you came from, and begin again shortly."]
  }
}

const reasonsInGerman: Reasons = {
  authorization_denied: "Sie haben die Änderungen beim Anbieter nicht erlaubt.",
  authorization_expired: "Es hat zu lange gedauert.",
  authorization_insufficient_scope: "Der Anbieter hat weniger erlaubt, als nötig ist.",
  not_completed: "Die Antwort des Anbieters passte nicht oder kam zu spät."
}

const de: OAuthPageTexts = {
  confirmation: ({ domain, from, provider }) => ({
    title: `Änderungen an ${domain} erlauben?`,
    sentences: [
      `Sie melden sich jetzt bei ${provider} an und erlauben, dass die DNS-Einträge von ${domain} geändert werden.`,
      `Gehen Sie nur weiter, wenn Sie das eben selbst${from === undefined ? "" : ` auf ${from}`} begonnen haben.`,
      "Wenn Ihnen jemand einen Link hierher geschickt hat, schließen Sie diese Seite."
    ],
    goOn: `Weiter zu ${provider}`
  }),
  allowed: {
    title: "Vielen Dank",
    sentences: ["Sie haben die Änderungen erlaubt. Sie können diese Seite jetzt schließen."]
  },
  notAllowed: (outcome) => ({
    title: "Es wurde nichts erlaubt",
    sentences: [
      reasonsInGerman[outcome] ?? "Der Anbieter konnte nicht gefragt werden.",
      "Schließen Sie diese Seite und beginnen Sie noch einmal."
    ]
  }),
  expired: {
    title: "Diese Seite gilt nicht mehr",
    sentences: [
      "Sie wurde schon benutzt, ist zu alt oder wurde in einem anderen Browser begonnen. Es wurde nichts geändert.",
      "Schließen Sie diese Seite und beginnen Sie dort noch einmal, wo Sie herkommen."
    ]
  },
  unavailable: {
    title: "Bitte versuchen Sie es noch einmal",
    sentences: [
      "Der Dienst ist im Moment nicht erreichbar. Gehen Sie dorthin zurück, wo Sie herkommen, und beginnen Sie gleich noch einmal."
    ]
  }
}

/** The words of each language that we speak, English for everybody else. */
export const oauthPageTexts = { en, de }

export type LanguageTag = keyof typeof oauthPageTexts

/** The language of ours that a browser likes best, by its `Accept-Language` (RFC 9110 section 12.5.4). */
export const negotiateLanguage = (accepted: string): LanguageTag => {
  const wanted = accepted.split(",").map((part) => {
    const [range = "", quality = "q=1"] = part.split(";").map((piece) => piece.trim().toLowerCase())
    return { language: range.split("-")[0] ?? "", quality: Number(quality.replace(/^q=/, "")) }
  })
  const known = wanted.filter(({ language, quality }) => Object.hasOwn(oauthPageTexts, language) && quality > 0)
  return known.toSorted((one, other) => other.quality - one.quality)[0]?.language === "de" ? "de" : "en"
}
