import { Array, type DateTime, Option } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { type DomainName, HostName, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import { EffectiveIntent, Intent, type ResolvedIntent } from "../../domain/connection/Intent.ts"
import { type Change, type ChangeRecord, hostOfChange } from "../../domain/plan/Plan.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { liveRoleOf, recordKeyOf } from "../RecordRole.ts"
import { toPlainRecord } from "../changes/computeResultingRecords.ts"
import { isApex, type LiveRecord, servedRoleOf, type ServingZone } from "../zone/LiveZone.ts"

/** A change that was written to a zone to connect or to restore a connection; hosts are relative to `domain`. */
export interface JournaledChange {
  readonly connectionId: ConnectionId
  readonly domain: DomainName
  readonly change: Change
  readonly writtenAt: DateTime.Utc
}

/** A connection and its intent; hosts are relative to its own domain. */
export interface ConnectionIntent {
  readonly id: ConnectionId
  readonly intent: ResolvedIntent
}

/** A journaled change at or below a domain, with its host relative to that domain. */
export interface ChangeInDomain {
  readonly host: string
  readonly connectionId: ConnectionId
  readonly writtenAt: DateTime.Utc
  readonly before?: LiveRecord
  readonly after?: LiveRecord
}

/** Finds the changes that were written at or below the domain of a zone, in their order and without repairs. */
export const findChangesInDomain = (
  zone: ServingZone,
  journal: ReadonlyArray<JournaledChange>
): ReadonlyArray<ChangeInDomain> => withoutRepairs(locateChanges(zone, journal))

/** A rewritten record counts from its first write: a restore must not bring back the fault that was repaired. */
const withoutRepairs = (entries: ReadonlyArray<ChangeInDomain>): ReadonlyArray<ChangeInDomain> => {
  const written = new Set<string>()
  return entries.filter(({ after, before, connectionId, host }) => {
    const idOf = (record: LiveRecord | undefined) => `${connectionId} ${host} ${record?.key}`
    if (after !== undefined && written.has(idOf(after))) return before?.key === after.key
    if (before !== undefined) written.delete(idOf(before))
    if (after !== undefined) written.add(idOf(after))
    return true
  })
}

const locateChanges = (zone: ServingZone, journal: ReadonlyArray<JournaledChange>): ReadonlyArray<ChangeInDomain> =>
  journal.flatMap(({ change: { after, before }, connectionId, domain, writtenAt }) => {
    const hostInDomain = toHostIn(zone.domain, hostOfChange({ after, before }), domain)
    return Option.toArray(hostInDomain).map((host) => ({
      host,
      connectionId,
      writtenAt,
      ...(before === undefined ? {} : { before: toLiveRecord({ ...before, host }, zone) }),
      ...(after === undefined ? {} : { after: toLiveRecord({ ...after, host }, zone) })
    }))
  })

/** Selects the records of an intent that lie at or below the domain. */
export const selectIntentInDomain = (domain: DomainName, intent: ResolvedIntent): ResolvedIntent =>
  selectRecords(intent, domain, (record) =>
    Option.map(toHostIn(domain, record.host, intent.domain), (host) =>
      DnsRecord.make({ ...record, host }, withoutValidation)
    )
  )

/** The intent without its records of one type at one host. */
export const withoutRecord = (
  intent: ResolvedIntent,
  { host, type }: Pick<DnsRecord, "host" | "type">
): ResolvedIntent =>
  selectRecords(
    intent,
    intent.domain,
    Option.liftPredicate((record) => record.host !== host || record.type !== type)
  )

/** The intent for `domain` with the records that `select` returns, each with its record in the request. */
const selectRecords = (
  { effectiveIntent, intent }: ResolvedIntent,
  domain: DomainName,
  select: (record: DnsRecord) => Option.Option<DnsRecord>
): ResolvedIntent => {
  const selected = Array.getSomes(
    Array.zipWith(effectiveIntent.records, intent.records, (effectiveRecord, requested) =>
      Option.map(select(effectiveRecord), (record) => ({ record, requested }))
    )
  )
  return {
    domain,
    effectiveIntent: EffectiveIntent.make({ domain, records: selected.map(({ record }) => record) }, withoutValidation),
    intent: Intent.make({ ...intent, domain, records: selected.map(({ requested }) => requested) }, withoutValidation)
  }
}

/** A host of one domain relative to another domain; none if its name is not at or below that domain. */
const toHostIn = (domain: DomainName, host: string, ownDomain: DomainName): Option.Option<string> =>
  toRelativeHost(toFqdn(HostName.make(host), ownDomain), domain)

/** A record of a plan, which is in normal form already, as a zone has it. */
export const toLiveRecord = (record: ChangeRecord, zone: ServingZone): LiveRecord => ({
  ...toPlainRecord(record),
  role: servedRoleOf(record, zone),
  key: recordKeyOf(liveRoleOf(record.type, isApex(zone, record.host)), record)
})
