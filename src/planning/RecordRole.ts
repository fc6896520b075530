import { isRecordType, type RecordType } from "../domain/DnsRecord.ts"

/**
 * What a record does at its host: its type, except that a CNAME at the apex of a zone can only be an alias which the
 * provider flattens, and that NS below the apex delegate.
 */
export type RecordRole = RecordType | "ALIAS" | "DELEGATION"

/** The role of a wanted record. */
export const roleOf = (type: RecordType, atApex: boolean): RecordRole =>
  type === "CNAME" && atApex ? "ALIAS" : type === "NS" && !atApex ? "DELEGATION" : type

/** The role of a live record, whose type may be one that no intent can ask for. */
export const liveRoleOf = (type: string, atApex: boolean): string =>
  isRecordType(type) ? roleOf(type, atApex) : type === "ANAME" ? "ALIAS" : type

/** A record with its role; records of one host whose keys are equal serve the same. */
export interface RecordIdentity {
  readonly role: string
  readonly key: string
}

/** What a record serves at its host: its role, priority and value. */
export const recordKeyOf = (role: string, data: { readonly value: string; readonly priority?: number }): string =>
  `${role} ${data.priority ?? ""} ${data.value}`

/** Whether the members of the role are the same in both, TTLs aside. */
export const hasSameMembers = (
  role: RecordRole,
  one: ReadonlyArray<RecordIdentity>,
  other: ReadonlyArray<RecordIdentity>
): boolean => keysOf(role, one).symmetricDifference(keysOf(role, other)).size === 0

const keysOf = (role: RecordRole, members: ReadonlyArray<RecordIdentity>): ReadonlySet<string> =>
  new Set(members.filter((member) => member.role === role).map(({ key }) => key))
