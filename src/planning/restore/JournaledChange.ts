import { Array, type DateTime, Option } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { DnsRecord } from "../../domain/DnsRecord.ts"
import { type DomainName, HostName, toFqdn, toRelativeHost } from "../../domain/DomainName.ts"
import { EffectiveIntent, Intent, type ResolvedIntent } from "../../domain/Intent.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import { liveRoleOf, recordKeyOf } from "../RecordRole.ts"
import { isApex, type LiveRecord } from "../zone/LiveZone.ts"

/** A change that was written to a zone, for a connection of it or for its leaving; hosts are relative to `domain`. */
export interface JournaledChange {
  readonly connectionId: ConnectionId
  readonly domain: DomainName
  readonly change: Change
  readonly writtenAt: DateTime.Utc
}

/** A connection that has not left, and what it asks of its own domain. */
export interface ConnectionIntent {
  readonly id: ConnectionId
  readonly intent: ResolvedIntent
}

/** A domain, to which hosts are relative, in a zone of this name. */
export interface ZoneScope {
  readonly name: DomainName
  readonly domain: DomainName
}

/** A written change as it is seen from another domain of the zone. */
export interface ScopedChange {
  readonly host: string
  readonly connectionId: ConnectionId
  readonly writtenAt: DateTime.Utc
  readonly before?: LiveRecord
  readonly after?: LiveRecord
}

/** What was written at or below the domain, in its order; repairs aside. */
export const scopeJournal = (
  viewpoint: ZoneScope,
  journal: ReadonlyArray<JournaledChange>
): ReadonlyArray<ScopedChange> => withoutRepairs(allSeenFrom(viewpoint, journal))

/**
 * What a connection wrote again, because somebody else had taken it out, counts from when it was written first: it is what
 * stood there before that which comes back, and not what broke it.
 */
const withoutRepairs = (entries: ReadonlyArray<ScopedChange>): ReadonlyArray<ScopedChange> => {
  const standing = new Set<string>()
  return entries.filter(({ after, before, connectionId, host }) => {
    const idOf = (record: LiveRecord | undefined) => `${connectionId} ${host} ${record?.key}`
    if (after !== undefined && standing.has(idOf(after))) return before?.key === after.key
    if (before !== undefined) standing.delete(idOf(before))
    if (after !== undefined) standing.add(idOf(after))
    return true
  })
}

const allSeenFrom = (viewpoint: ZoneScope, journal: ReadonlyArray<JournaledChange>): ReadonlyArray<ScopedChange> =>
  journal.flatMap(({ change: { after, before }, connectionId, domain, writtenAt }) => {
    const host = hostSeenFrom(viewpoint.domain, (after ?? before)?.host ?? "", domain)
    return Option.toArray(host).map((host) => ({
      host,
      connectionId,
      writtenAt,
      ...(before === undefined ? {} : { before: asLive(before, host, viewpoint) }),
      ...(after === undefined ? {} : { after: asLive(after, host, viewpoint) })
    }))
  })

/** What a connection asks of the domain and of what is below it. */
export const scopeIntent = ({ domain }: ZoneScope, intent: ResolvedIntent): ResolvedIntent =>
  narrowed(intent, domain, (record) =>
    Option.map(hostSeenFrom(domain, record.host, intent.domain), (host) =>
      DnsRecord.make({ ...record, host }, unchecked)
    )
  )

/** The intent without its records of one type at one host. */
export const withoutRecord = (
  intent: ResolvedIntent,
  { host, type }: Pick<DnsRecord, "host" | "type">
): ResolvedIntent =>
  narrowed(
    intent,
    intent.domain,
    Option.liftPredicate((record) => record.host !== host || record.type !== type)
  )

/** Some of the records that are wanted, with what was asked for of each. */
const narrowed = (
  { effectiveIntent, intent }: ResolvedIntent,
  domain: DomainName,
  choose: (record: DnsRecord) => Option.Option<DnsRecord>
): ResolvedIntent => {
  const chosen = Array.getSomes(
    Array.zipWith(effectiveIntent.records, intent.records, (record, asked) =>
      Option.map(choose(record), (record) => ({ record, asked }))
    )
  )
  return {
    domain,
    effectiveIntent: EffectiveIntent.make({ domain, records: chosen.map(({ record }) => record) }, unchecked),
    intent: Intent.make({ ...intent, domain, records: chosen.map(({ asked }) => asked) }, unchecked)
  }
}

/** Each of the records was checked when it was made. */
const unchecked = { disableValidation: true } as const

/** The host of the same name, relative to another domain; names that are not below it have none. */
const hostSeenFrom = (domain: DomainName, host: string, own: DomainName): Option.Option<string> =>
  toRelativeHost(toFqdn(HostName.make(host), own), domain)

/** Journals hold records in normal form. */
const asLive = (record: ChangeRecord, host: string, viewpoint: ZoneScope): LiveRecord => {
  const { priority, ttl, type, value } = record
  const role = liveRoleOf(type, isApex(viewpoint, host))
  return {
    host,
    type,
    value,
    ttl,
    ...(priority === undefined ? {} : { priority }),
    role,
    key: recordKeyOf(role, record)
  }
}
