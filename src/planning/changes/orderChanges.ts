import { Array, Order } from "effect"
import { isBlocking } from "./conflicts.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/**
 * Orders the rows so that they are safe to apply: first additions, then, host by host, removals that make room and the
 * additions that need it, then the other removals. A name exists before a record points to it, and is removed after it.
 */
export const orderChanges = (diffs: ReadonlyArray<HostDiff>): ReadonlyArray<PlanRow> => {
  const hosts = Array.sortWith(diffs, ({ host }) => host, Order.string).map(stepsAt)
  const step = (name: keyof Steps) => hosts.flatMap((steps) => steps[name])
  return [
    ...Array.sort(step("additions"), targetsFirst),
    ...step("replacements"),
    ...Array.sort(step("removals"), Order.reverse(targetsFirst))
  ]
}

interface Steps {
  readonly additions: ReadonlyArray<PlanRow>
  readonly replacements: ReadonlyArray<PlanRow>
  readonly removals: ReadonlyArray<PlanRow>
}

const stepsAt = ({ roles, rows }: HostDiff): Steps => {
  const [removals, arrivals] = Array.partition(rows, ({ after }) => after !== undefined)
  const arrivingRoles = [...roles].filter((role) => arrivals.some((row) => row.role === role))
  const desiredRoles: ReadonlySet<string> = roles
  const [otherRemovals, blockingRemovals] = Array.partition(
    removals,
    (row) => !desiredRoles.has(row.role) && arrivingRoles.some((role) => isBlocking(role, row.role))
  )
  const blockedRoles = new Set<string>(
    arrivingRoles.filter((role) => blockingRemovals.some((row) => isBlocking(role, row.role)))
  )
  const [additions, blockedAdditions] = Array.partition(arrivals, ({ role }) => blockedRoles.has(role))
  return {
    additions,
    replacements: [...Array.sort(blockingRemovals, targetsFirst), ...Array.sort(blockedAdditions, targetsFirst)],
    removals: otherRemovals
  }
}

const ranks: ReadonlyArray<string> = ["A", "AAAA", "ALIAS", "CNAME", "TXT", "CAA", "SRV", "MX", "NS", "DELEGATION"]

const targetsFirst: Order.Order<PlanRow> = Order.combineAll([
  Order.mapInput(Order.number, ({ role }) => ranks.indexOf(role)),
  Order.mapInput(Order.string, ({ host }) => host),
  Order.mapInput(Order.string, ({ after, before }) => after?.value ?? before?.key ?? "")
])
