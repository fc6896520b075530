import { Array, Either, Option } from "effect"
import { defaultTerm, evaluatedDirectives, isInvalidSpf, isSpf, parseSpf } from "../../domain/SpfRecord.ts"
import { hasMacro, isModifier, type SpfDirective, spfQualifiers, type SpfTerm } from "../../domain/SpfTerm.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { isQueryableName } from "../spf/countSpfLookups.ts"
import { permittedDirectives } from "../spf/mergeSpf.ts"

/** Whether a policy lets every sender that is wanted; left where that depends on what is not known. */
export type SpfPermission = Either.Either<boolean, ReadonlyArray<LookupQuestion>>

/**
 * Whether the SPF records at `name` permit all that the wanted one does: each mechanism stands in the record itself or,
 * as providers keep them, in one that it leads to by `include` or `redirect`.
 */
export const checkSpfPermission = (
  wanted: string,
  served: ReadonlyArray<string>,
  name: string,
  lookup: DnsLookup
): SpfPermission => {
  const own = soundPolicy(served)
  if (Option.isNone(own)) return Either.right(false)
  const missing = permittedDirectives(parseSpf(wanted), defaultTerm(own.value)).filter(
    (directive) => !own.value.some(permits(directive))
  )
  const { known, unanswered } = reachedFrom([{ name, terms: own.value }], lookup)
  const isPermitted = missing.every((directive) => directive.qualifier === "+" && known.has(absolute(directive, name)))
  return !isPermitted && unanswered.length > 0 ? Either.left(unanswered) : Either.right(isPermitted)
}

/** Receivers give up on several records, and on a broken one. */
const soundPolicy = (values: ReadonlyArray<string>): Option.Option<ReadonlyArray<SpfTerm>> => {
  const [text, ...others] = new Set(values.filter(isSpf))
  return text === undefined || others.length > 0
    ? Option.none()
    : Option.liftPredicate(parseSpf(text), (terms) => !isInvalidSpf(terms))
}

const permits =
  ({ identity, qualifier }: SpfDirective) =>
  (term: SpfTerm): boolean =>
    term._tag === "Directive" &&
    term.identity === identity &&
    spfQualifiers.indexOf(term.qualifier) <= spfQualifiers.indexOf(qualifier)

interface Policy {
  readonly name: string
  readonly terms: ReadonlyArray<SpfTerm>
}

/** What lets a sender pass in the policies that these lead to, each mechanism with the name that it is about. */
interface Reached {
  readonly known: ReadonlySet<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Follows depth by depth, each name once, so that a loop ends. */
const reachedFrom = (
  policies: ReadonlyArray<Policy>,
  lookup: DnsLookup,
  seen: ReadonlySet<string> = new Set()
): Reached => {
  const questions = Array.dedupe(policies.flatMap(({ terms }) => leadsIn(terms)))
    .filter((name) => !seen.has(name))
    .map((name): LookupQuestion => ({ name, type: "TXT" }))
  const [unanswered, answers] = Array.partitionMap(questions, (question) =>
    Either.map(lookup(question), (values) => ({ ...question, values }))
  )
  const below = answers.flatMap(({ name, values }) =>
    Option.toArray(Option.map(soundPolicy(values), (terms) => ({ name, terms })))
  )
  const visited = seen.union(new Set(questions.map(({ name }) => name)))
  const deeper: Reached =
    below.length === 0 || visited.size > maxPolicies ? noneReached : reachedFrom(below, lookup, visited)
  return {
    known: new Set(below.flatMap(({ name, terms }) => passing(terms).map((term) => absolute(term, name)))).union(
      deeper.known
    ),
    unanswered: [...unanswered, ...deeper.unanswered]
  }
}

const noneReached: Reached = { known: new Set(), unanswered: [] }

/** Of more look-ups receivers make nothing (RFC 7208 section 4.6.4). */
const maxPolicies = 10

const passing = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfDirective> =>
  evaluatedDirectives(terms).filter(({ qualifier }) => qualifier === "+")

/** The names whose policies let a sender pass where they do so themselves. */
const leadsIn = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<string> => {
  const terminal = defaultTerm(terms)
  const redirects = terminal !== undefined && isModifier(terminal) ? [terminal] : []
  return [...passing(terms).filter(({ name }) => name === "include"), ...redirects]
    .map(({ target }) => target)
    .filter((target) => !hasMacro(target) && isQueryableName(target))
}

/** `a`, `mx` and `ptr` without a name are about the one at which they stand. */
const absolute = ({ identity, name: mechanism, target }: SpfDirective, name: string): string =>
  ofOwnName.has(mechanism) && target === "" ? `${mechanism}:${name}${identity.slice(mechanism.length)}` : identity

const ofOwnName: ReadonlySet<string> = new Set(["a", "mx", "ptr"])
