import { Array, type DateTime, Either, Schema } from "effect"
import type { Connection, ConnectionState } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, type Progress, servedStates } from "../../domain/connection/ConnectionRecord.ts"
import { Change, type ChangeRecord, isSameRecord, type Plan } from "../../domain/plan/Plan.ts"
import type { ProposedPlan } from "./LifecycleEvent.ts"
import { canChooseAgain } from "./failures.ts"

/** Shown changes that the customer may have made by hand: of earlier plans, and of the current one while it waits. */
export const listShownChanges = (current: ConnectionRecord): Progress["shown"] => {
  const { direction, plan, state } = current.connection
  const { entered, shown } = current.progress
  if (plan === undefined || direction === "restore" || !waitingStates.has(state)) return shown
  // The service has written a plan from the provider's zone, unless that failed and another way leads on.
  if (state === "failed" && plan.basis === "provider" && !canChooseAgain(current)) return shown
  const known = [...entered, ...shown]
  const added = listEnterable(plan).filter((change) => !known.some((other) => isSameChange(other.change, change)))
  return [...shown, ...added.map((change) => ({ change }))]
}

/** The changes that a customer can make, and undo: the addresses of a proxy stand in no zone. */
export const listEnterable = ({ changes }: Pick<Plan, "changes">): ReadonlyArray<Change> =>
  changes.flatMap((change): ReadonlyArray<Change> => {
    const { after, before, destructive } = change
    if (before?.proxied !== true) return [change]
    return after === undefined ? [] : [{ action: "create", after, destructive }]
  })

const isSameChange = Schema.equivalence(Change)

/** The states in which the customer may enter the plan, whether or not they have chosen to. */
const waitingStates: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "awaiting_authorization",
  "authorizing",
  "awaiting_manual",
  "failed"
])

/**
 * Keeps the shown changes found made; for a removal all, since servers may show them later. A provider's zone finds none:
 * hidden records may have stood there before. What its plan does not ask for any more is found at a removal.
 */
export const shownAfterPlan = (
  { connection: { direction }, progress: { shown } }: ConnectionRecord,
  { found, plan }: Pick<ProposedPlan, "found" | "plan">,
  now: DateTime.Utc
): Pick<Progress, "shown"> => {
  if (found === undefined) return { shown: direction === "restore" ? shown : listMade(shown, plan, now) }
  return {
    shown: [
      ...found.map(({ change, enteredAt = now }) => ({ change, enteredAt })),
      ...(direction === "restore" ? shown.filter((entry) => !found.includes(entry)) : [])
    ]
  }
}

/** What the customer may have made of the shown changes, where a plan from the zone of the provider asks for the rest. */
const listMade = (shown: Progress["shown"], { changes }: Plan, now: DateTime.Utc): Progress["shown"] => {
  const brought = changes.flatMap(({ after }) => after ?? [])
  const removed = changes.flatMap(({ before }) => before ?? [])
  const known = shown.flatMap(({ change }) => change.before ?? [])
  /** The public DNS showed other records there than the provider has. */
  const isHidden = (host: string) => removed.some((record) => record.host === host && !includes(known, record))
  return shown.flatMap((entry): Progress["shown"] => {
    const { after, before, destructive } = entry.change
    if (entry.enteredAt !== undefined) return [entry]
    if (after !== undefined && !includes(brought, after))
      return before !== undefined && includes(removed, before)
        ? [{ change: { action: "create", after, destructive: false } }]
        : [entry]
    if (before === undefined || includes(removed, before)) return []
    if (brought.every(({ host }) => host !== before.host)) return [entry]
    return isHidden(before.host) ? [] : [{ change: { action: "delete", before, destructive }, enteredAt: now }]
  })
}

const includes = (records: ReadonlyArray<ChangeRecord>, record: ChangeRecord): boolean =>
  records.some((other) => isSameRecord(other, record))

/** Counts changes found made as entered, once the records are in the zone or the connection is removed. */
export const countEntered = (
  { entered, shown }: Pick<Progress, "entered" | "shown">,
  { direction, state }: Pick<Connection, "direction" | "state">
): Pick<Progress, "entered" | "shown"> => {
  if (direction !== "restore" && !servedStates.includes(state)) return { entered, shown }
  const [open, found] = Array.partitionMap(shown, ({ change, enteredAt }) =>
    enteredAt === undefined ? Either.left({ change }) : Either.right({ change, at: enteredAt })
  )
  return { entered: [...entered, ...found], shown: open }
}
