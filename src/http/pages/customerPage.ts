import { HttpServerResponse } from "@effect/platform"
import { createHash } from "node:crypto"
import type { LanguageTag } from "../../web/words/languageOf.ts"
import type { PageText } from "../../web/words/oauthPages.ts"

/** A page that a customer reads before or after an OAuth provider. */
export interface CustomerPage extends PageText {
  readonly status: number
  readonly language: LanguageTag
  readonly link?: { readonly url: string; readonly text: string }
}

/** Responds with an HTML page that has no script and that no other page can put into a frame. */
export const customerPage = ({ language, link, sentences, status, title }: CustomerPage) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${escaped(title)}</title><style>${style}</style></head><body><main><h1>${escaped(title)}</h1>` +
      sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join("") +
      (link === undefined ? "" : `<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`) +
      `</main></body></html>`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": policy,
        "content-language": language,
        vary: "Accept-Language",
        ...noReferrer
      }
    }
  )

/** Redirects a browser to a URL outside this service. */
export const redirectTo = (url: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location: url, ...noReferrer } })

/** The URL of the page may contain a secret that the next page must not see. */
const noReferrer = { "referrer-policy": "no-referrer" }

const style =
  ":root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;margin:10vh auto;max-width:34rem;padding:0 1rem}"

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
