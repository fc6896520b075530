import { isRecordType, type ZoneRecord } from "../../domain/DnsRecord.ts"
import { onceOnlyKind } from "../../domain/onceOnlyKind.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import { keyOf, liveRoleOf, roleOf } from "../Role.ts"
import { isApex, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"
import { needsRoom } from "./conflicts.ts"

/**
 * A change is carried out; or can still be; or what it brings stands beside what it was to replace; or the zone is
 * neither what it was before nor what it is to be.
 */
export type Progress = "done" | "open" | "beside" | "other"

/** Tells of each of some changes how far it has come in a zone; what another of them takes away stands in no one's way. */
export const progressIn = (zone: LiveZone, changes: ReadonlyArray<Change>): ((change: Change) => Progress) => {
  const dataOf = ({ host, type, ...data }: ZoneRecord) => keyOf(liveRoleOf(type, isApex(zone, host)), data)
  const find = (record: ChangeRecord) =>
    zone.recordsAt(record.host).find((standing) => dataOf(standing) === dataOf(record))
  const going = new Set(changes.flatMap(({ before }) => (before === undefined ? [] : (find(before) ?? []))))
  const isCrowded = (record: ChangeRecord) =>
    zone.recordsAt(record.host).some((standing) => !going.has(standing) && excludesOther(record, standing, zone))

  return ({ after, before }) => {
    const [arrival, leaver] = [after && find(after), before && find(before)]
    if (after !== undefined && arrival !== undefined && arrival === leaver) return byTtl(arrival, after, before)
    if (arrival !== undefined) return leaver === undefined ? "done" : "beside"
    if (after === undefined) return leaver === undefined ? "done" : "open"
    return (before === undefined) === (leaver === undefined) && !isCrowded(after) ? "open" : "other"
  }
}

/** Of a change of nothing but the TTL. */
const byTtl = ({ ttl }: LiveRecord, after: ChangeRecord, before: ChangeRecord | undefined): Progress =>
  ttl === after.ttl ? "done" : ttl === before?.ttl ? "open" : "other"

/** Whether a record cannot be stored beside another. A delegation can keep some, as its plan found. */
const excludesOther = (record: ChangeRecord, standing: LiveRecord, zone: LiveZone): boolean => {
  if (!isRecordType(record.type)) return false
  const role = roleOf(record.type, isApex(zone, record.host))
  const kind = onceOnlyKind(record)
  return (
    (role !== "DELEGATION" && needsRoom(role, standing.role)) ||
    (standing.role === role && (role === "CNAME" || role === "ALIAS")) ||
    (kind !== undefined && kind === onceOnlyKind(standing))
  )
}
