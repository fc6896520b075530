import { Order } from "effect"
import type { DomainName } from "../domain/names/DomainName.ts"
import { type DnsRecord, withData } from "../domain/records/DnsRecord.ts"
import { spellAlike } from "../domain/records/recordTypes.ts"
import type { IntentRecord, ResolvedIntent } from "../domain/connection/Intent.ts"
import { toStorableTtl } from "../domain/provider/Provider.ts"
import { type RecordIdentity, recordKeyOf, type RecordRole, roleOf } from "./RecordRole.ts"
import { isApex, isFlattenedByZone, type LiveZone } from "./zone/LiveZone.ts"

/** A record that the zone must contain, with its role there and the record of the intent that requests it. */
export interface DesiredRecord extends RecordIdentity {
  readonly role: RecordRole
  readonly record: DnsRecord
  readonly source: IntentSource
}

interface IntentSource {
  readonly index: number
  readonly options: IntentRecord["advancedDmarcOptions"]
  /** The TTL in seconds that replaces the requested one, if the provider cannot store that. */
  readonly adjustedTtl?: number
}

/** The records of an intent with their roles, with TTLs that the provider can store. */
export const desiredRecordsOf = (
  { effectiveIntent, intent }: Pick<ResolvedIntent, "intent" | "effectiveIntent">,
  zone: LiveZone
): ReadonlyArray<DesiredRecord> =>
  effectiveIntent.records.map((record, index) => {
    const ttl = toStorableTtl(record.ttl, zone.ttl)
    const source = { index, options: intent.records[index]?.advancedDmarcOptions }
    return ttl === record.ttl
      ? makeDesiredRecord(record, source, zone)
      : makeDesiredRecord(withData(record, { ttl }), { ...source, adjustedTtl: ttl }, zone)
  })

/** Separates desired records from those that repeat an earlier one of the same host, of which the kept record is listed. */
export const separateRepeated = (
  desired: ReadonlyArray<DesiredRecord>,
  domain: DomainName
): readonly [repeated: ReadonlyArray<DesiredRecord>, distinct: ReadonlyArray<DesiredRecord>] => {
  const same = Map.groupBy(
    desired,
    ({ record, role }) => `${record.host} ${recordKeyOf(role, { ...record, value: spellAlike(record, domain) })}`
  )
  if (same.size === desired.length) return [[], desired]
  const groups = [...same.values()].map((group) => ({ kept: mergeRepetitions(group), group }))
  return [groups.flatMap(({ group, kept }) => group.slice(1).map(() => kept)), groups.map(({ kept }) => kept)]
}

/** A record whose TTL the provider cannot store comes after one that has the stored TTL. */
const byTtl: Order.Order<DesiredRecord> = Order.combine(
  Order.mapInput(Order.number, ({ record }) => record.ttl),
  Order.mapInput(Order.boolean, ({ source }) => source.adjustedTtl !== undefined)
)

/** The lowest TTL counts, as in every RRset, and a record is required if one of its repetitions is. */
const mergeRepetitions = (group: ReadonlyArray<DesiredRecord>): DesiredRecord => {
  const lowest = group.reduce(Order.min(byTtl))
  return { ...lowest, record: withData(lowest.record, { optional: group.every(({ record }) => record.optional) }) }
}

/** Makes a desired record. One that the zone has stays as it is served; a flattened alias is served as addresses. */
export const makeDesiredRecord = (record: DnsRecord, source: IntentSource, zone: LiveZone): DesiredRecord => {
  const role = roleOf(record.type, isApex(zone, record.host))
  const key = recordKeyOf(role, record)
  const isAlias =
    role === "CNAME" &&
    (isFlattenedByZone(record, zone) ||
      zone.recordsAt(record.host).some((live) => live.key === key && live.role === "ALIAS"))
  return { record, role: isAlias ? "ALIAS" : role, key, source }
}

export const groupByHost = (desired: ReadonlyArray<DesiredRecord>): ReadonlyMap<string, ReadonlyArray<DesiredRecord>> =>
  Map.groupBy(desired, ({ record }) => record.host)
