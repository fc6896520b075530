/**
 * Whether a source declares a test or a group of tests with this title: as a text, or as a template whose gaps the title
 * fills. Texts elsewhere in the source count too; a template must have at least eight characters of its own.
 */
export const isTitleIn = (source: string, title: string): boolean =>
  [...source.matchAll(literal)].some(([text]) =>
    text.startsWith("`") ? templateFits(text.slice(1, -1), title) : readText(text) === title
  )

/** A text in single or double quotes on one line, or a template. */
const literal = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g

const readText = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, "$1")

const templateFits = (template: string, title: string): boolean => {
  const parts = template.split(/\$\{[^}]*\}/).map(readPart)
  if (parts.join("").length < 8) return false
  return new RegExp(`^${parts.map(RegExp.escape).join(".+")}$`, "s").test(title)
}

const readPart = (part: string): string => part.replaceAll(/\\(.)/g, "$1")
