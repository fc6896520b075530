import { variable } from "./Template.ts"

/** The values of variables, by their names. */
export type Values = Readonly<Record<string, string>>

/** Values that were found one after the other, the last one first: a search takes many of them back. */
export interface FoundValues {
  readonly name: string
  readonly value: string
  readonly before: FoundValues | undefined
}

/** A text with variables: each name stands between two fixed parts, which may be empty. */
export interface TextPattern {
  readonly parts: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

/** Parses a text with variables; those with a given value become fixed. `spell` is applied to the fixed parts. */
export const parsePattern = (text: string, given: Values = {}, spell = (part: string) => part): TextPattern => {
  const pieces = text.split(variable)
  const parsed = {
    parts: pieces.filter((_, index) => index % 2 === 0).map(spell),
    names: pieces.filter((_, index) => index % 2 === 1)
  }
  return fillIn(parsed, (name) => (Object.hasOwn(given, name) ? given[name] : undefined))
}

const fillIn = (pattern: TextPattern, valueOf: (name: string) => string | undefined): TextPattern =>
  pattern.names.every((name) => valueOf(name) === undefined)
    ? pattern
    : pattern.names.reduce<TextPattern>(
        ({ names, parts }, name, index) => {
          const value = valueOf(name)
          const after = pattern.parts[index + 1] ?? ""
          return value === undefined
            ? { names: [...names, name], parts: [...parts, after] }
            : { names, parts: [...parts.slice(0, -1), `${parts.at(-1)}${value}${after}`] }
        },
        { names: [], parts: pattern.parts.slice(0, 1) }
      )

/** The value of a variable; nothing if none was found. */
export const findValue = (found: FoundValues | undefined, name: string): string | undefined => {
  for (let each = found; each !== undefined; each = each.before) if (each.name === name) return each.value
  return undefined
}

/** The names of the values that were found after others. */
export const listNames = (found: FoundValues | undefined, before: FoundValues | undefined): ReadonlyArray<string> =>
  found === undefined || found === before ? [] : [...listNames(found.before, before), found.name]

/** The values by the names of their variables, in the order in which they were found. */
export const toValues = (found: FoundValues | undefined): Values =>
  Object.fromEntries(listNames(found, undefined).map((name) => [name, findValue(found, name) ?? ""]))

/** What is done with each finding of a search, until it returns something, and whether the search may go on. */
export interface Visitor<A> {
  readonly visit: (found: FoundValues | undefined) => A | undefined
  /** Counts what is tried; false if the search has to end. */
  readonly takeStep: () => boolean
}

/**
 * Visits all values with which a pattern is the text, one after the other. No value looks like a variable: providers
 * differ there.
 */
export const matchPattern = <A>(
  pattern: TextPattern,
  text: string,
  before: FoundValues | undefined,
  visitor: Visitor<A>
): A | undefined => {
  const { names, parts } = fillIn(pattern, (name) => findValue(before, name))
  if (!mayMatch({ names, parts }, text)) return undefined
  const [first = "", next = ""] = parts
  const [name, ...others] = names
  if (name === undefined) return visitor.visit(before)
  const rest = text.slice(first.length)
  if (others.length === 0) return visitor.visit({ name, value: rest.slice(0, rest.length - next.length), before })
  const tail = { parts: parts.slice(1), names: others }
  for (let end = rest.indexOf(next, 1); end > 0 && end < rest.length; end = rest.indexOf(next, end + 1)) {
    if (!visitor.takeStep()) return undefined
    const value = rest.slice(0, end)
    const result = isValue(value) ? matchPattern(tail, rest.slice(end), { name, value, before }, visitor) : undefined
    if (result !== undefined) return result
  }
  return undefined
}

/** Whether a text has the fixed parts of a pattern in their order, with room for the values between them. */
export const mayMatch = ({ names, parts }: TextPattern, text: string): boolean => {
  const [first = "", ...later] = parts
  if (names.length === 0) return text === first
  const last = later.at(-1) ?? ""
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  if (names.length === 1) return isValue(text.slice(first.length, end))
  const start = later
    .slice(0, -1)
    .reduce((start, part) => (start === -1 ? start : endOf(part, text.indexOf(part, start + 1))), first.length)
  return start !== -1 && end > start
}

const endOf = (part: string, start: number): number => (start === -1 ? -1 : start + part.length)

const isValue = (text: string): boolean => text !== "" && (!text.includes("%") || text.search(variable) === -1)
