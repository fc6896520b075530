import { Array, Either } from "effect"
import { findDefaultTerm, isSpf, parseSpf, selectEvaluatedDirectives } from "../../domain/records/SpfRecord.ts"
import {
  isAll,
  isDirective,
  isModifier,
  parseTerm,
  replaceQualifier,
  type SpfDirective,
  type SpfTerm
} from "../../domain/records/SpfTerm.ts"
import { type DnsLookup, maxAliases } from "../DnsLookup.ts"
import { isQueryableName } from "./countSpfLookups.ts"
import { includeOf } from "./mergeSpf.ts"

/** How a policy treats mail that no mechanism matches, once all redirects are followed. */
type DefaultResult = "+" | "?" | "~" | "-" | "broken" | "unknown"

/** Follows the redirects of a policy to the qualifier that decides in the end; without one a policy is neutral. */
const findDefaultResult = (
  terms: ReadonlyArray<SpfTerm>,
  lookup: DnsLookup,
  redirects: number = maxAliases
): DefaultResult => {
  const terminal = findDefaultTerm(terms)
  if (terminal === undefined) return "?"
  if (!isModifier(terminal)) return terminal.qualifier
  return redirects === 0 ? "broken" : findResultOfName(terminal.target, lookup, redirects - 1)
}

const findResultOfName = (name: string, lookup: DnsLookup, redirects: number): DefaultResult => {
  const policy = findPolicy(name, lookup)
  return typeof policy === "string" ? policy : findDefaultResult(policy, lookup, redirects)
}

/** The one policy that a name has. */
const findPolicy = (name: string, lookup: DnsLookup): ReadonlyArray<SpfTerm> | "broken" | "unknown" => {
  if (!isQueryableName(name)) return "broken"
  if (name.includes("%")) return "unknown"
  return Either.match(lookup({ name, type: "TXT" }), {
    onLeft: () => "unknown",
    onRight: (texts) => {
      const [policy, ...others] = texts.filter(isSpf)
      return policy === undefined || others.length > 0 ? "broken" : parseSpf(policy, name)
    }
  })
}

/** Whether a policy, or one that it redirects to or includes, at any depth, ends in `+all` or has a network of all addresses. */
export const permitsEverybody = (terms: ReadonlyArray<SpfTerm>, lookup: DnsLookup): boolean => {
  const policies = [terms]
  const names = new Set<string>()
  for (const policy of policies) {
    const terminal = findDefaultTerm(policy)
    const permitted = [...selectEvaluatedDirectives(policy), ...(terminal === undefined ? [] : [terminal])].filter(
      (term) => isModifier(term) || term.qualifier === "+"
    )
    if (permitted.some(isEverybody)) return true
    for (const { name, target } of permitted) {
      if (!referringNames.has(name) || names.has(target) || names.size === maxPolicies) continue
      names.add(target)
      const found = findPolicy(target, lookup)
      if (typeof found !== "string") policies.push(found)
    }
  }
  return false
}

/** Whether a term is `all`, or has a network of all addresses: `ip4:0.0.0.0/0`, `a/0`, `mx//0`. */
const isEverybody = ({ identity, name }: Pick<SpfDirective, "identity" | "name">): boolean =>
  identity === "all" || (networkNames.has(name) && /\/0(\/\/\d+)?$/.test(identity))

const networkNames: ReadonlySet<string> = new Set(["a", "ip4", "ip6", "mx"])

const referringNames: ReadonlySet<string> = new Set(["include", "redirect"])

/** With more, receivers give up on the policy (RFC 7208 section 4.6.4). */
const maxPolicies = 10

/** Ends in `~all` at most: a final `-all` is replaced, and a redirect to such a policy becomes an include. */
export const limitToSoftfail = (terms: ReadonlyArray<SpfTerm>, lookup: DnsLookup): ReadonlyArray<SpfTerm> => {
  const result = findDefaultResult(terms, lookup)
  return result === "-" || result === "unknown" ? replaceDefault(terms, "~", (target) => [target]) : terms
}

/** Lets a policy reject no sender by a mechanism before its end: each is a softfail at most. */
export const limitMechanismsToSoftfail = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfTerm> =>
  terms.some(isRejecting) ? terms.map((term) => (isRejecting(term) ? replaceQualifier(term, "~") : term)) : terms

const isRejecting = (term: SpfTerm): term is SpfDirective => isDirective(term) && !isAll(term) && term.qualifier === "-"

/** Lets a policy end in neither `-all` nor `+all`: in place of `+all` it is neutral, as without a policy. */
export const limitToNeutral = (terms: ReadonlyArray<SpfTerm>, lookup: DnsLookup): ReadonlyArray<SpfTerm> =>
  findDefaultResult(terms, lookup) === "+" ? replaceDefault(terms, "?", () => []) : limitToSoftfail(terms, lookup)

/** Replaces the qualifier of the final `all`, or a redirect by an `all` after the mechanisms of `keepTarget`. */
const replaceDefault = (
  terms: ReadonlyArray<SpfTerm>,
  qualifier: "~" | "?",
  keepTarget: (include: SpfDirective) => ReadonlyArray<SpfDirective>
): ReadonlyArray<SpfTerm> => {
  const terminal = findDefaultTerm(terms)
  if (terminal === undefined) return terms
  if (!isModifier(terminal))
    return terms.map((term) => (term === terminal ? replaceQualifier(terminal, qualifier) : term))
  const [modifiers, directives] = Array.partition(
    terms.filter((term) => term !== terminal),
    isDirective
  )
  return [...directives, ...keepTarget(includeOf(terminal)), parseTerm(`${qualifier}all`, ""), ...modifiers]
}
