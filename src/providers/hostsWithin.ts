import { hostsOf } from "../dns/hostsOf.ts"
import type { Place } from "./ProviderClient.ts"

/**
 * The hosts, relative to the domain, at which a record of the zone counts: its own, if it lies at or below the domain, and
 * `@` for what sends the whole domain elsewhere. The zone's own NS do not.
 */
export const hostsWithin = (name: string, type: string, { domain, zone }: Place): ReadonlyArray<string> =>
  type === "NS" && name === zone && name !== domain ? [] : hostsOf(name, type, domain)
