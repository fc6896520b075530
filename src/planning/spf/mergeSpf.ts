import { Array } from "effect"
import { defaultTerm, evaluatedDirectives, isSpf } from "../../domain/SpfRecord.ts"
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
} from "../../domain/SpfTerm.ts"

/**
 * Adds the mechanisms that are not there yet behind the last one that counts, so in front of the terminal part. One
 * that is there with a more restrictive qualifier is kept once, with the less restrictive, in its place.
 */
export const mergeSpf = (base: ReadonlyArray<SpfTerm>, added: ReadonlyArray<SpfDirective>): ReadonlyArray<SpfTerm> => {
  const wanted = new Map(eachOnce(added).map((directive) => [directive.identity, directive]))
  const [live, rest] = Array.span(base, (term) => !isAll(term))
  const present = Map.groupBy(live.filter(isDirective), ({ identity }) => identity)
  const kept = live.flatMap((term): ReadonlyArray<SpfTerm> => {
    if (!isDirective(term)) return [term]
    const [first = term] = present.get(term.identity) ?? []
    const raised = loosened(first, wanted.get(term.identity) ?? first)
    if (raised === first) return [term]
    return term === first ? [raised] : []
  })
  const end = kept.findLastIndex(isDirective) + 1
  const fresh = [...wanted.values()].filter(({ identity }) => !present.has(identity))
  return [...kept.slice(0, end), ...fresh, ...kept.slice(end), ...rest]
}

/** What a record permits beside another that ends in `terminal`: a redirect to elsewhere becomes an `include`. */
export const permittedDirectives = (
  terms: ReadonlyArray<SpfTerm>,
  terminal: ReturnType<typeof defaultTerm>
): ReadonlyArray<SpfDirective> => {
  const own = defaultTerm(terms)
  const isElsewhere = own !== undefined && isModifier(own) && own.identity !== terminal?.identity
  return dedupeByIdentity([...evaluatedDirectives(terms), ...(isElsewhere ? [includeOf(own)] : [])])
}

/** The first of those that are the same but for their qualifiers: in one record the others never decide. */
export const dedupeByIdentity = <T extends { readonly identity: string }>(terms: ReadonlyArray<T>): ReadonlyArray<T> =>
  [...Map.groupBy(terms, ({ identity }) => identity).values()].flatMap((same) => same.slice(0, 1))

/** Each mechanism in its first place with the least restrictive of its qualifiers. */
const eachOnce = (directives: ReadonlyArray<SpfDirective>): ReadonlyArray<SpfDirective> =>
  [...Map.groupBy(directives, ({ identity }) => identity).values()].map((same) => same.reduce(loosened))

const loosened = (one: SpfDirective, other: SpfDirective): SpfDirective =>
  spfQualifiers.indexOf(other.qualifier) < spfQualifiers.indexOf(one.qualifier)
    ? replaceQualifier(one, other.qualifier)
    : one

const includeOf = ({ target, text }: SpfModifier): SpfDirective => ({
  _tag: "Directive",
  text: text.replace(/^redirect=/i, "include:"),
  name: "include",
  qualifier: "+",
  target,
  identity: `include:${target}`
})

/** Whether an SPF record takes nothing back: it is the one before with mechanisms added and nothing else changed. */
export const isSpfAddition = (before: string, after: string): boolean => {
  if (!isSpf(before) || !isSpf(after)) return false
  const earlier = wordsOf(before)
  const added: Array<string> = []
  const found = wordsOf(after).reduce((count, word) => {
    const known = earlier[count]
    if (known !== undefined && isSameTerm(known, word)) return count + 1
    added.push(word)
    return count
  }, 0)
  return found === earlier.length && added.every(isMechanism)
}

/** The terms as they are written, behind the version. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(" ")
    .slice(1)
    .filter((word) => word !== "")

/** A record may have thousands of terms; what is written alike need not be parsed. */
const isSameTerm = (one: string, other: string): boolean =>
  one === other || normalizeTerm(parseTerm(one)) === normalizeTerm(parseTerm(other))

const isMechanism = (word: string): boolean => {
  const term = parseTerm(word)
  return isDirective(term) && !isAll(term)
}
