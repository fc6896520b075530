import { isIssuanceTag } from "../../domain/CaaProperty.ts"
import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import { liveRoleOf, recordKeyOf } from "../RecordRole.ts"
import { equivalenceKeyOf, parseCaaEntries } from "../caa/CaaSet.ts"
import { isConflicting, replacementScope } from "../changes/conflicts.ts"
import { isApex, type LiveRecord, type LiveZone } from "../zone/LiveZone.ts"

/** The place of a desired record at its host: the live records that are there instead of it or together with it. */
export interface RecordPlacement {
  /** The live records in that place: its set, those of its kind, or those that exclude it. */
  readonly occupants: ReadonlyArray<LiveRecord>
  /** Whether any of them is not desired itself. */
  readonly isContested: boolean
  /** Whether a change makes room for the record, adds it, or removes foreign records from its set. */
  readonly isAffectedBy: (change: Change) => boolean
}

/** Finds the place of a desired record among all desired records. */
export const findPlacement = (
  desired: DesiredRecord,
  allDesired: ReadonlyArray<DesiredRecord>,
  zone: LiveZone
): RecordPlacement => {
  const { host } = desired.record
  const desiredAtHost = allDesired.filter(({ record }) => record.host === host)
  const roles = new Set<string>(desiredAtHost.map(({ role }) => role))
  const keys = new Set(desiredAtHost.map(({ key }) => key))
  const isOccupant = (record: RecordAtHost): boolean =>
    record.role === desired.role
      ? isReplacedBy(desired, record)
      : isConflicting(desired.role, record.role) && !roles.has(record.role)
  const occupants = zone.recordsAt(host).filter(isOccupant)
  return {
    occupants,
    isContested: occupants.some(({ key }) => !keys.has(key)),
    isAffectedBy: ({ after, before }) =>
      (before?.host === host && isOccupant(toRecordAtHost(before, zone))) ||
      (after?.host === host && isVersionOf(desired, toRecordAtHost(after, zone)))
  }
}

type RecordAtHost = Pick<LiveRecord, "host" | "type" | "value" | "role" | "key">

const toRecordAtHost = (record: ChangeRecord, zone: LiveZone): RecordAtHost => {
  const role = liveRoleOf(record.type, isApex(zone, record.host))
  return { ...record, role, key: recordKeyOf(role, record) }
}

/** Whether a desired record replaces a record of its role: any of a set, one of its kind, else only the same one. */
const isReplacedBy = (desired: DesiredRecord, record: RecordAtHost): boolean =>
  replacementScope(desired.role) === "set" || isVersionOf(desired, record)

/**
 * Whether a record is the desired one in any spelling, or, if a host can have only one of its kind, a version of it.
 */
const isVersionOf = (desired: DesiredRecord, record: RecordAtHost): boolean => {
  const kind = singletonTxtKind(desired.record)
  if (record.role !== desired.role) return false
  if (kind !== undefined) return singletonTxtKind(record) === kind
  return record.key === desired.key || (desired.role === "CAA" && isSameCaa(desired.record.value, record.value))
}

/** Whether CAA planning treats two values as the same, which it does only if they name issuers. */
const isSameCaa = (one: string, other: string): boolean => {
  const entries = parseCaaEntries([one, other])
  return entries.every(({ tag }) => isIssuanceTag(tag)) && new Set(entries.map(equivalenceKeyOf)).size === 1
}
