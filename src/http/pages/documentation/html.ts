import { escapeHtml } from "../escapeHtml.ts"
import { colourCode } from "./colourCode.ts"

/** Text in which backticks mark code. */
export const renderProse = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

/** Such a text as paragraphs, which blank lines separate. */
export const renderParagraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => `<p>${renderProse(paragraph)}</p>`)
    .join("")

/** A block of code, coloured where the language is known; it scrolls by keyboard too. */
export const renderCode = (code: string, language: string, label: string): string =>
  `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${colourCode(code, language)}</code></pre>`

/** A block of code below the name of what it is. */
export const renderExample = (label: string, code: string, language: string): string =>
  `<figure class="example"><figcaption>${label}</figcaption>${renderCode(code, language, stripTags(label))}</figure>`

const stripTags = (html: string): string => html.replaceAll(/<[^>]+>/g, "")

/** The anchor that GitHub gives to a heading: lower case, without punctuation, hyphens for spaces. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")
