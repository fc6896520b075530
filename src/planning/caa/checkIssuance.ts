import { Option } from "effect"
import type { CaaIssuanceTag, CaaProperty } from "../../domain/records/CaaProperty.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { apexHost, DomainName, isAtOrBelow, toFqdn } from "../../domain/names/DomainName.ts"
import { dedupeQuestions, type DnsLookup, type LookupQuestion } from "../DnsLookup.ts"
import { isServiceHost } from "../zone/LiveZone.ts"
import {
  type CaaSet,
  findRelevantRRset,
  isIssuerAllowed,
  makeCaaSet,
  parseCaaEntries,
  type RelevantRRset
} from "./CaaSet.ts"

/** The records that affect certificates once a plan is applied. */
interface IssuanceInput {
  readonly domain: DomainName
  /** The CAA records that the intent requests, including those that need not be added. */
  readonly issuers: ReadonlyArray<DnsRecord>
  readonly desired: ReadonlyArray<DnsRecord>
  /** Answers as the DNS will once the plan is applied. */
  readonly lookup: DnsLookup
}

/** Checks whether CAA blocks a desired issuer from its host or added hosts below; `unanswered` never blocks. */
export const checkIssuance = (input: IssuanceInput): IssuanceCheck => {
  const certificates = listDesiredCertificates(input)
  const rrsets = [...new Set(certificates.map(({ name }) => name))].map((name) => ({
    name,
    ...findRelevantRRset(name, input.lookup)
  }))
  const sets = caaSetsByName(rrsets.filter(({ unanswered }) => unanswered.length === 0))
  const isExcluded = ({ issuer, name, scope }: Certificate): boolean => {
    const set = sets.get(name)
    return set !== undefined && !isIssuerAllowed(set, scope, issuer)
  }
  const unknown = new Set(rrsets.filter(({ unanswered }) => unanswered.length > 0).map(({ name }) => name))
  return {
    blockedHosts: new Set(certificates.filter(isExcluded).map(({ host }) => host)),
    unknownHosts: new Set(certificates.filter(({ name }) => unknown.has(name)).map(({ host }) => host)),
    unanswered: dedupeQuestions(rrsets.flatMap(({ unanswered }) => unanswered))
  }
}

/** Which hosts have a desired CAA record whose issuer is blocked somewhere, or perhaps is. */
export interface IssuanceCheck {
  readonly blockedHosts: ReadonlySet<string>
  readonly unknownHosts: ReadonlySet<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** A certificate that the CAA record at `host` desires; CAA is looked up from `name` upwards (RFC 8659 section 3). */
interface Certificate {
  readonly host: string
  readonly name: DomainName
  readonly scope: CaaIssuanceTag
  readonly issuer: CaaProperty
}

const listDesiredCertificates = ({ desired, domain, issuers }: IssuanceInput): ReadonlyArray<Certificate> => {
  const webNames = desired.filter(isWebRecord).map(nameIn(domain))
  return [...Map.groupBy(issuers, nameIn(domain))].flatMap(([name, records]) => {
    const entries = parseCaaEntries(records.map(({ value }) => value))
    const { issuerProperties } = makeCaaSet(entries)
    const ownNames = entries.some(({ tag }) => tag === "issuewild") ? [name, `*.${withoutWildcard(name)}`] : [name]
    const host = records[0]?.host ?? apexHost
    const webNamesBelow = webNames.filter((webName) => isAtOrBelow(webName, name))
    return [...new Set([...ownNames, ...webNamesBelow])].flatMap((subject) => {
      const scope = subject.startsWith(wildcard) ? "issuewild" : "issue"
      return issuerProperties[scope].map((issuer) => ({ host, name: withoutWildcard(subject), scope, issuer }))
    })
  })
}

/** CAs issue nothing for names with underscores. */
const isWebRecord = ({ host, type }: DnsRecord): boolean =>
  (type === "A" || type === "AAAA" || type === "CNAME") && !isServiceHost(host)

const nameIn =
  (domain: DomainName) =>
  ({ host }: DnsRecord): DomainName =>
    toFqdn(host, domain)

const wildcard = "*."

const withoutWildcard = (name: string): DomainName =>
  DomainName.make(name.startsWith(wildcard) ? name.slice(wildcard.length) : name)

const caaSetsByName = (
  rrsets: ReadonlyArray<RelevantRRset & { readonly name: DomainName }>
): ReadonlyMap<DomainName, CaaSet> =>
  new Map(
    [...Map.groupBy(rrsets, ({ at }) => Option.getOrUndefined(at)).values()].flatMap((group) => {
      const set = makeCaaSet(parseCaaEntries(group[0]?.values ?? []))
      return group.map(({ name }) => [name, set] as const)
    })
  )
