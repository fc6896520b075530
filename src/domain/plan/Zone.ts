import type { ZoneRecord } from "../records/DnsRecord.ts"
import { apexHost, type DomainName, isAtOrBelow } from "../names/DomainName.ts"

/** The known records of a zone. `name` is its apex; hosts are relative to the domain, which may lie below it. */
export interface Zone {
  readonly name: DomainName
  readonly basis: ZoneBasis
  readonly records: ReadonlyArray<ZoneRecord>
  /** The wildcard above the domain that answers for it as long as it does not exist. */
  readonly wildcardAbove?: WildcardAbove | undefined
  /** The targets of records of the zone outside the domain: absolute names whose answers depend on the domain. */
  readonly targetsOutside?: TargetsOutside
  /** The records that the provider stores, but does not serve. */
  readonly disabled?: ReadonlyArray<ZoneRecord>
  /** Hosts that exist although none of their records was read; no wildcard answers for them. */
  readonly otherHosts?: ReadonlyArray<string>
  /** Which CNAMEs below the apex the provider serves as addresses whatever their own setting: to the same zone, or all. */
  readonly flattenedAliases?: "in_zone" | "all" | undefined
  /** The RRsets that no name server answered for: there may be more records than `records`. */
  readonly unansweredRRsets?: ReadonlyArray<UnansweredRRset>
}

/** An RRset of unknown existence: no name server answered for it. */
export interface UnansweredRRset {
  /** Absolute; that of a wildcard begins with `*.`. */
  readonly name: string
  readonly type: string
  /** The answer or failure of each server, as clauses for the operator. */
  readonly answers: ReadonlyArray<string>
}

/** The kinds of targets, by the effect of a change there. */
export interface TargetsOutside {
  /** The targets of MX and SRV, and the names whose addresses SPF policies permit by `a`. */
  readonly mail: ReadonlyArray<string>
  readonly nameServers: ReadonlyArray<string>
  /** The policies that SPF records include or redirect to, and the targets of the aliases of DKIM keys and DMARC policies. */
  readonly policies: ReadonlyArray<string>
  /** The targets of aliases, and of HTTPS records, at hosts that may be visited. */
  readonly websites: ReadonlyArray<string>
}

/** A domain and its zone, which may begin above it; hosts of records and changes are relative to the domain. */
export interface ZoneLocation {
  readonly zone: DomainName
  readonly domain: DomainName
}

/** `provider`: all records as it stores them. `public_dns`: what name servers answer at the intent's hosts. */
export type ZoneBasis = "provider" | "public_dns"

/** A wildcard above a domain that answers while nothing exists at or below it (RFC 4592 section 3.3.1). */
export interface WildcardAbove {
  readonly name: DomainName
  /** The records with which it answers for the domain, with `@` as their host. */
  readonly records: ReadonlyArray<ZoneRecord>
}

/** Collects the wildcard above a domain from the records of a zone, which may come in any order. */
interface WildcardAboveFinder {
  /** Adds a record; `name` is absolute and in normal form. */
  readonly add: (name: string, record: Omit<ZoneRecord, "host">) => void
  /** Adds a name that exists without known records. */
  readonly addName: (name: string) => void
  readonly find: () => WildcardAbove | undefined
}

/** Makes a finder that knows no record yet. Only a domain below the apex of its zone can have a wildcard above. */
export const makeWildcardAboveFinder = ({ domain, zone }: ZoneLocation): WildcardAboveFinder => {
  const names = domain === zone ? [] : listApexAndNamesBetween(domain, zone)
  const records = new Map(names.map((name) => [`*.${name}`, new Array<ZoneRecord>()]))
  let depth = 0
  let doesDomainExist = names.length === 0
  const addName = (name: string): void => {
    doesDomainExist ||= isAtOrBelow(name, domain)
    if (doesDomainExist) return
    depth = Math.max(
      depth,
      names.findLastIndex((above) => isAtOrBelow(name, above))
    )
  }
  return {
    addName,
    add: (name, record) => {
      if (doesDomainExist) return
      addName(name)
      records.get(name)?.push({ host: apexHost, ...record })
    },
    find: () => {
      const name = `*.${names[depth]}` as DomainName
      const found = doesDomainExist ? [] : (records.get(name) ?? [])
      return found.length === 0 ? undefined : { name, records: found }
    }
  }
}

/** The apex of the zone and the names between it and the domain, the apex first. */
const listApexAndNamesBetween = (domain: DomainName, zone: DomainName): ReadonlyArray<string> => {
  const labels = domain.slice(0, -zone.length - 1).split(".")
  return [zone, ...labels.slice(1).map((_, index) => `${labels.slice(-index - 1).join(".")}.${zone}`)]
}
