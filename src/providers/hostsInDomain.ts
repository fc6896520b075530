import { hostsAffectedBy } from "../domain/DomainName.ts"
import type { ZoneLocation } from "../domain/Zone.ts"

/**
 * The hosts, relative to the domain, at which a record of the zone counts: its own, if it lies at or below the domain, and
 * `@` for what sends the whole domain elsewhere. The zone's own NS do not.
 */
export const hostsInDomain = (name: string, type: string, { domain, zone }: ZoneLocation): ReadonlyArray<string> =>
  type === "NS" && name === zone && name !== domain ? [] : hostsAffectedBy(name, type, domain)
