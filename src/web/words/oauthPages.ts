import type { FailureCode } from "../../domain/connection/Connection.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { negotiateLanguage } from "./languageOf.ts"

/** The text of one page. */
export interface PageText {
  readonly title: string
  readonly sentences: ReadonlyArray<string>
}

/** The access that the customer is about to allow, and the origin of the page that started it, if known. */
interface OAuthPrompt {
  readonly domain: string
  readonly provider: string
  readonly from: string | undefined
}

/** Every text of the pages before and after an OAuth provider, and of the one that replaces it in tests, in one language. */
export interface OAuthPageTexts {
  readonly confirmation: (prompt: OAuthPrompt) => PageText & { readonly goOn: string }
  readonly allowed: PageText
  /** After Domain Connect, where nobody says what came of it. */
  readonly returned: PageText
  readonly notAllowed: (outcome: FailureCode | "not_completed") => PageText
  readonly expired: PageText
  readonly unavailable: PageText
  readonly tooManyAttempts: PageText
  /** In place of the sign-in at a provider, in test mode. */
  readonly testSignIn: PageText & { readonly allow: string; readonly deny: string }
  readonly testDomainConnect: PageText & { readonly allow: string; readonly deny: string; readonly refused: PageText }
}

const english: OAuthPageTexts = {
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
  returned: {
    title: "Thank you",
    sentences: ["The DNS records are checked now, which may take some minutes. You can close this page."]
  },
  notAllowed: (outcome) => ({
    title: "Nothing was allowed",
    sentences: [
      outcome === "not_completed"
        ? "The answer of the provider did not fit, or came too late."
        : en.failures[outcome].reason,
      "Close this page, and begin again."
    ]
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
  },
  tooManyAttempts: {
    title: "Please try again in a minute",
    sentences: ["There were too many attempts from your network. Wait a minute, then load this page again."]
  },
  testSignIn: {
    title: "Test DNS: a sign-in of test mode",
    sentences: [
      "Here your customer signs in at the provider and allows the change. This is a test: no provider is asked, and no real domain changes."
    ],
    allow: "Allow",
    deny: "Deny"
  },
  testDomainConnect: {
    title: "Test Connect DNS: Domain Connect in test mode",
    sentences: [
      "Here your customer lets the provider write the records. This is a test: no provider is asked, and no real domain changes."
    ],
    allow: "Allow",
    deny: "Cancel",
    refused: {
      title: "Test Connect DNS: this link does not fit",
      sentences: [
        "The template is not among those of the application, no key of it has signed this link, or the page to return to is none of the template's."
      ]
    }
  }
}

const german: OAuthPageTexts = {
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
  returned: {
    title: "Vielen Dank",
    sentences: [
      "Die DNS-Einträge werden jetzt geprüft, was einige Minuten dauern kann. Sie können diese Seite schließen."
    ]
  },
  notAllowed: (outcome) => ({
    title: "Es wurde nichts erlaubt",
    sentences: [
      outcome === "not_completed"
        ? "Die Antwort des Anbieters passte nicht oder kam zu spät."
        : de.failures[outcome].reason,
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
  },
  tooManyAttempts: {
    title: "Bitte versuchen Sie es in einer Minute noch einmal",
    sentences: ["Aus Ihrem Netz kamen zu viele Versuche. Warten Sie eine Minute und laden Sie diese Seite dann neu."]
  },
  testSignIn: {
    title: "Test DNS: eine Anmeldung im Testmodus",
    sentences: [
      "Hier meldet sich Ihr Kunde beim Anbieter an und erlaubt die Änderung. Dies ist ein Test: Kein Anbieter wird gefragt, und keine echte Domain ändert sich."
    ],
    allow: "Erlauben",
    deny: "Ablehnen"
  },
  testDomainConnect: {
    title: "Test Connect DNS: Domain Connect im Testmodus",
    sentences: [
      "Hier lässt Ihr Kunde den Anbieter die Einträge schreiben. Dies ist ein Test: Kein Anbieter wird gefragt, und keine echte Domain ändert sich."
    ],
    allow: "Erlauben",
    deny: "Abbrechen",
    refused: {
      title: "Test Connect DNS: Dieser Link passt nicht",
      sentences: [
        "Die Vorlage gehört nicht zur Anwendung, keiner ihrer Schlüssel hat diesen Link unterschrieben, oder die Vorlage nennt die Seite nicht, zu der er zurückführt."
      ]
    }
  }
}

/** The texts in each language; the reasons of failures are those of the browser component. */
export const oauthPageTexts = { en: english, de: german } satisfies { readonly [tag: string]: OAuthPageTexts }

/** A language of these pages. */
export type PageLanguage = keyof typeof oauthPageTexts

/** The language of these pages that a browser prefers by its `Accept-Language`. */
export const negotiatePageLanguage = (acceptLanguage: string): PageLanguage =>
  negotiateLanguage(acceptLanguage, ["en", "de"] as const)
