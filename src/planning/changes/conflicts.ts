import type { DomainName } from "../../domain/names/DomainName.ts"
import { queryableTypes, type RecordTypeName } from "../../domain/records/dnsTypes.ts"
import type { HostConflicts } from "../../domain/records/RecordTypeDefinition.ts"
import { findRecordType, type RecordType } from "../../domain/records/recordTypes.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import type { DesiredRecord } from "../DesiredRecord.ts"
import {
  addressOrAliasRoles,
  hasSameMembers,
  isAddressRole,
  liveRoleOf,
  type RecordRole,
  roleOf
} from "../RecordRole.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"

/** The conflicts of the roles that are no types. */
const conflictsOfRoles: { readonly [_ in Exclude<RecordRole, RecordType>]: HostConflicts } = {
  ALIAS: { replaces: "set", excludes: ["A", "AAAA", "CNAME", "HTTPS", "SVCB", "WEB"] },
  DELEGATION: { replaces: "set", excludes: "all" }
}

const byRole: ReadonlyMap<string, HostConflicts> = new Map(Object.entries(conflictsOfRoles))

/** Types that no intent can contain are written only by a restore; they can coexist with everything but a CNAME. */
const conflictsOf = (role: string): HostConflicts =>
  findRecordType(role)?.conflicts ?? byRole.get(role) ?? { replaces: "nothing", excludes: ["CNAME"] }

/** Which records of its role a desired record replaces: all, those of its kind (`findSingletonTxtKind`), or none. */
export const replacementScopeOf = (role: string): HostConflicts["replaces"] => conflictsOf(role).replaces

/** Whether live records of another role cannot coexist with a desired record. */
export const isConflicting = (desired: string, live: string): boolean => {
  const { excludes } = conflictsOf(desired)
  return desired !== live && (excludes === "all" || excludes.includes(live))
}

/** Whether live records of another role must be removed before a desired record can be stored. */
export const isBlocking = (desired: string, live: string): boolean =>
  isConflicting(desired, live) && !(canOverlap(desired) && canOverlap(live))

const canOverlap = (role: string): boolean => isAddressRole(role) || isService(role)

/** The desired and live records of one host; `name` is its full name. */
export interface HostContext {
  readonly name: DomainName
  readonly desired: ReadonlyArray<DesiredRecord>
  readonly live: ReadonlyArray<LiveRecord>
}

/** Makes the test whether a live record that is not itself desired must be removed. */
export const shouldRemove = (context: HostContext): ((record: LiveRecord) => boolean) => {
  const roles = [...new Set(context.desired.map(({ role }) => role))]
  const kinds = new Set(context.desired.map(({ record }) => findSingletonTxtKind(record)))
  const isExempt = makeExemptionCheck(context)
  const isReplacedBy = (role: RecordRole, record: LiveRecord): boolean => {
    const kind = findSingletonTxtKind(record)
    return (
      replacementScopeOf(role) === "set" ||
      (replacementScopeOf(role) === "kind" && kind !== undefined && kinds.has(kind))
    )
  }
  return (record) =>
    roles.some((role) =>
      role === record.role ? isReplacedBy(role, record) : isConflicting(role, record.role) && !isExempt(role, record)
    )
}

/** Conflicting records that may stay: glue, DS of an unchanged delegation, HTTPS or SVCB with their addresses. */
const makeExemptionCheck = ({ desired, live, name }: HostContext) => {
  const isGlueHost = desired.some(({ record, role }) => role === "DELEGATION" && record.value === name)
  const isDelegatedAlready = hasSameMembers("DELEGATION", desired, live)
  const keepsAddresses =
    addressOrAliasRoles.every((sameRole) => hasSameMembers(sameRole, desired, live)) &&
    !live.some(({ role }) => role === "CNAME" || role === "WEB")
  return (role: RecordRole, record: LiveRecord): boolean =>
    role === "DELEGATION"
      ? (isGlueHost && isAddressRole(record.role)) || (isDelegatedAlready && belongsToDelegation(record))
      : isService(record.role) &&
        role !== "CNAME" &&
        (keepsAddresses || (isAddressRole(role) && followsAddresses(record)))
}

const belongsToDelegation = ({ role }: LiveRecord): boolean => findRecordType(role)?.belongsToDelegation === true

const isService = (role: string): boolean => findRecordType(role)?.followsAddresses !== undefined

/** Whether a service follows the addresses of its host. */
const followsAddresses = ({ role, value }: LiveRecord): boolean =>
  findRecordType(role)?.followsAddresses?.(value) === true

/** Whether two records are of the same kind that a host may have only one of. */
export const isSameSingletonKind = (one: TxtData, other: TxtData): boolean => {
  const kind = findSingletonTxtKind(one)
  return kind !== undefined && kind === findSingletonTxtKind(other)
}

type TxtData = Parameters<typeof findSingletonTxtKind>[0]

/** The live types that a public read of a desired host needs: its own, what it may replace, and NS below the apex. */
export const listRelevantTypes = (type: RecordType, isApex: boolean): ReadonlyArray<RecordTypeName> => {
  const desired = roleOf(type, isApex)
  return queryableTypes.filter((live) => {
    const role = liveRoleOf(live, isApex)
    return role === desired || role === "DELEGATION" || isConflicting(desired, role)
  })
}
