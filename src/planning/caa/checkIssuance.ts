import { Option } from "effect"
import type { CaaIssuanceTag, CaaProperty } from "../../domain/CaaProperty.ts"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import { DomainName, isAtOrBelow, toFqdn } from "../../domain/DomainName.ts"
import { distinctQuestions, type DnsLookup, type LookupQuestion } from "../DnsLookup.ts"
import { caaSet, type CaaSet, isIssuerAllowed, parseCaaEntries } from "./CaaSet.ts"
import { findRelevantRRset, type RelevantRRset } from "./findRelevantRRset.ts"

/** What is to be there once a plan is applied, as far as certificates are concerned. */
export interface IssuanceInput {
  readonly domain: DomainName
  /** The CAA records that the intent asks for, also those that need not be added. */
  readonly issuers: ReadonlyArray<DnsRecord>
  /** All that the intent brings. */
  readonly desired: ReadonlyArray<DnsRecord>
  /** What the DNS will answer. */
  readonly lookup: DnsLookup
}

/**
 * Whether a wanted issuer is shut out of a name that it is wanted for: the host of its CAA, or one below it that the
 * intent brings. Of a name about which something is `unanswered` that is never said.
 */
export const checkIssuance = (
  prospect: IssuanceInput
): { readonly blocked: boolean; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const certificates = certificatesWanted(prospect)
  const climbs = [...new Set(certificates.map(({ name }) => name))].map((name) => ({
    name,
    ...findRelevantRRset(name, prospect.lookup)
  }))
  const sets = setsOf(climbs.filter(({ unanswered }) => unanswered.length === 0))
  const isShutOut = ({ issuer, name, scope }: Certificate): boolean => {
    const set = sets.get(name)
    return set !== undefined && !isIssuerAllowed(set, scope, issuer)
  }
  return {
    blocked: certificates.some(isShutOut),
    unanswered: distinctQuestions(climbs.flatMap(({ unanswered }) => unanswered))
  }
}

/** A certificate that the issuer is wanted for; `name` is where the climb for it begins (RFC 8659 section 3). */
interface Certificate {
  readonly name: DomainName
  readonly scope: CaaIssuanceTag
  readonly issuer: CaaProperty
}

const certificatesWanted = ({ domain, issuers, desired: wanted }: IssuanceInput): ReadonlyArray<Certificate> => {
  const sites = wanted.filter(isSite).map(nameIn(domain))
  return [...Map.groupBy(issuers, nameIn(domain))].flatMap(([name, records]) => {
    const entries = parseCaaEntries(records.map(({ value }) => value))
    const { issuerProperties: naming } = caaSet(entries)
    const own = entries.some(({ tag }) => tag === "issuewild") ? [name, `*.${withoutWildcard(name)}`] : [name]
    return [...new Set([...own, ...sites.filter((site) => isAtOrBelow(site, name))])].flatMap((subject) => {
      const scope = subject.startsWith(wildcard) ? "issuewild" : "issue"
      return naming[scope].map((issuer) => ({ name: withoutWildcard(subject), scope, issuer }))
    })
  })
}

/** CAs issue nothing for names with underscores, which belong to other services. */
const isSite = ({ host, type }: DnsRecord): boolean =>
  (type === "A" || type === "AAAA" || type === "CNAME") && !/(^|\.)_/.test(host)

const nameIn =
  (domain: DomainName) =>
  ({ host }: DnsRecord): DomainName =>
    toFqdn(host, domain)

const wildcard = "*."

const withoutWildcard = (name: string): DomainName =>
  DomainName.make(name.startsWith(wildcard) ? name.slice(wildcard.length) : name)

/** Reads each set once, however many names it counts for. */
const setsOf = (
  climbs: ReadonlyArray<RelevantRRset & { readonly name: DomainName }>
): ReadonlyMap<DomainName, CaaSet> =>
  new Map(
    [...Map.groupBy(climbs, ({ at }) => Option.getOrUndefined(at)).values()].flatMap((group) => {
      const set = caaSet(parseCaaEntries(group[0]?.values ?? []))
      return group.map(({ name }) => [name, set] as const)
    })
  )
