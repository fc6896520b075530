import type { ZoneRecord } from "./DnsRecord.ts"
import type { DomainName } from "./DomainName.ts"
import type { WildcardAbove } from "./WildcardAbove.ts"

/**
 * The known records of a zone. `name` is the apex of the zone, which may lie above the domain of the intent; the hosts
 * of `records` are relative to that domain. NS records below the apex are delegations.
 */
export interface Zone {
  readonly name: DomainName
  readonly basis: ZoneBasis
  readonly records: ReadonlyArray<ZoneRecord>
  /** The wildcard above the domain that answers for it as long as it does not exist. */
  readonly wildcardAbove?: WildcardAbove | undefined
  /** What records of the zone outside the domain point to: absolute names whose answers depend on the domain. */
  readonly targetsOutside?: TargetsOutside
  /** Hosts that exist although none of their records was read; no wildcard answers for them. */
  readonly otherHosts?: ReadonlyArray<string>
}

/** What records point to, by what a change there means. */
export interface TargetsOutside {
  /** The targets of MX and SRV, and the names whose addresses SPF policies permit by `a`. */
  readonly mail: ReadonlyArray<string>
  readonly nameServers: ReadonlyArray<string>
  /** The policies that SPF records include or redirect to, and the targets of the aliases of DKIM keys and DMARC policies. */
  readonly policies: ReadonlyArray<string>
  /** The targets of aliases, and of HTTPS records, at hosts that may be visited. */
  readonly websites: ReadonlyArray<string>
}

/** A domain and the zone of which it is the apex or a part; hosts of records and changes are relative to the domain. */
export interface ZoneLocation {
  readonly zone: DomainName
  readonly domain: DomainName
}

/**
 * The source of the records. `provider`: every record of the zone, as its provider stores them. `public_dns`: the
 * answers of its name servers at the hosts of the intent; other hosts are unknown.
 */
export type ZoneBasis = "provider" | "public_dns"
