import { HttpServerResponse } from "@effect/platform"
import { createHash } from "node:crypto"
import type { PageLanguage, PageText } from "../../web/words/oauthPages.ts"
import { escapeHtml } from "./html.ts"

/** A page that a customer reads before or after an OAuth provider. */
export interface CustomerPage extends PageText {
  readonly status: number
  readonly language: PageLanguage
  readonly links?: ReadonlyArray<{ readonly url: string; readonly text: string }>
}

/** Responds with an HTML page that has no script and that no other page can put into a frame. */
export const respondWithPage = ({ language, links = [], sentences, status, title }: CustomerPage) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>` +
      sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join("") +
      links.map(({ text, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`).join("") +
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

/** The URL of the page may contain a secret that the next page must not see. */
export const noReferrer = { "referrer-policy": "no-referrer" }

const style =
  ":root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;margin:10vh auto;max-width:34rem;padding:0 1rem}"

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")
