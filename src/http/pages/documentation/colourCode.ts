import { escapeHtml } from "../escapeHtml.ts"

/** Marks the comments, strings, words and numbers of a language, for the style sheet; other text only escaped. */
export const colourCode = (code: string, language: string): string => {
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
