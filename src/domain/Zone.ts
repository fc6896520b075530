import type { ZoneRecord } from "./DnsRecord.ts"
import type { DomainName } from "./DomainName.ts"

/**
 * What is known of a zone. `name` is the apex of the zone, which may lie above the domain of the intent; the hosts of
 * `records` are relative to that domain. NS records below the apex are delegations.
 */
export interface Zone {
  readonly name: DomainName
  readonly basis: ZoneBasis
  readonly records: ReadonlyArray<ZoneRecord>
}

/** A domain and the zone of which it is the apex or a part; hosts of records and changes are relative to the domain. */
export interface ZoneLocation {
  readonly zone: DomainName
  readonly domain: DomainName
}

/**
 * `provider`: every record of the zone, as its provider keeps them. `public_dns`: what its servers answered at the
 * hosts that the intent concerns; of other hosts nothing is known.
 */
export type ZoneBasis = "provider" | "public_dns"
