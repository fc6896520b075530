import { Array, Option } from "effect"
import { noTarget } from "../../domain/DnsRecord.ts"
import { hostWithin } from "../../domain/DomainName.ts"
import { maxAliases } from "../Lookup.ts"
import { answeringHost, type LiveZone } from "./LiveZone.ts"

/**
 * The hosts of the zone on which the addresses of a name depend, in order: its own, a wildcard that answers for it, and
 * those of the aliases on the way.
 */
export const addressPath = (zone: LiveZone, name: string): ReadonlyArray<string> => pathOf(zone, name, maxAliases)

const pathOf = (zone: LiveZone, name: string, aliases: number): ReadonlyArray<string> =>
  Option.match(hostWithin(name, zone.domain), {
    onNone: () => [],
    onSome: (host) => {
      const answering = answeringHost(zone, host)
      const alias = zone.recordsAt(answering).find(({ role }) => role === "CNAME" || role === "ALIAS")?.value
      const further = alias === undefined || alias === noTarget || aliases === 0 ? [] : pathOf(zone, alias, aliases - 1)
      return Array.dedupe([host, answering, ...further])
    }
  })
