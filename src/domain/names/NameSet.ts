import { Array } from "effect"
import { DomainName, isAtOrBelow, listSelfAndAncestors, toFqdn } from "./DomainName.ts"

/** Names of a zone: each name in `at`, and every name below one in `below`. */
export interface NameSet {
  readonly at: ReadonlyArray<DomainName>
  readonly below: ReadonlyArray<DomainName>
}

export const makeExactNames = (names: ReadonlyArray<DomainName>): NameSet => ({ at: Array.dedupe(names), below: [] })

/** These names, those below their wildcards, and wildcards above, which answer while they do not exist (RFC 4592). */
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
 * The names whose records can decide or hide the plan: these, those above with their wildcards (RFC 4592; DMARC,
 * RFC 9989 4.10), and those below, except below the apex: no delegation or alias can begin there.
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
