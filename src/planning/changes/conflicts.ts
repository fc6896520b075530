import { findSingletonTxtKind, nullTarget, queryableTypes, type RecordType } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
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

/** Which records of its own role a desired record replaces, and which other roles cannot exist at its host. */
interface Conflict {
  readonly replaces: "set" | "kind" | "nothing"
  readonly excludes: ReadonlyArray<string> | "all"
}

/** The conflicts between roles at one host. */
const conflicts: { readonly [_ in RecordRole]: Conflict } = {
  A: { replaces: "set", excludes: ["AAAA", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  AAAA: { replaces: "set", excludes: ["A", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  ALIAS: { replaces: "set", excludes: ["A", "AAAA", "CNAME", "HTTPS", "SVCB", "WEB"] },
  CNAME: { replaces: "set", excludes: "all" },
  MX: { replaces: "set", excludes: ["CNAME"] },
  TXT: { replaces: "kind", excludes: ["CNAME"] },
  SRV: { replaces: "set", excludes: ["CNAME"] },
  CAA: { replaces: "nothing", excludes: ["CNAME"] },
  NS: { replaces: "set", excludes: [] },
  DELEGATION: { replaces: "set", excludes: "all" }
}

/** Types that no intent can contain are written only by a restore; they can coexist with everything but a CNAME. */
const conflictOf = (role: string): Conflict => byRole.get(role) ?? { replaces: "nothing", excludes: ["CNAME"] }

const byRole: ReadonlyMap<string, Conflict> = new Map(Object.entries(conflicts))

/** Which records of its role a desired record replaces: all, those of its kind (`findSingletonTxtKind`), or none. */
export const replacementScopeOf = (role: string): Conflict["replaces"] => conflictOf(role).replaces

/** Whether live records of another role cannot coexist with a desired record. */
export const isConflicting = (desired: string, live: string): boolean => {
  const { excludes } = conflictOf(desired)
  return desired !== live && (excludes === "all" || excludes.includes(live))
}

/** Whether live records of another role must be removed before a desired record can be stored. */
export const isBlocking = (desired: string, live: string): boolean =>
  isConflicting(desired, live) && !(canOverlap.has(desired) && canOverlap.has(live))

const canOverlap: ReadonlySet<string> = new Set(["A", "AAAA", "HTTPS", "SVCB"])

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

/**
 * Makes the check for records that may stay although their role conflicts: glue, DS of an unchanged delegation, and
 * HTTPS or SVCB whose addresses stay or follow.
 */
const makeExemptionCheck = ({ desired, live, name }: HostContext) => {
  const isGlueHost = desired.some(({ record, role }) => role === "DELEGATION" && record.value === name)
  const isDelegatedAlready = hasSameMembers("DELEGATION", desired, live)
  const keepsAddresses =
    addressOrAliasRoles.every((sameRole) => hasSameMembers(sameRole, desired, live)) &&
    !live.some(({ role }) => role === "CNAME" || role === "WEB")
  return (role: RecordRole, record: LiveRecord): boolean =>
    role === "DELEGATION"
      ? (isGlueHost && isAddressRole(record.role)) || (isDelegatedAlready && record.role === "DS")
      : isService(record) && role !== "CNAME" && (keepsAddresses || (isAddressRole(role) && followsAddresses(record)))
}

const isService = ({ role }: LiveRecord): boolean => role === "HTTPS" || role === "SVCB"

/** An HTTPS or SVCB record (RFC 9460) whose target is the host itself, without address hints and ECH. */
const followsAddresses = ({ value }: LiveRecord): boolean => {
  const [, target, ...parameters] = value.trim().split(/\s+/)
  return (
    target === nullTarget &&
    !parameters.some((parameter) => /^(ipv4hint|ipv6hint|ech|key4|key5|key6)(=|$)/i.test(parameter))
  )
}

/** Whether two records are of the same kind of which a host may have only one. */
export const isSameSingletonKind = (one: TxtData, other: TxtData): boolean => {
  const kind = findSingletonTxtKind(one)
  return kind !== undefined && kind === findSingletonTxtKind(other)
}

type TxtData = Parameters<typeof findSingletonTxtKind>[0]

/**
 * The live types that matter to a desired record at its host, so that a reader of the public DNS has to query them: its
 * own type, those it may replace, and, below the apex, NS, which would delegate the host.
 */
export const listRelevantTypes = (
  type: RecordType,
  isApex: boolean
): ReadonlyArray<(typeof queryableTypes)[number]> => {
  const desired = roleOf(type, isApex)
  return queryableTypes.filter((live) => {
    const role = liveRoleOf(live, isApex)
    return role === desired || role === "DELEGATION" || isConflicting(desired, role)
  })
}
