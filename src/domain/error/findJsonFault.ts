import { Option } from "effect"
import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import { type ErrorDetail, toJsonPointer, type ValueIssue } from "./ErrorDetail.ts"

const maxDepth = 16

/** Where text stops being JSON, in words with the line and column, for a text that `JSON.parse` refuses. */
export const describeJsonSyntaxError = (text: string): string => {
  if (text.trim() === "") return "is empty"
  const errors: Array<ParseError> = []
  parseTree(text, errors, { allowTrailingComma: false, disallowComments: true })
  const [error] = errors
  if (error === undefined) return "is not well-formed JSON"
  const before = text.slice(0, error.offset).split("\n")
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
  return `is not well-formed JSON: ${place}: ${syntaxErrors[printParseErrorCode(error.error)] ?? "a character that JSON does not allow there"}`
}

const syntaxErrors: { readonly [name: string]: string } = {
  InvalidSymbol: "a word or character that JSON does not know; names and strings need double quotes",
  InvalidNumberFormat: "a number that is not written as in JSON",
  PropertyNameExpected: "a name in double quotes is expected, and no comma may stand before it",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing brace is expected",
  CloseBracketExpected: "a closing bracket is expected",
  EndOfFileExpected: "the text should have ended",
  InvalidCommentToken: "a comment, which JSON has not",
  UnexpectedEndOfComment: "a comment, which JSON has not",
  UnexpectedEndOfString: "a string that does not end on its line",
  InvalidUnicode: "an escape that is not `\\u` and four hexadecimal digits",
  InvalidEscapeCharacter: "an escape that JSON does not know",
  InvalidCharacter: "a control character that must be escaped"
}

/** No schema of a request has as many fields in one object. */
const maxFields = 100

/**
 * Finds the first fault in JSON text that `JSON.parse` accepts: more than 16 levels, more than 100 fields or a repeated
 * key in one object, `__proto__`, and NUL and lone surrogates, which PostgreSQL cannot store. Skips `allowedFaults`.
 */
export const findJsonFault = (
  text: string,
  allowedFaults: ReadonlySet<string> = new Set()
): Option.Option<ErrorDetail> => {
  const open: Array<Container> = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    const container = open.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      const fault = findStringFault(text.slice(at, end), container, allowedFaults)
      if (fault !== undefined) return detailAt(fault, open)
      at = end - 1
    } else if (character === "{" || character === "[") {
      if (open.length === maxDepth) return detailAt(tooDeep, open)
      open.push(character === "{" ? { keys: new Set(), key: undefined } : { keys: undefined, key: 0 })
    } else if (character === "}" || character === "]") {
      open.pop()
    } else if (character === "," && container !== undefined) {
      container.key = container.keys === undefined ? Number(container.key) + 1 : undefined
    }
  }
  return Option.none()
}

/** An object or array that is being scanned: `key` is the current place in it, absent if a key comes next. */
interface Container {
  readonly keys: Set<string> | undefined
  key: string | number | undefined
}

const tooDeep: ValueIssue = { code: "nested_too_deeply", message: `at most ${maxDepth} levels of nesting are allowed` }

const detailAt = (fault: ValueIssue, open: ReadonlyArray<Container>): Option.Option<ErrorDetail> =>
  Option.some({ pointer: toJsonPointer(open.flatMap(({ key }) => (key === undefined ? [] : [key]))), ...fault })

/** Skips to the quotes: strings are most of a large text, and its other characters need no look. */
const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  return text.length
}

/** Finds the fault of a string, and counts it among the keys of its object if it is one. */
const findStringFault = (
  quoted: string,
  container: Container | undefined,
  allowedFaults: ReadonlySet<string>
): ValueIssue | undefined => {
  const value = unescape(quoted)
  const isKey = container?.keys !== undefined && container.key === undefined
  const faults = [findCharacterFault(value), isKey ? findKeyFault(value, container.keys) : undefined]
  if (isKey) {
    container.key = value
    container.keys.add(value)
  }
  return faults.find((fault) => fault !== undefined && !allowedFaults.has(fault.code))
}

const findCharacterFault = (value: string): ValueIssue | undefined => {
  if (value.includes("\u0000"))
    return { code: "nul_character", message: "the text has the character U+0000, which cannot be stored" }
  if (!value.isWellFormed())
    return { code: "lone_surrogate", message: "the text has half of a character: a surrogate without its other half" }
  return undefined
}

const findKeyFault = (key: string, keys: ReadonlySet<string>): ValueIssue | undefined => {
  if (key === "__proto__") return { code: "forbidden_key", message: "this key has a meaning of its own in JavaScript" }
  if (keys.has(key)) return { code: "duplicate_key", message: "the key stands twice in this object" }
  if (keys.size >= maxFields)
    return { code: "too_many_fields", message: `an object may have at most ${maxFields} fields` }
  return undefined
}

const escapes: { readonly [letter: string]: string } = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

const unescape = (quoted: string): string => {
  const inner = quoted.slice(1, -1)
  return inner.includes("\\")
    ? inner.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, hex: string | undefined, letter: string) =>
        hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16))
      )
    : inner
}
