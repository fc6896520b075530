import type { Change, ChangeRecord, Plan } from "../../domain/Plan.ts"

/**
 * The current records that must go before a plan counts as entered by hand: those that it deletes or replaces by another
 * value. What stands in the place of optional records only is not awaited, as these are not.
 */
export const listAwaitedRemovals = ({ changes }: Pick<Plan, "changes">): ReadonlyArray<ChangeRecord> => {
  const optionalHosts = new Set(hostsBrought(changes, true))
  const requiredHosts = new Set(hostsBrought(changes, false))
  return changes.flatMap(({ after, before }) => {
    if (before === undefined || after?.value === before.value) return []
    return optionalHosts.has(before.host) && !requiredHosts.has(before.host) ? [] : [before]
  })
}

/** The hosts at which changes bring records that are optional, or that are required. */
const hostsBrought = (changes: ReadonlyArray<Change>, isOptional: boolean): ReadonlyArray<string> =>
  changes.flatMap(({ after }) => (after !== undefined && after.optional === isOptional ? [after.host] : []))
