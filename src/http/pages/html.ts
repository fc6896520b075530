/** Escapes text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

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

/** A block of code below its name. */
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

/** Marks the comments, strings, words and numbers of a language, for the style sheet; other text only escaped. */
const colourCode = (code: string, language: string): string => {
  const grammar = grammars[language]
  if (grammar === undefined) return escapeHtml(code)
  let html = ""
  let end = 0
  for (const { 0: text, groups = {}, index } of code.matchAll(grammar)) {
    const [kind = ""] = Object.entries(groups).find(([, value]) => value !== undefined) ?? []
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(text)}</span>`
    end = index + text.length
  }
  return html + escapeHtml(code.slice(end))
}

const json =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<word>\b(?:true|false|null)\b)|(?<number>-?\b\d[\d.]*\b)/g

const typescript =
  /(?<comment>\/\/.*|\/\*[^]*?\*\/)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?<word>\b(?:as|async|await|catch|class|const|else|export|extends|false|finally|for|from|function|if|import|instanceof|interface|let|new|null|of|return|satisfies|throw|true|try|type|undefined)\b(?!\s*:))|(?<number>\b\d[\d_.]*\b)/g

const shell =
  /(?<comment>(?<=^|\s)#.*)|(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<name>(?<=^|[|;&(]\s*|^\s+)(?:bun|cd|curl|docker|export|jq|npm|psql)\b)|(?<word>(?<=\s)--?[A-Za-z][\w-]*)/gm

const grammars: Readonly<Record<string, RegExp>> = { json, ts: typescript, typescript, js: typescript, sh: shell }
