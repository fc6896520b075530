import { Array, Either } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { findAffectedHosts, isAtOrBelow, listSelfAndAncestors, toFqdn } from "../../domain/names/DomainName.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import type { Zone, ZoneLocation } from "../../domain/plan/Zone.ts"
import { identityOf } from "../../planning/changes/computeResultingRecords.ts"
import { isEditable, normalizeData } from "../../planning/zone/LiveZone.ts"
import { ZoneChanged } from "../ProviderFailure.ts"

export interface AffectedNames {
  /** Names at which records are added or removed: all records there matter. */
  readonly at: ReadonlySet<string>
  /** Names above those, below the apex: NS or DNAME records there would send the names below elsewhere. */
  readonly above: ReadonlySet<string>
}

export const findAffectedNames = (changes: ReadonlyArray<Change>, { domain, zone }: ZoneLocation): AffectedNames => {
  const hosts = new Set(changes.flatMap(({ after, before }) => [after, before].flatMap((record) => record?.host ?? [])))
  const at = new Set([...hosts].map((host) => toFqdn(host, domain)))
  const ancestors = [...at].flatMap((name) => listSelfAndAncestors(name).slice(1))
  return { at, above: new Set(ancestors.filter((name) => isAtOrBelow(name, zone) && name !== zone)) }
}

/** The records of the zone that each change removes, in any spelling and with duplicates. */
export const findRemovedRecords = (
  zone: Zone,
  changes: ReadonlyArray<Change>
): Either.Either<ReadonlyMap<Change, ReadonlyArray<ZoneRecord>>, ZoneChanged> => {
  const hosts = new Set(changes.flatMap(({ before }) => before?.host ?? []))
  const records = zone.records.filter(({ host }) => hosts.has(host.toLowerCase()))
  const byIdentity = Map.groupBy(records.filter(isEditable), (record) =>
    identityOf({ ...normalizeData(record), host: record.host.toLowerCase() })
  )
  const removed = changes.map(
    (change) => [change, change.before === undefined ? [] : (byIdentity.get(identityOf(change.before)) ?? [])] as const
  )
  return Array.match(
    removed.filter(([{ before }, records]) => before !== undefined && records.length === 0),
    {
      onEmpty: () => Either.right(new Map(removed)),
      onNonEmpty: ([[{ before }]]) =>
        Either.left(new ZoneChanged({ detail: `${before?.type} ${before?.host} is not as the plan expects it` }))
    }
  )
}

/**
 * The hosts that a record affects: its own, if it is at or below the domain, and `@` for one that sends the domain
 * elsewhere. The zone's own NS records affect no domain below the apex.
 */
export const findHostsInDomain = (name: string, type: string, { domain, zone }: ZoneLocation): ReadonlyArray<string> =>
  type === "NS" && name === zone && name !== domain ? [] : findAffectedHosts(name, type, domain)
