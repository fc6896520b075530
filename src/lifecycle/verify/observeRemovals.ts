import type { DateTime } from "effect"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import { apexHost, type DomainName } from "../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import type { RecordObservation } from "../../domain/plan/RecordObservation.ts"
import { DnsRecord, type ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { isRecordType } from "../../domain/records/recordTypes.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { liveRoleOf, recordKeyOf } from "../../planning/RecordRole.ts"
import type { RecordComparison } from "../../planning/verification/compareZone.ts"
import { isApex, type LiveRecord } from "../../planning/zone/LiveZone.ts"
import { combineObservations, type ServerComparison } from "./combineObservations.ts"

/** Observes at servers that were read the records that a customer removes by hand. */
export const observeRemovals = (
  servers: ReadonlyArray<ServerComparison>,
  removals: ReadonlyArray<ChangeRecord>,
  { checkedAt, domain }: { readonly checkedAt: DateTime.Utc; readonly domain: DomainName }
): ReadonlyArray<RecordObservation> => {
  const records = toVisibleRecords(removals)
  const compared = servers.map((server) => ({
    ...server,
    compared: records.map((record) => compareRecord(record, server.view, domain))
  }))
  return combineObservations(compared, { records }, checkedAt)
}

/** The records of a plan without those that public DNS never shows as they are stored. */
export const toVisibleRecords = (records: ReadonlyArray<ChangeRecord>): ReadonlyArray<DnsRecord> =>
  records.flatMap(({ flattened, host, optional, priority, proxied, ttl, type, value }) => {
    if (proxied === true || flattened === true || !isRecordType(type)) return []
    if (type === "CNAME" && host === apexHost) return []
    const data = { host, type, value, ttl, optional, ...(priority === undefined ? {} : { priority }) }
    return [DnsRecord.make(data, withoutValidation)]
  })

/** Whether a server shows a record, whatever else is at its host, and the records of its type there. */
export const compareRecord = (
  record: DnsRecord,
  { unknownRRsets, zone }: ServerView,
  domain: DomainName
): RecordComparison => {
  const role = liveRoleOf(record.type, isApex({ name: zone.name, domain }, record.host))
  const toLive = (served: ZoneRecord): LiveRecord => ({ ...served, role, key: recordKeyOf(role, served) })
  const observed = zone.records.filter(({ host, type }) => host === record.host && type === record.type).map(toLive)
  const isKnown = !unknownRRsets.some(({ host, type }) => host === record.host && type === record.type)
  const isServed = observed.some(({ key }) => key === recordKeyOf(role, record))
  return {
    record,
    observed,
    isExact: isServed,
    status: isServed ? "present" : !isKnown ? "unknown" : observed.length === 0 ? "missing" : "different"
  }
}
