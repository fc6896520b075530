import type { Connection, ConnectionState } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { ConnectionEventType } from "../../domain/webhook/WebhookEvent.ts"
import type { LifecycleEvent } from "./LifecycleEvent.ts"

/** The event of entering a state, where it depends on the state before; `otherwise` for those not named, none without it. */
interface EventsOfState {
  readonly created?: ConnectionEventType
  readonly otherwise?: ConnectionEventType
  readonly from?: { readonly [From in ConnectionState]?: ConnectionEventType }
  /** The causes that lead to the state without an event. */
  readonly silentCauses?: ReadonlyArray<LifecycleEvent["_tag"]>
}

/**
 * The webhook event of each transition, by the state that it leads to; none for states that only the customer's page
 * shows. While a connection waits for the customer, the plan decides (see `connectionEventOf`). A new event has its type
 * and meaning in `WebhookEvent`, and an entry in `AuditAction`; then `bun run docs` and `bun run openapi` list it.
 */
const connectionEventTable: { readonly [To in ConnectionState]: EventsOfState } = {
  requested: { created: "connection.created" },
  awaiting_authorization: {},
  authorizing: {},
  authorized: { otherwise: "connection.authorized" },
  planned: { otherwise: "connection.planned" },
  applying: {},
  awaiting_manual: {},
  // A retry, or a new intent that was given up, returns to records that were reported.
  verifying: { otherwise: "connection.applied", silentCauses: ["Retried", "Canceled", "Expired"] },
  active: { otherwise: "connection.restored", from: { verifying: "connection.active" } },
  degraded: { otherwise: "connection.degraded" },
  failed: { otherwise: "connection.failed" },
  disconnecting: {},
  expired: { otherwise: "connection.expired" },
  canceled: { otherwise: "connection.canceled" },
  disconnected: { otherwise: "connection.disconnected" }
}

/** The input of the decision on an event: the state, and whether there is a plan. */
interface PlannedState extends Pick<Connection, "state"> {
  readonly plan?: unknown
}

/** The webhook event of a transition; `before` is absent at the creation. A waiting plan is announced once. */
export const connectionEventOf = (
  before: PlannedState | undefined,
  after: PlannedState,
  cause?: LifecycleEvent["_tag"]
): ConnectionEventType | undefined => {
  const events = connectionEventTable[after.state]
  if (before === undefined) return events.created
  if (offersPlan(after)) return isPlanKnown(before) ? undefined : "connection.planned"
  if (before.state === after.state || (cause !== undefined && events.silentCauses?.includes(cause))) return undefined
  return events.from?.[before.state] ?? events.otherwise
}

/** The type of the webhook event that reports a transition, if one does. */
export const toEventType = (
  before: PlannedState | undefined,
  after: PlannedState,
  cause?: LifecycleEvent["_tag"]
): { readonly type?: ConnectionEventType } => {
  const type = connectionEventOf(before, after, cause)
  return type === undefined ? {} : { type }
}

/** The event of a customer who enters records by hand and has not finished, while the state stays as it is. */
export const incompleteEvent: ConnectionEventType = "connection.setup_incomplete"

/** Whether a setup by hand counts as unfinished from now on. */
export const hasBecomeIncomplete = (before: ConnectionRecord, after: ConnectionRecord): boolean =>
  after.progress.isReportedIncomplete === true && before.progress.isReportedIncomplete !== true

/** Whether the customer is asked to authorize a plan, or to enter it by hand. */
const offersPlan = ({ plan, state }: PlannedState): boolean =>
  plan !== undefined && (state === "awaiting_authorization" || state === "awaiting_manual")

/** Whether the customer was asked already, and has chosen a method at most. */
const isPlanKnown = ({ plan, state }: PlannedState): boolean =>
  plan !== undefined && (state === "authorizing" || offersPlan({ plan, state }))
