import type { RecordType } from "../domain/DnsRecord.ts"
import { queryableTypes } from "../domain/queryableTypes.ts"
import { liveRoleOf, roleOf } from "./RecordRole.ts"
import { isConflicting } from "./changes/conflicts.ts"

/**
 * The live types that a wanted record concerns at its host, and that a reader of the public DNS therefore asks for: its
 * own, those it may replace, and below the apex NS, which would delegate the host away.
 */
export const relevantTypes = (type: RecordType, isApex: boolean): ReadonlyArray<(typeof queryableTypes)[number]> => {
  const wanted = roleOf(type, isApex)
  return queryableTypes.filter((live) => {
    const role = liveRoleOf(live, isApex)
    return role === wanted || role === "DELEGATION" || isConflicting(wanted, role)
  })
}
