import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { recordKeyOf } from "../RecordRole.ts"
import { isEditable, normalizeData } from "../zone/LiveZone.ts"

/**
 * The records of a zone after the changes of a plan for it: what no change concerns stays as it is written, what a
 * change takes away goes with all its duplicates, and what comes stands at the end.
 */
export const resultingRecords = (zone: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<ZoneRecord> => {
  const departing = changes.flatMap(({ before }) => before ?? [])
  const going = new Set(departing.map(identityOf))
  const hosts = new Set(departing.map(({ host }) => host))
  const goes = (record: ZoneRecord): boolean => {
    const host = record.host.toLowerCase()
    return hosts.has(host) && isEditable(record) && going.has(identityOf({ host, ...normalizeData(record) }))
  }
  return [
    ...zone.records.filter((record) => !goes(record)),
    ...changes.flatMap(({ after }) => (after === undefined ? [] : [asZoneRecord(after)]))
  ]
}

const identityOf = (record: Omit<ZoneRecord, "ttl">): string => `${record.host} ${recordKeyOf(record.type, record)}`

const asZoneRecord = ({ host, priority, ttl, type, value }: ChangeRecord): ZoneRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority })
})
