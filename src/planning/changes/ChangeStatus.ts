import { Array } from "effect"
import { isRecordType, type ZoneRecord } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import { liveRoleOf, recordKeyOf, roleOf } from "../RecordRole.ts"
import { isApex, type LiveRecord, type LiveZone, liveZone } from "../zone/LiveZone.ts"
import { isBlocking } from "./conflicts.ts"
import { resultingRecords } from "./resultingRecords.ts"

/**
 * A change is carried out; or can still be; or what it brings stands beside what it was to replace; or the zone is
 * neither what it was before nor what it is to be.
 */
export type ChangeStatus = "applied" | "pending" | "duplicated" | "diverged"

/** Tells of each of some changes how far it has come in a zone; what another of them takes away stands in no one's way. */
export const changeStatusIn = (zone: LiveZone, changes: ReadonlyArray<Change>): ((change: Change) => ChangeStatus) => {
  const dataOf = ({ host, type, ...data }: ZoneRecord) => recordKeyOf(liveRoleOf(type, isApex(zone, host)), data)
  const find = (record: ChangeRecord) =>
    zone.recordsAt(record.host).find((standing) => dataOf(standing) === dataOf(record))
  const going = new Set(changes.flatMap(({ before }) => (before === undefined ? [] : (find(before) ?? []))))
  const isCrowded = (record: ChangeRecord) =>
    zone.recordsAt(record.host).some((standing) => !going.has(standing) && excludesOther(record, standing, zone))

  return ({ after, before }) => {
    const [arrival, leaver] = [after && find(after), before && find(before)]
    if (after !== undefined && arrival !== undefined && arrival === leaver) return byTtl(arrival, after, before)
    if (arrival !== undefined) return leaver === undefined ? "applied" : "duplicated"
    if (after === undefined) return leaver === undefined ? "applied" : "pending"
    return (before === undefined) === (leaver === undefined) && !isCrowded(after) ? "pending" : "diverged"
  }
}

/** Of a change of nothing but the TTL. */
const byTtl = ({ ttl }: LiveRecord, after: ChangeRecord, before: ChangeRecord | undefined): ChangeStatus =>
  ttl === after.ttl ? "applied" : ttl === before?.ttl ? "pending" : "diverged"

/** Whether a record cannot be stored beside another. A delegation can keep some, as its plan found. */
const excludesOther = (record: ChangeRecord, standing: LiveRecord, zone: LiveZone): boolean => {
  if (!isRecordType(record.type)) return false
  const role = roleOf(record.type, isApex(zone, record.host))
  const kind = singletonTxtKind(record)
  return (
    (role !== "DELEGATION" && isBlocking(role, standing.role)) ||
    (standing.role === role && (role === "CNAME" || role === "ALIAS")) ||
    (kind !== undefined && kind === singletonTxtKind(standing))
  )
}

/**
 * The deletions of a plan that were made only so that the change at a place could be made, or the one for which that
 * deletion itself makes room: those directly before it at its host.
 */
export const deletionsMakingRoomFor = (changes: ReadonlyArray<Change>, place: number): ReadonlyArray<Change> => {
  const makesRoom = (change: Change): boolean => change.action === "delete" && hostOf(change) === hostOf(changes[place])
  const beneficiary = changes.slice(place).find((change) => !makesRoom(change))
  return beneficiary?.after !== undefined && hostOf(beneficiary) === hostOf(changes[place])
    ? Array.reverse(Array.takeWhile(Array.reverse(changes.slice(0, place)), makesRoom))
    : []
}

const hostOf = (change: Change | undefined): string | undefined => change?.after?.host ?? change?.before?.host

/**
 * Whether a zone serves, at the hosts of the changes, what another one served before them but for the changes: all that
 * was to come, nothing that was to go, and every sibling. TTLs do not count.
 */
export const isApplied = (
  changes: ReadonlyArray<Change>,
  zones: { readonly before: Zone; readonly after: Zone },
  domain: DomainName
): boolean => {
  const expected = liveZone({ ...zones.before, records: resultingRecords(zones.before, changes) }, domain)
  const found = liveZone(zones.after, domain)
  const hosts = new Set(changes.flatMap(({ after, before }) => [after, before].flatMap((record) => record?.host ?? [])))
  return [...hosts].every((host) => {
    const [wanted, served] = [expected, found].map((zone) => new Set(zone.recordsAt(host).map(({ key }) => key)))
    return wanted?.symmetricDifference(served ?? wanted).size === 0
  })
}
