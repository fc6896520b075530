import { Array } from "effect"
import { DomainName, isAtOrBelow, listSelfAndAncestors, toFqdn } from "./DomainName.ts"

/** Names of a zone: each name in `at`, and every name below one in `below`. */
export interface NameSet {
  readonly at: ReadonlyArray<DomainName>
  readonly below: ReadonlyArray<DomainName>
}

export const makeExactNames = (names: ReadonlyArray<DomainName>): NameSet => ({ at: Array.dedupe(names), below: [] })

/**
 * The names that a request for some names concerns: these names, every name below their wildcards, and every wildcard
 * above them, which answers for them while they do not exist (RFC 4592).
 */
export const makeConcernedNames = (names: ReadonlyArray<DomainName>): NameSet => ({
  at: Array.dedupe(names.flatMap((name) => [name, ...listWildcardsAbove(name)])),
  below: Array.dedupe(names.flatMap((name) => (isWildcard(name) ? [DomainName.make(name.slice(2))] : [])))
})

const listWildcardsAbove = (name: DomainName): ReadonlyArray<DomainName> =>
  listSelfAndAncestors(name)
    .slice(1)
    .map((above) => toFqdn("*", above))

const isWildcard = (name: string): boolean => name.startsWith("*.")

export const makeNamesFrom = (domain: DomainName): NameSet => ({ at: [domain], below: [domain] })

/**
 * The names whose records can decide or hide the plan at some names of the zone: those names; the names above them with
 * their wildcards (RFC 4592), from which they can inherit a DMARC policy (RFC 9989 4.10); and the names below them.
 * Names below the apex do not count for it: neither a delegation nor an alias can begin at the apex.
 */
export const findDependentNames = (names: ReadonlyArray<DomainName>, zone: DomainName): NameSet => {
  const selfAndAbove = (name: DomainName) => listSelfAndAncestors(name).filter((above) => isAtOrBelow(above, zone))
  return {
    at: Array.dedupe(
      names.flatMap((name) => [
        ...selfAndAbove(name).flatMap((above) => [above, toFqdn("*", above)]),
        ...(name.startsWith(dmarcPrefix)
          ? selfAndAbove(DomainName.make(name.slice(dmarcPrefix.length))).map((above) => toFqdn("_dmarc", above))
          : [])
      ])
    ),
    below: Array.dedupe(names.filter((name) => name !== zone))
  }
}

const dmarcPrefix = "_dmarc."
