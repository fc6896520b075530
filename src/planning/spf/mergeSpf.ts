import { Array } from "effect"
import { findDefaultTerm, isSpf, selectEvaluatedDirectives } from "../../domain/records/SpfRecord.ts"
import {
  isAll,
  isDirective,
  isModifier,
  normalizeTerm,
  parseTerm,
  replaceQualifier,
  type SpfDirective,
  type SpfModifier,
  spfQualifiers,
  type SpfTerm
} from "../../domain/records/SpfTerm.ts"

/**
 * Merges mechanisms into the existing record, after the last one that is evaluated. One with a more restrictive
 * qualifier stays in its place with the less restrictive one. What the record redirects to is permitted by that.
 */
export const mergeSpf = (
  existing: ReadonlyArray<SpfTerm>,
  added: ReadonlyArray<SpfDirective>
): ReadonlyArray<SpfTerm> => {
  const desired = new Map(withLoosestQualifiers(added).map((directive) => [directive.identity, directive]))
  const [evaluated, rest] = Array.span(existing, (term) => !isAll(term))
  const present = Map.groupBy(evaluated.filter(isDirective), ({ identity }) => identity)
  const kept = evaluated.flatMap((term): ReadonlyArray<SpfTerm> => {
    if (!isDirective(term)) return [term]
    const [first = term] = present.get(term.identity) ?? []
    const loosened = withLooserQualifier(first, desired.get(term.identity) ?? first)
    if (loosened === first) return [term]
    return term === first ? [loosened] : []
  })
  const end = kept.findLastIndex(isDirective) + 1
  const terminal = findDefaultTerm(existing)
  const redirected = terminal !== undefined && isModifier(terminal) ? includeOf(terminal).identity : undefined
  const missing = [...desired.values()].filter(({ identity }) => !present.has(identity) && identity !== redirected)
  return [...kept.slice(0, end), ...missing, ...kept.slice(end), ...rest]
}

/** The directives that a record contributes to one that ends in `terminal`; another redirect becomes an `include`. */
export const selectPermittedDirectives = (
  terms: ReadonlyArray<SpfTerm>,
  terminal: ReturnType<typeof findDefaultTerm>
): ReadonlyArray<SpfDirective> => {
  const ownTerminal = findDefaultTerm(terms)
  const isOtherRedirect =
    ownTerminal !== undefined && isModifier(ownTerminal) && ownTerminal.identity !== terminal?.identity
  return dedupeByIdentity([...selectEvaluatedDirectives(terms), ...(isOtherRedirect ? [includeOf(ownTerminal)] : [])])
}

/** Leaves out directives that treat a sender worse than the existing end does, before which they would stand. */
export const withoutRestrictions = (
  added: ReadonlyArray<SpfDirective>,
  existing: ReadonlyArray<SpfTerm>
): ReadonlyArray<SpfDirective> => {
  const terminal = findDefaultTerm(existing)
  const atEnd = terminal === undefined ? "?" : isModifier(terminal) ? "+" : terminal.qualifier
  const present = new Set(existing.filter(isDirective).map(({ identity }) => identity))
  return added.filter(
    ({ identity, qualifier }) =>
      present.has(identity) || spfQualifiers.indexOf(qualifier) <= spfQualifiers.indexOf(atEnd)
  )
}

/** Keeps the first of the terms that differ only in their qualifiers: in one record the others never decide. */
export const dedupeByIdentity = <T extends { readonly identity: string }>(terms: ReadonlyArray<T>): ReadonlyArray<T> =>
  [...Map.groupBy(terms, ({ identity }) => identity).values()].flatMap((same) => same.slice(0, 1))

/** The record with each evaluated mechanism once: the first one decides. */
export const withoutRepetitions = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfTerm> => {
  const evaluated = selectEvaluatedDirectives(terms)
  const decisive = new Set<SpfTerm>(dedupeByIdentity(evaluated))
  const repeated = new Set<SpfTerm>(evaluated.filter((directive) => !decisive.has(directive)))
  return repeated.size === 0 ? terms : terms.filter((term) => !repeated.has(term))
}

/** Each mechanism once, in its first place, with the least restrictive of its qualifiers. */
const withLoosestQualifiers = (directives: ReadonlyArray<SpfDirective>): ReadonlyArray<SpfDirective> =>
  [...Map.groupBy(directives, ({ identity }) => identity).values()].map((same) => same.reduce(withLooserQualifier))

const withLooserQualifier = (one: SpfDirective, other: SpfDirective): SpfDirective =>
  spfQualifiers.indexOf(other.qualifier) < spfQualifiers.indexOf(one.qualifier)
    ? replaceQualifier(one, other.qualifier)
    : one

/** The mechanism that permits the senders of the policy that a redirect leads to. */
export const includeOf = ({ target, text }: SpfModifier): SpfDirective => ({
  _tag: "Directive",
  text: text.replace(/^redirect=/i, "include:"),
  name: "include",
  qualifier: "+",
  target,
  identity: `include:${target}`
})

/** Whether the only difference between two SPF records of a name is that the later one has more mechanisms. */
export const isSpfAddition = (name: string, before: string, after: string): boolean => {
  if (!isSpf(before) || !isSpf(after)) return false
  const wordsBefore = wordsOf(before)
  const added: Array<string> = []
  const foundCount = wordsOf(after).reduce((count, word) => {
    const next = wordsBefore[count]
    if (next !== undefined && isSameTerm(name, next, word)) return count + 1
    added.push(word)
    return count
  }, 0)
  return foundCount === wordsBefore.length && added.every(isMechanism)
}

/** The terms after the version, as they are written. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(" ")
    .slice(1)
    .filter((word) => word !== "")

/** A record may have thousands of terms, so that equal words are not parsed. */
const isSameTerm = (name: string, one: string, other: string): boolean =>
  one === other || normalizeTerm(parseTerm(one, name)) === normalizeTerm(parseTerm(other, name))

const isMechanism = (word: string): boolean => {
  const term = parseTerm(word, "")
  return isDirective(term) && !isAll(term)
}
