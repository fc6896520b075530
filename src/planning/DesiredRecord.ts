import { type DnsRecord, withData } from "../domain/DnsRecord.ts"
import type { IntentRecord, ResolvedIntent } from "../domain/Intent.ts"
import { type RecordIdentity, recordKeyOf, type RecordRole, roleOf } from "./RecordRole.ts"
import { isApex, type LiveZone } from "./zone/LiveZone.ts"

/** A wanted record with the role it would play in the zone, and where in the intent it was asked for. */
export interface DesiredRecord extends RecordIdentity {
  readonly role: RecordRole
  readonly record: DnsRecord
  readonly source: IntentSource
}

/** The record of the intent that a wanted record comes from; `index` is its place there. */
export interface IntentSource {
  readonly index: number
  readonly options: IntentRecord["advancedDmarcOptions"]
  /** The TTL in seconds that takes the place of the one that was asked for, where the provider cannot store that. */
  readonly adjustedTtl?: number
}

/** The records of an intent with their roles, their TTLs within what the provider can store. */
export const desiredRecordsOf = (
  { effectiveIntent, intent }: Pick<ResolvedIntent, "intent" | "effectiveIntent">,
  zone: LiveZone
): ReadonlyArray<DesiredRecord> =>
  effectiveIntent.records.map((record, index) => {
    const ttl = Math.min(Math.max(record.ttl, zone.ttl.minimum), zone.ttl.maximum)
    const asked = { index, options: intent.records[index]?.advancedDmarcOptions }
    return ttl === record.ttl
      ? makeDesiredRecord(record, asked, zone)
      : makeDesiredRecord(withData(record, { ttl }), { ...asked, adjustedTtl: ttl }, zone)
  })

/** A record that is wanted because of one of the intent. */
export const makeDesiredRecord = (record: DnsRecord, asked: IntentSource, zone: LiveZone): DesiredRecord => {
  const role = roleOf(record.type, isApex(zone, record.host))
  return { record, role, key: recordKeyOf(role, record), source: asked }
}

/** Wanted records by host, hosts and records in the order given. */
export const groupByHost = (wanted: ReadonlyArray<DesiredRecord>): ReadonlyMap<string, ReadonlyArray<DesiredRecord>> =>
  Map.groupBy(wanted, ({ record }) => record.host)
