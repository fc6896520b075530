import { Array, Option } from "effect"
import {
  hasMacro,
  isAll,
  isDirective,
  isModifier,
  normalizeTerm,
  parseTerm,
  singletonModifiers,
  type SpfDirective,
  type SpfMalformed,
  type SpfModifier,
  type SpfTerm
} from "./SpfTerm.ts"

/** Whether receivers treat the text as an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/** Parses the terms of the SPF record at `name`, in order. */
export const parseSpf = (text: string, name: string): ReadonlyArray<SpfTerm> => termsBetween(" ", text, name)

/** Parses the valid terms of a broken SPF record at `name`, with any white space between them. */
export const parseValidTerms = (text: string, name: string): ReadonlyArray<SpfDirective | SpfModifier> =>
  termsBetween(/\s+/, text, name).filter((term) => term._tag !== "Malformed")

/** Formats terms as a record, each as it was written. */
export const formatSpf = (terms: ReadonlyArray<SpfTerm>): string =>
  [version, ...terms.map(({ text }) => text)].join(" ")

/** A canonical form, equal for records that differ only in spelling and spacing. */
export const normalizeSpf = (terms: ReadonlyArray<SpfTerm>): string => [version, ...terms.map(normalizeTerm)].join(" ")

/** The mechanisms that are evaluated: those before `all`. */
export const selectEvaluatedDirectives = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfDirective> =>
  Array.takeWhile(terms, (term) => !isAll(term)).filter(isDirective)

/** The term that decides without a match: `all`, else `redirect=`, else none, which is neutral (section 4.7). */
export const findDefaultTerm = (terms: ReadonlyArray<SpfTerm>): SpfDirective | SpfModifier | undefined =>
  terms.find(isAll) ?? terms.filter(isModifier).find(({ name }) => name === "redirect")

/** Whether an SPF record lists senders whom it does not reject, itself or by another one. */
export const permitsSenders = (value: string): boolean => {
  const terms = parseSpf(value, anyName)
  const terminal = findDefaultTerm(terms)
  return (
    selectEvaluatedDirectives(terms).some(({ qualifier }) => qualifier !== "-") ||
    (terminal !== undefined && isModifier(terminal))
  )
}

/** Whether receivers reject the record as a whole (RFC 7208 sections 4.6 and 6). */
export const isInvalidSpf = (terms: ReadonlyArray<SpfTerm>): boolean =>
  Option.isSome(findMalformedTerm(terms)) || Option.isSome(findRepeatedModifier(terms))

/** The absolute names in the `a` and `exists` mechanisms of an SPF record at `name`; of macros only `%{d}` is expanded. */
export const listSpfAddressNames = (value: string, name: string): ReadonlyArray<string> => [
  ...new Set(
    (mayHaveAddress.test(value) ? selectEvaluatedDirectives(parseSpf(value, name)) : [])
      .filter((term) => term.name === "a" || term.name === "exists")
      .map(({ target }) => target.replaceAll(/%\{d\}/gi, name) || name)
      .filter((target) => !hasMacro(target))
  )
]

/** The absolute names of the policies that an SPF record includes or redirects to, without macros. */
export const listSpfPolicyNames = (value: string): ReadonlyArray<string> => [
  ...new Set(listSpfReferences(value).map(({ target }) => target))
]

/** Another policy that an SPF record uses; `permits` is true if senders that it accepts are accepted here. */
interface SpfReference {
  readonly target: string
  readonly permits: boolean
}

/** The policies that an SPF record includes or redirects to, without macros. */
export const listSpfReferences = (value: string): ReadonlyArray<SpfReference> =>
  (mayHavePolicy.test(value) ? parseSpf(value, anyName) : [])
    .flatMap((term): ReadonlyArray<SpfReference> => {
      if (isDirective(term))
        return term.name === "include" ? [{ target: term.target, permits: term.qualifier === "+" }] : []
      return isModifier(term) && term.name === "redirect" ? [{ target: term.target, permits: true }] : []
    })
    .filter(({ target }) => !hasMacro(target))

/** Whether a text is an SPF record that includes or redirects to another policy. */
export const usesOtherSpf = (value: string): boolean => isSpf(value) && mayHavePolicy.test(value)

/** Cheap tests for records with thousands of other terms. */
const mayHavePolicy = / ([-+?~]?include:|redirect=)/i
const mayHaveAddress = / [-+?~]?(a(?=[ :/]|$)|exists:)/i

export const findMalformedTerm = (terms: ReadonlyArray<SpfTerm>): Option.Option<SpfMalformed> =>
  Array.findFirst(terms, (term) => term._tag === "Malformed")

export const findRepeatedModifier = (terms: ReadonlyArray<SpfTerm>): Option.Option<SpfModifier> =>
  Array.findFirst(singletonModifiers, (name) =>
    Array.get(
      terms.filter(isModifier).filter((term) => term.name === name),
      1
    )
  )

const version = "v=spf1"

/** Stands for the name of a record whose terms are not compared. */
const anyName = ""

const termsBetween = (separator: string | RegExp, text: string, name: string): ReadonlyArray<SpfTerm> =>
  text
    .slice(version.length)
    .split(separator)
    .filter((term) => term !== "")
    .map((term) => parseTerm(term, name))
