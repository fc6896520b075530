import { Array, Either, Option } from "effect"
import {
  findDefaultTerm,
  isInvalidSpf,
  isSpf,
  parseSpf,
  selectEvaluatedDirectives
} from "../../domain/records/SpfRecord.ts"
import {
  hasMacro,
  isDirective,
  isModifier,
  type SpfDirective,
  spfQualifiers,
  type SpfTerm
} from "../../domain/records/SpfTerm.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { isQueryableName, type SpfPolicy } from "../spf/countSpfLookups.ts"
import { selectPermittedDirectives } from "../spf/mergeSpf.ts"

/** Whether a policy permits every desired sender; left with the open questions if that is not known. */
export type SpfPermission = Either.Either<boolean, ReadonlyArray<LookupQuestion>>

/** Whether the SPF policy permits each desired sender, itself or, as providers do, by `include` or `redirect`. */
export const checkSpfPermission = (
  desired: string,
  served: ReadonlyArray<string>,
  name: string,
  lookup: DnsLookup
): SpfPermission => {
  const policy = findValidPolicy(served, name)
  if (Option.isNone(policy)) return Either.right(false)
  const terms = policy.value
  const missing = selectPermittedDirectives(parseSpf(desired, name), findDefaultTerm(terms)).filter(
    isNotPermittedBy(terms)
  )
  const { permitted, unanswered } = followReferences([{ name, terms }], lookup)
  const isPermitted = missing.every((directive) => directive.qualifier === "+" && permitted.has(directive.identity))
  return !isPermitted && unanswered.length > 0 ? Either.left(unanswered) : Either.right(isPermitted)
}

const findValidPolicy = (values: ReadonlyArray<string>, name: string): Option.Option<ReadonlyArray<SpfTerm>> => {
  const [text, ...others] = new Set(values.filter(isSpf))
  return text === undefined || others.length > 0
    ? Option.none()
    : Option.liftPredicate(parseSpf(text, name), (terms) => !isInvalidSpf(terms))
}

/** Whether no term of a policy permits the senders of a directive as freely as the directive does. */
const isNotPermittedBy = (terms: ReadonlyArray<SpfTerm>): ((directive: SpfDirective) => boolean) => {
  const byIdentity = Map.groupBy(terms.filter(isDirective), ({ identity }) => identity)
  return ({ identity, qualifier }) =>
    !(byIdentity.get(identity) ?? []).some(
      (term) => spfQualifiers.indexOf(term.qualifier) <= spfQualifiers.indexOf(qualifier)
    )
}

/** The mechanisms that let a sender pass in referenced policies, each with the name that it is about. */
interface ReferencedPolicies {
  readonly permitted: ReadonlySet<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Follows the references of policies depth by depth, each name once, so that a loop ends. */
const followReferences = (
  policies: ReadonlyArray<SpfPolicy>,
  lookup: DnsLookup,
  visited: ReadonlySet<string> = new Set()
): ReferencedPolicies => {
  const questions = Array.dedupe(policies.flatMap(({ terms }) => listReferencedNames(terms)))
    .filter((name) => !visited.has(name))
    .map((name): LookupQuestion => ({ name, type: "TXT" }))
  const [unanswered, answers] = Array.partitionMap(questions, (question) =>
    Either.map(lookup(question), (values) => ({ ...question, values }))
  )
  const below = answers.flatMap(({ name, values }) =>
    Option.toArray(Option.map(findValidPolicy(values, name), (terms) => ({ name, terms })))
  )
  const visitedNow = visited.union(new Set(questions.map(({ name }) => name)))
  const deeper: ReferencedPolicies =
    below.length === 0 || visitedNow.size > maxPolicies
      ? noReferencedPolicies
      : followReferences(below, lookup, visitedNow)
  return {
    permitted: new Set(below.flatMap(({ terms }) => passDirectives(terms).map(({ identity }) => identity))).union(
      deeper.permitted
    ),
    unanswered: [...unanswered, ...deeper.unanswered]
  }
}

const noReferencedPolicies: ReferencedPolicies = { permitted: new Set(), unanswered: [] }

/** Receivers give up after more lookups (RFC 7208 section 4.6.4). */
const maxPolicies = 10

const passDirectives = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfDirective> =>
  selectEvaluatedDirectives(terms).filter(({ qualifier }) => qualifier === "+")

/** The names of the policies that can let a sender pass in place of this one. */
const listReferencedNames = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<string> => {
  const terminal = findDefaultTerm(terms)
  const redirects = terminal !== undefined && isModifier(terminal) ? [terminal] : []
  return [...passDirectives(terms).filter(({ name }) => name === "include"), ...redirects]
    .map(({ target }) => target)
    .filter((target) => !hasMacro(target) && isQueryableName(target))
}
