import { isIssuanceTag } from "../../domain/CaaProperty.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import { liveRoleOf, recordKeyOf } from "../RecordRole.ts"
import { equivalenceKeyOf, parseCaaEntries } from "../caa/CaaSet.ts"
import { isConflicting, replacementScope } from "../changes/conflicts.ts"
import { isApex, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"

/** The place of a wanted record at its host: what is there instead of it or together with it. */
export interface RecordPlacement {
  /** The live records that stand there: its set, those of its kind, or what excludes it. */
  readonly occupants: ReadonlyArray<LiveRecord>
  /** Whether any of them is not wanted itself. */
  readonly isContested: boolean
  /** Whether a change makes room for the record, brings it, or takes from its set what is foreign there. */
  readonly isAffectedBy: (change: Change) => boolean
}

/** Looks at the place of a record among all that are wanted. */
export const findPlacement = (
  wanted: DesiredRecord,
  all: ReadonlyArray<DesiredRecord>,
  zone: LiveZone
): RecordPlacement => {
  const { host } = wanted.record
  const atHost = all.filter(({ record }) => record.host === host)
  const roles = new Set<string>(atHost.map(({ role }) => role))
  const keys = new Set(atHost.map(({ key }) => key))
  const standsThere = (record: Standing): boolean =>
    record.role === wanted.role
      ? isRival(wanted, record)
      : isConflicting(wanted.role, record.role) && !roles.has(record.role)
  const taken = zone.recordsAt(host).filter(standsThere)
  return {
    occupants: taken,
    isContested: taken.some(({ key }) => !keys.has(key)),
    isAffectedBy: ({ after, before }) =>
      (before?.host === host && standsThere(asStanding(before, zone))) ||
      (after?.host === host && isOfItself(wanted, asStanding(after, zone)))
  }
}

type Standing = Pick<LiveRecord, "host" | "type" | "value" | "role" | "key">

const asStanding = (record: ChangeRecord, zone: LiveZone): Standing => {
  const role = liveRoleOf(record.type, isApex(zone, record.host))
  return { ...record, role, key: recordKeyOf(role, record) }
}

/** Whether a record of its role takes its place: any of a set, one of its kind, else only the same. */
const isRival = (wanted: DesiredRecord, record: Standing): boolean =>
  replacementScope(wanted.role) === "set" || isOfItself(wanted, record)

/** Whether it is the record, in whatever spelling, or for what exists only once at a host, another version of it. */
const isOfItself = (wanted: DesiredRecord, record: Standing): boolean => {
  const kind = singletonTxtKind(wanted.record)
  if (record.role !== wanted.role) return false
  if (kind !== undefined) return singletonTxtKind(record) === kind
  return record.key === wanted.key || (wanted.role === "CAA" && isSameCaa(wanted.record.value, record.value))
}

/** As the rule for CAA takes them for the same: only where they name issuers. */
const isSameCaa = (one: string, other: string): boolean => {
  const entries = parseCaaEntries([one, other])
  return entries.every(({ tag }) => isIssuanceTag(tag)) && new Set(entries.map(equivalenceKeyOf)).size === 1
}
