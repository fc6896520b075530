import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { recordKeyOf } from "../RecordRole.ts"
import { isEditable, normalizeData } from "../zone/LiveZone.ts"

/** The records after a plan: others as written, removed ones with all duplicates gone, added ones at the end. */
export const computeResultingRecords = (
  zone: Pick<Zone, "records">,
  changes: ReadonlyArray<ResultingChange>
): ReadonlyArray<ZoneRecord> => {
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
    ...changes.flatMap(({ after }) => (after === undefined ? [] : [toPlainRecord(after)]))
  ]
}

/** The records that a change removes and adds. */
export interface ResultingChange {
  readonly before?: ZoneRecord | undefined
  readonly after?: ZoneRecord | undefined
}

/** A key that is equal for records of the same data at the same host, which is in lower case. */
export const identityOf = (record: Omit<ZoneRecord, "ttl">): string =>
  `${record.host} ${recordKeyOf(record.type, record)}`

/** The fields of a record that a change carries, without what only says how the zone or a plan treats it. */
export const toPlainRecord = ({
  automaticTtl,
  flattened,
  host,
  priority,
  proxied,
  ttl,
  type,
  value
}: ZoneRecord): ZoneRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority }),
  ...(proxied === true ? { proxied } : {}),
  ...(flattened === true ? { flattened } : {}),
  ...(automaticTtl === true ? { automaticTtl } : {})
})
