import { isRecordType, type RecordType } from "../domain/records/recordTypes.ts"

/** The type, but a CNAME is an alias where the provider serves addresses, and NS records below the apex delegate. */
export type RecordRole = RecordType | "ALIAS" | "DELEGATION"

export const roleOf = (type: RecordType, isAtApex: boolean): RecordRole =>
  type === "CNAME" && isAtApex ? "ALIAS" : type === "NS" && !isAtApex ? "DELEGATION" : type

/** The role of a live record, whose type may be one that an intent cannot contain. */
export const liveRoleOf = (type: string, isAtApex: boolean): string =>
  isRecordType(type) ? roleOf(type, isAtApex) : type === "ANAME" ? "ALIAS" : type

export const isAliasRole = (role: string): boolean => role === "CNAME" || role === "ALIAS"

export const isAddressRole = (role: string): boolean => role === "A" || role === "AAAA"

/** The roles by which a host itself answers with addresses: the provider resolves an ALIAS. */
export const addressOrAliasRoles = ["A", "AAAA", "ALIAS"] as const satisfies ReadonlyArray<RecordRole>

/** Whether a host itself answers with addresses by records of a role. */
export const isAddressOrAliasRole = (role: string): boolean => isAddressRole(role) || role === "ALIAS"

/** The role and key of a record; records of one host with equal keys serve the same data. */
export interface RecordIdentity {
  readonly role: string
  readonly key: string
}

/** The key of a record at its host: the role of its type, priority and value. However it is served, the key is the same. */
export const recordKeyOf = (role: string, data: { readonly value: string; readonly priority?: number }): string =>
  `${role} ${data.priority ?? ""} ${data.value}`

/** Whether both lists have the same members of a role, whatever their TTLs. */
export const hasSameMembers = (
  role: RecordRole,
  one: ReadonlyArray<RecordIdentity>,
  other: ReadonlyArray<RecordIdentity>
): boolean => keysOf(role, one).symmetricDifference(keysOf(role, other)).size === 0

const keysOf = (role: RecordRole, records: ReadonlyArray<RecordIdentity>): ReadonlySet<string> =>
  new Set(records.filter((record) => record.role === role).map(({ key }) => key))
