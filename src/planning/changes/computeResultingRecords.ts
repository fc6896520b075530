import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { recordKeyOf } from "../RecordRole.ts"
import { isEditable, normalizeData } from "../zone/LiveZone.ts"

/**
 * The records of a zone after the changes of a plan for it. Unaffected records stay as they are written, a removed
 * record goes with all its duplicates, and added records are at the end.
 */
export const computeResultingRecords = (zone: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<ZoneRecord> => {
  const removed = changes.flatMap(({ before }) => before ?? [])
  const removedIdentities = new Set(removed.map(identityOf))
  const hosts = new Set(removed.map(({ host }) => host))
  const isRemoved = (record: ZoneRecord): boolean => {
    const host = record.host.toLowerCase()
    return (
      hosts.has(host) && isEditable(record) && removedIdentities.has(identityOf({ host, ...normalizeData(record) }))
    )
  }
  return [
    ...zone.records.filter((record) => !isRemoved(record)),
    ...changes.flatMap(({ after }) => (after === undefined ? [] : [toZoneRecord(after)]))
  ]
}

const identityOf = (record: Omit<ZoneRecord, "ttl">): string => `${record.host} ${recordKeyOf(record.type, record)}`

const toZoneRecord = ({ host, priority, ttl, type, value }: ChangeRecord): ZoneRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority })
})
