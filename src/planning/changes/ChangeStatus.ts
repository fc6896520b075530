import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { isRecordType } from "../../domain/records/recordTypes.ts"
import { isAliasRole, liveRoleOf, recordKeyOf } from "../RecordRole.ts"
import {
  isApex,
  isEditable,
  type LiveRecord,
  type LiveZone,
  normalizeData,
  selectRecordsAt,
  servedRoleOf,
  toLiveZone,
  toLiveZoneAt
} from "../zone/LiveZone.ts"
import { isBlocking, isSameSingletonKind } from "./conflicts.ts"
import { computeResultingRecords, toPlainRecord } from "./computeResultingRecords.ts"

/**
 * `applied`: the zone is as after the change; `pending`: as before, so that the change can be made; `duplicated`: the new
 * record exists together with the one that it replaces; `diverged`: neither.
 */
export type ChangeStatus = "applied" | "pending" | "duplicated" | "diverged"

/** Makes a function that tells the status of a change; records that `changes` remove block none of them. */
export const makeChangeStatusCheck = (
  zone: LiveZone,
  changes: ReadonlyArray<Change>
): ((change: Change) => ChangeStatus) => {
  const dataOf = makeServedKey(zone)
  const indexes = new Map<string, ReadonlyMap<string, LiveRecord>>()
  const indexOf = (host: string) => {
    const index =
      indexes.get(host) ??
      new Map(
        zone
          .recordsAt(host)
          .toReversed()
          .map((live) => [dataOf(live), live])
      )
    indexes.set(host, index)
    return index
  }
  const find = (record: ChangeRecord) => indexOf(record.host).get(dataOf(record))
  const removed = new Set(changes.flatMap(({ before }) => (before === undefined ? [] : (find(before) ?? []))))
  const isBlocked = (record: ChangeRecord) =>
    zone.recordsAt(record.host).some((live) => !removed.has(live) && isExclusive(record, live, zone))

  return ({ after, before }) => {
    const [liveAfter, liveBefore] = [after && find(after), before && find(before)]
    if (after !== undefined && liveAfter !== undefined && liveAfter === liveBefore) {
      return ttlStatus(liveAfter, after, before)
    }
    if (liveAfter !== undefined) return liveBefore === undefined ? "applied" : "duplicated"
    if (after === undefined) return liveBefore === undefined ? "applied" : "pending"
    return (before === undefined) === (liveBefore === undefined) && !isBlocked(after) ? "pending" : "diverged"
  }
}

/** Makes a key of what a record serves: equal for the same data, even for an alias stored as a provider's own type. */
export const makeServedKey =
  (zone: Pick<LiveZone, "domain" | "name">) =>
  ({ host, type, ...data }: Omit<ZoneRecord, "ttl">): string =>
    `${host} ${recordKeyOf(liveRoleOf(type, isApex(zone, host)), data)}`

const ttlStatus = ({ ttl }: LiveRecord, after: ChangeRecord, before: ChangeRecord | undefined): ChangeStatus =>
  ttl === after.ttl ? "applied" : ttl === before?.ttl ? "pending" : "diverged"

/** Whether a record cannot be stored together with a live one. A delegation keeps the records that its plan kept. */
const isExclusive = (record: ChangeRecord, live: LiveRecord, zone: LiveZone): boolean => {
  if (!isRecordType(record.type)) return false
  const role = servedRoleOf(record, zone)
  return (
    (role !== "DELEGATION" && isBlocking(role, live.role)) ||
    (isAliasRole(live.role) && isAliasRole(role)) ||
    isSameSingletonKind(record, live)
  )
}

/** The deletions of a plan that only make room for the change at `index`: those directly before it at its host. */
export const findPrerequisiteDeletions = (changes: ReadonlyArray<Change>, index: number): ReadonlyArray<Change> => {
  const host = changes[index]?.after?.host
  const first = changes
    .slice(0, index)
    .findLastIndex(({ action, before }) => action !== "delete" || before?.host !== host)
  return host === undefined ? [] : changes.slice(first + 1, index)
}

/** Whether a zone serves, at the changed hosts, exactly an earlier zone with the changes applied. TTLs do not count. */
export const isApplied = (
  changes: ReadonlyArray<Change>,
  zones: { readonly before: Zone; readonly after: Zone },
  domain: DomainName
): boolean => {
  const hosts = hostsOf(changes)
  const before = { ...zones.before, records: selectRecordsAt(zones.before, hosts) }
  const expected = toLiveZone({ ...before, records: computeResultingRecords(before, changes) }, domain)
  const actual = toLiveZoneAt(zones.after, domain, hosts)
  return [...hosts].every((host) => keysAt(expected, host).symmetricDifference(keysAt(actual, host)).size === 0)
}

/** Added records that a zone has more than once, in any spelling and TTL: in normal form, of their stored type. */
export const findDuplicatedRecords = (
  changes: ReadonlyArray<Change>,
  zone: Zone,
  domain: DomainName
): ReadonlyArray<ChangeRecord> => {
  const servedKeyOf = makeServedKey({ name: zone.name, domain })
  const added = changes.flatMap(({ after }) => after ?? [])
  const stored = selectRecordsAt(zone, new Set(added.map(({ host }) => host)))
    .filter(isEditable)
    .map((record) => ({ ...record, ...normalizeData(record), host: record.host.toLowerCase() }))
  const storedAs = Map.groupBy(stored, servedKeyOf)
  return [...new Set(added.map(servedKeyOf))].flatMap((key) => {
    const [first, ...others] = storedAs.get(key) ?? []
    return first === undefined || others.length === 0 ? [] : [{ ...toPlainRecord(first), optional: false }]
  })
}

export const hostsOf = (changes: ReadonlyArray<Change>): ReadonlySet<string> =>
  new Set(changes.flatMap(({ after, before }) => [after, before].flatMap((record) => record?.host ?? [])))

const keysAt = (zone: LiveZone, host: string): ReadonlySet<string> =>
  new Set(zone.recordsAt(host).map(({ key }) => key))
