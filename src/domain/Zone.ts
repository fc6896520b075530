import type { ZoneRecord } from "./DnsRecord.ts"
import type { DomainName } from "./DomainName.ts"

/**
 * The known records of a zone. `name` is the apex of the zone, which may lie above the domain of the intent; the hosts
 * of `records` are relative to that domain. NS records below the apex are delegations.
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
 * The source of the records. `provider`: every record of the zone, as its provider stores them. `public_dns`: the
 * answers of its name servers at the hosts of the intent; other hosts are unknown.
 */
export type ZoneBasis = "provider" | "public_dns"
