import { Array, Either } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import { hostsAffectedBy, isAtOrBelow, selfAndAncestors, toFqdn } from "../../domain/DomainName.ts"
import type { Change } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { resultingRecords } from "../../planning/changes/resultingRecords.ts"
import type { ZoneLocation } from "../ProviderClient.ts"
import { ZoneChanged } from "../ProviderFailure.ts"

/** The full names that changes concern. */
export interface AffectedNames {
  /** Where records come or go: whatever stands there counts. */
  readonly at: ReadonlySet<string>
  /** Above those, below the apex: NS or DNAME there would take the names below away. */
  readonly above: ReadonlySet<string>
}

export const affectedNames = (changes: ReadonlyArray<Change>, { domain, zone }: ZoneLocation): AffectedNames => {
  const hosts = new Set(changes.flatMap(({ after, before }) => [after, before].flatMap((record) => record?.host ?? [])))
  const at = new Set([...hosts].map((host) => toFqdn(host, domain)))
  const ancestors = [...at].flatMap((name) => selfAndAncestors(name).slice(1))
  return { at, above: new Set(ancestors.filter((name) => isAtOrBelow(name, zone) && name !== zone)) }
}

/** The records of the zone that each change takes away, in whatever spelling and however often they stand there. */
export const removedRecords = (
  zone: Zone,
  changes: ReadonlyArray<Change>
): Either.Either<ReadonlyMap<Change, ReadonlyArray<ZoneRecord>>, ZoneChanged> => {
  const byHost = Map.groupBy(zone.records, ({ host }) => host.toLowerCase())
  const going = changes.map((change) => {
    const records = byHost.get(change.before?.host ?? "") ?? []
    const staying = new Set(resultingRecords({ ...zone, records }, [change]))
    return [change, records.filter((record) => !staying.has(record))] as const
  })
  return Array.match(
    going.filter(([{ before }, records]) => before !== undefined && records.length === 0),
    {
      onEmpty: () => Either.right(new Map(going)),
      onNonEmpty: ([[{ before }]]) =>
        Either.left(new ZoneChanged({ detail: `${before?.type} ${before?.host} is not as the plan takes it to be` }))
    }
  )
}

/**
 * The hosts, relative to the domain, at which a record of the zone counts: its own, if it lies at or below the domain, and
 * `@` for what sends the whole domain elsewhere. The zone's own NS do not.
 */
export const hostsInDomain = (name: string, type: string, { domain, zone }: ZoneLocation): ReadonlyArray<string> =>
  type === "NS" && name === zone && name !== domain ? [] : hostsAffectedBy(name, type, domain)
