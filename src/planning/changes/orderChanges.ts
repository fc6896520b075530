import { Array, Order } from "effect"
import { isBlocking } from "./conflicts.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/**
 * The rows in an order that is safe to apply: first what only adds, then each host where room has to be made, with what
 * uses the room directly after, then what only removes. A name is there before it is pointed to, and goes afterwards.
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
  const coming = [...roles].filter((role) => arrivals.some((row) => row.role === role))
  const wanted: ReadonlySet<string> = roles
  const [others, room] = Array.partition(
    removals,
    (row) => !wanted.has(row.role) && coming.some((role) => isBlocking(role, row.role))
  )
  const settling = new Set<string>(coming.filter((role) => room.some((row) => isBlocking(role, row.role))))
  const [additions, settlers] = Array.partition(arrivals, ({ role }) => settling.has(role))
  return {
    additions,
    replacements: [...Array.sort(room, targetsFirst), ...Array.sort(settlers, targetsFirst)],
    removals: others
  }
}

const ranks: ReadonlyArray<string> = ["A", "AAAA", "ALIAS", "CNAME", "TXT", "CAA", "SRV", "MX", "NS", "DELEGATION"]

const targetsFirst: Order.Order<PlanRow> = Order.combineAll([
  Order.mapInput(Order.number, ({ role }) => ranks.indexOf(role)),
  Order.mapInput(Order.string, ({ host }) => host),
  Order.mapInput(Order.string, ({ after, before }) => after?.value ?? before?.key ?? "")
])
