import { Option } from "effect"
import { type ErrorDetail, toJsonPointer } from "./ErrorDetail.ts"

const maxDepth = 16

/**
 * Looks once through JSON text for what `JSON.parse` lets pass and nothing behind it should meet: more than 16 levels,
 * a key twice in one object, `__proto__`, NUL and lone surrogates, which PostgreSQL cannot store. Broken syntax is left
 * to the parser.
 */
export const findJsonFault = (text: string): Option.Option<ErrorDetail> => {
  const open: Array<Container> = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    const container = open.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      const fault = inString(text.slice(at, end), container)
      if (fault !== undefined) return found(fault, open)
      at = end - 1
    } else if (character === "{" || character === "[") {
      if (open.length === maxDepth) return found(tooDeep, open)
      open.push(character === "{" ? { keys: new Set(), key: undefined } : { keys: undefined, key: 0 })
    } else if (character === "}" || character === "]") {
      open.pop()
    } else if (character === "," && container !== undefined) {
      container.key = container.keys === undefined ? Number(container.key) + 1 : undefined
    }
  }
  return Option.none()
}

/** An object or array that is being read: `key` is the place inside it, absent where an object's key comes next. */
interface Container {
  readonly keys: Set<string> | undefined
  key: string | number | undefined
}

interface Fault {
  readonly code: string
  readonly message: string
}

const tooDeep: Fault = { code: "nested_too_deeply", message: `at most ${maxDepth} levels of nesting are allowed` }

const found = (fault: Fault, open: ReadonlyArray<Container>): Option.Option<ErrorDetail> =>
  Option.some({ pointer: toJsonPointer(open.flatMap(({ key }) => (key === undefined ? [] : [key]))), ...fault })

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

const inString = (quoted: string, container: Container | undefined): Fault | undefined => {
  const value = unescaped(quoted)
  const isKey = container?.keys !== undefined && container.key === undefined
  if (isKey) container.key = value
  if (value.includes("\u0000")) return { code: "nul_character", message: "U+0000 cannot be stored" }
  if (!value.isWellFormed()) return { code: "lone_surrogate", message: "a surrogate without its pair is no character" }
  if (!isKey) return undefined
  if (value === "__proto__")
    return { code: "forbidden_key", message: "this key has a meaning of its own in JavaScript" }
  if (container.keys.has(value)) return { code: "duplicate_key", message: "the key stands twice in this object" }
  container.keys.add(value)
  return undefined
}

const escapes: { readonly [letter: string]: string } = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

const unescaped = (quoted: string): string => {
  const inner = quoted.slice(1, -1)
  return inner.includes("\\")
    ? inner.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, hex: string | undefined, letter: string) =>
        hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16))
      )
    : inner
}
