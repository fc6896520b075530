import type { LongComputation } from "../runtime/LongComputation.ts"

/** A JSON text with the elements of one of its arrays removed. */
interface SplitJson {
  /** The text with that array empty. */
  readonly rest: string
  /** The member that the array is, as the text has it; empty if the array is the whole text. */
  readonly key: string
  /** The elements, in parts of whole elements, each the inside of a JSON array. */
  readonly parts: ReadonlyArray<string>
}

/**
 * Splits a JSON object's text at the elements of its array `key`, in parts of about `partLength` characters; without `key`
 * the text itself, or the first member with several parts. Undefined if the array does not end or has an empty element;
 * whether parts are JSON, only parsing tells. Parsed whole, 10 MB stop the process for half a second.
 */
export function* splitJsonArray(
  text: string,
  key: string | undefined,
  partLength = 32_768
): LongComputation<SplitJson | undefined> {
  const bounds: Array<number> = []
  let [depth, start, end, steps] = [0, -1, -1, 0]
  let lastString = ""
  let arrayKey = ""
  const isList = key === undefined && text.trimStart().startsWith("[")
  const arrayDepth = isList ? 1 : 2
  for (let index = 0; index < text.length && end < 0; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      const close = findStringEnd(text, index)
      if (close < 0) return undefined
      // Only at the depth of the members of the object can a string be the key.
      if (depth === 1) lastString = text.slice(index + 1, close)
      index = close
    } else if (code === openBracket || code === openBrace) {
      depth += 1
      if (code === openBracket && depth === arrayDepth && start < 0 && (key === undefined || lastString === key)) {
        start = index + 1
        arrayKey = lastString
      }
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1
      if (depth === arrayDepth - 1 && start >= 0) {
        if (key === undefined && !isList && bounds.length === 0) start = -1
        else end = index
      }
    } else if (code === comma && depth === 1 && !isList) {
      lastString = ""
    } else if (code === comma && depth === arrayDepth && start >= 0 && index - (bounds.at(-1) ?? start) >= partLength) {
      bounds.push(index)
    }
    steps += 1
    if (steps % stepsPerPart === 0) yield
  }
  if (start < 0) return { rest: text, key: "", parts: [] }
  if (end < 0) return undefined
  const edges = [start - 1, ...bounds, end]
  const parts = edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge))
  const isEmpty = parts.length === 1 && parts[0]?.trim() === ""
  if (!isEmpty && parts.some((part) => part.trim() === "")) return undefined
  return { rest: text.slice(0, start) + text.slice(end), key: arrayKey, parts: isEmpty ? [] : parts }
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket] = [0x5b, 0x5d]
const [openBrace, closeBrace] = [0x7b, 0x7d]

/** Each takes some tens of nanoseconds. */
const stepsPerPart = 4_096

/** The index of the quote that ends the string that begins at `open`; -1 if none does. */
const findStringEnd = (text: string, open: number): number => {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

/** Whether an odd number of backslashes precedes the character. */
const isEscaped = (text: string, index: number): boolean => {
  let first = index
  while (text.charCodeAt(first - 1) === backslash) first -= 1
  return (index - first) % 2 === 1
}
