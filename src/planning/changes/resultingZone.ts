import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { liveZone } from "../zone/LiveZone.ts"

/**
 * The records of a zone after the changes of a plan for it: what no change concerns stays as it is written, what a
 * change takes away goes with all its duplicates, and what comes stands at the end.
 */
export const resultingZone = (zone: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<ZoneRecord> => {
  const going = new Map(changes.flatMap(({ before }) => (before === undefined ? [] : [[identityOf(before), before]])))
  const hosts = new Set([...going.values()].map(({ host }) => host))
  const goes = (record: ZoneRecord): boolean =>
    hosts.has(record.host.toLowerCase()) && normalForms(record, zone).some((normal) => going.has(identityOf(normal)))
  return [
    ...zone.records.filter((record) => !goes(record)),
    ...changes.flatMap(({ after }) => (after === undefined ? [] : [asZoneRecord(after)]))
  ]
}

/** As the planner reads the record; what no plan may touch has none. */
const normalForms = (record: ZoneRecord, { basis, name }: Zone) =>
  liveZone({ name, basis, records: [record] }, name).recordsAt(record.host.toLowerCase())

const identityOf = ({ host, priority, type, value }: ZoneRecord): string => `${host} ${type} ${priority ?? ""} ${value}`

const asZoneRecord = ({ host, priority, ttl, type, value }: ChangeRecord): ZoneRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority })
})
