import type { RecordType } from "../domain/DnsRecord.ts"
import { queryableTypes } from "../domain/queryableTypes.ts"
import { liveRoleOf, roleOf } from "./RecordRole.ts"
import { isConflicting } from "./changes/conflicts.ts"

/**
 * The live types that matter to a desired record at its host, so that a reader of the public DNS has to query them: its
 * own type, those it may replace, and, below the apex, NS, which would delegate the host.
 */
export const relevantTypes = (type: RecordType, isApex: boolean): ReadonlyArray<(typeof queryableTypes)[number]> => {
  const desired = roleOf(type, isApex)
  return queryableTypes.filter((live) => {
    const role = liveRoleOf(live, isApex)
    return role === desired || role === "DELEGATION" || isConflicting(desired, role)
  })
}
