import type { ZoneRecord } from "./DnsRecord.ts"
import type { DomainName } from "./DomainName.ts"

/**
 * What is known of a zone at the hosts that an intent concerns. `name` is the apex of the zone, which may lie above the
 * domain of the intent; the hosts of `records` are relative to that domain. NS records below the apex are delegations.
 */
export interface Zone {
  readonly name: DomainName
  readonly records: ReadonlyArray<ZoneRecord>
}
