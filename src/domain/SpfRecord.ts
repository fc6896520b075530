import { Array, Option } from "effect"
import {
  hasMacro,
  isAll,
  isDirective,
  isModifier,
  normalTerm,
  onceOnlyModifiers,
  parseTerm,
  type SpfDirective,
  type SpfMalformed,
  type SpfModifier,
  type SpfTerm
} from "./SpfTerm.ts"

/** Whether receivers take the text for an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/** The terms of an SPF record in order. */
export const parseSpf = (text: string): ReadonlyArray<SpfTerm> => termsBetween(text, " ")

/** The terms of a broken SPF record that parse, whatever kind of white space is between them. */
export const salvageSpf = (text: string): ReadonlyArray<SpfDirective | SpfModifier> =>
  termsBetween(text, /\s+/).filter((term) => term._tag !== "Malformed")

/** The record of these terms, each as it is written. */
export const formatSpf = (terms: ReadonlyArray<SpfTerm>): string =>
  [version, ...terms.map(({ text }) => text)].join(" ")

/** Equal for records that differ in spelling and spacing only. */
export const normalSpf = (terms: ReadonlyArray<SpfTerm>): string => [version, ...terms.map(normalTerm)].join(" ")

/** The mechanisms that are evaluated: those before `all`. */
export const liveDirectives = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfDirective> =>
  Array.takeWhile(terms, (term) => !isAll(term)).filter(isDirective)

/** What decides where no mechanism matches: `all`, else `redirect=`, else nothing, which is neutral (section 4.7). */
export const terminalOf = (terms: ReadonlyArray<SpfTerm>): SpfDirective | SpfModifier | undefined =>
  terms.find(isAll) ?? terms.filter(isModifier).find(({ name }) => name === "redirect")

/** Whether receivers give up on the record (RFC 7208 sections 4.6 and 6). */
export const isBrokenSpf = (terms: ReadonlyArray<SpfTerm>): boolean =>
  Option.isSome(firstMalformed(terms)) || Option.isSome(firstRepeated(terms))

/** The absolute names whose addresses an SPF record at `name` allows to send by `a`; of macros, `%{d}` is known. */
export const spfSenders = (value: string, name: string): ReadonlyArray<string> => [
  ...new Set(
    (mayHaveA.test(value) ? liveDirectives(parseSpf(value)) : [])
      .filter((term) => term.name === "a")
      .map(({ target }) => target.replaceAll(/%\{d\}/gi, name) || name)
      .filter((target) => !hasMacro(target))
  )
]

/** Cheap to ask of a record with thousands of other terms. */
const mayHaveA = / [-+?~]?a(?=[ :/]|$)/i

/** The first term that is none. */
export const firstMalformed = (terms: ReadonlyArray<SpfTerm>): Option.Option<SpfMalformed> =>
  Array.findFirst(terms, (term) => term._tag === "Malformed")

/** The first modifier that is there once too often. */
export const firstRepeated = (terms: ReadonlyArray<SpfTerm>): Option.Option<SpfModifier> =>
  Array.findFirst(onceOnlyModifiers, (name) =>
    Array.get(
      terms.filter(isModifier).filter((term) => term.name === name),
      1
    )
  )

const version = "v=spf1"

const termsBetween = (text: string, separator: string | RegExp): ReadonlyArray<SpfTerm> =>
  text
    .slice(version.length)
    .split(separator)
    .filter((term) => term !== "")
    .map(parseTerm)
