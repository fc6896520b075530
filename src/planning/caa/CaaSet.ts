import { Either, Option } from "effect"
import { type CaaIssuanceTag, type CaaProperty, isUnknownCritical, parseCaa } from "../../domain/records/CaaProperty.ts"
import { type DomainName, listSelfAndAncestors } from "../../domain/names/DomainName.ts"
import { normalizeValue } from "../../domain/records/recordTypes.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"

/** A CAA record as its value in normal form and the property that it states. */
export interface CaaEntry extends CaaProperty {
  readonly value: string
}

/** Parses CAA values of a zone, which need not be valid. */
export const parseCaaEntries = (values: ReadonlyArray<string>): ReadonlyArray<CaaEntry> =>
  values.map((value) => {
    const normal = normalizeValue("CAA", value.toWellFormed())
    return { value: normal, ...parseCaa(normal) }
  })

/** The key of an entry; entries with equal keys mean the same, however they are written. */
export const equivalenceKeyOf = ({ isCritical, issuer, parameters, tag }: CaaEntry): string =>
  [isCritical, tag, permissionOf({ issuer, parameters })].join(" ")

/** The combined meaning of the CAA records of one name. */
export interface CaaSet {
  /** Whether one of the records is critical and unknown to CAs. */
  readonly isBlocked: boolean
  /** The records that name issuers; wildcards use `issuewild`, or `issue` without one (RFC 8659 section 4.3). */
  readonly issuerProperties: { readonly [_ in CaaIssuanceTag]: ReadonlyArray<CaaProperty> }
  readonly allowedIssuers: { readonly [_ in CaaIssuanceTag]: ReadonlySet<string> }
}

export const makeCaaSet = (properties: ReadonlyArray<CaaProperty>): CaaSet => {
  const issue = properties.filter(({ tag }) => tag === "issue")
  const forWildcards = properties.filter(({ tag }) => tag === "issuewild")
  const issuewild = forWildcards.length > 0 ? forWildcards : issue
  return {
    isBlocked: properties.some(isUnknownCritical),
    issuerProperties: { issue, issuewild },
    allowedIssuers: { issue: permissionsOf(issue), issuewild: permissionsOf(issuewild) }
  }
}

/** Whether the set excludes any issuer; without `issue` and `issuewild` it does not. */
export const isRestricting = ({ isBlocked, issuerProperties }: CaaSet, scope: CaaIssuanceTag): boolean =>
  isBlocked || issuerProperties[scope].length > 0

/** Whether the set allows the issuer of the property to issue. A property without an issuer needs no permission. */
export const isIssuerAllowed = (set: CaaSet, scope: CaaIssuanceTag, { issuer, parameters }: CaaProperty): boolean => {
  const allowed = set.allowedIssuers[scope]
  return (
    issuer === "" ||
    !isRestricting(set, scope) ||
    (!set.isBlocked && (allowed.has(issuer) || allowed.has(permissionOf({ issuer, parameters }))))
  )
}

const permissionsOf = (properties: ReadonlyArray<CaaProperty>): ReadonlySet<string> =>
  new Set(properties.filter(({ issuer }) => issuer !== "").map(permissionOf))

/** An issuer with parameters is not the same as the issuer without them. */
const permissionOf = ({ issuer, parameters }: Pick<CaaProperty, "issuer" | "parameters">): string =>
  [issuer, ...parameters].join(";")

/** The CAA records that apply to a name, as far as they are known. */
export interface RelevantRRset {
  /** The name that answered with them. */
  readonly at: Option.Option<string>
  readonly values: ReadonlyArray<string>
  /** The questions about lower names whose answers are not known. */
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Finds the relevant CAA records: climbs to the top-level domain, past the zone's apex, to the first name with some
 * (RFC 8659 section 3). An alias answers with the records of its target, without those above the target.
 */
export const findRelevantRRset = (name: DomainName, lookup: DnsLookup): RelevantRRset => {
  const unanswered: Array<LookupQuestion> = []
  for (const level of listSelfAndAncestors(name)) {
    const answer = lookup({ name: level, type: "CAA" })
    if (Either.isLeft(answer)) unanswered.push(answer.left)
    else if (answer.right.length > 0) return { at: Option.some(level), values: answer.right, unanswered }
  }
  return { at: Option.none(), values: [], unanswered }
}
