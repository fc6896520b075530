import type { ConnectionState } from "../../domain/Connection.ts"
import type { ConnectionEventType } from "../../domain/WebhookEvent.ts"

/** The event of entering a state, where it depends on the state before; `otherwise` for those not named, none without it. */
interface EventsOfState {
  readonly created?: ConnectionEventType
  readonly otherwise?: ConnectionEventType
  readonly from?: { readonly [From in ConnectionState]?: ConnectionEventType | "none" }
}

/**
 * The webhook event of each transition, by the state that it leads to. A state that only the customer's page shows has
 * none: signing in at the provider, writing, and waiting for the zone to be read. `bun run docs` prints it.
 */
export const connectionEventTable: { readonly [To in ConnectionState]: EventsOfState } = {
  requested: { created: "connection.created" },
  awaiting_authorization: { from: { requested: "connection.planned" } },
  authorizing: {},
  authorized: { otherwise: "connection.authorized" },
  planned: { otherwise: "connection.planned" },
  applying: {},
  awaiting_manual: { from: { requested: "connection.planned" } },
  verifying: { otherwise: "connection.applied", from: { failed: "none" } },
  active: { otherwise: "connection.restored", from: { verifying: "connection.active" } },
  degraded: { otherwise: "connection.degraded" },
  failed: { otherwise: "connection.failed" },
  disconnecting: {},
  expired: { otherwise: "connection.expired" },
  canceled: { otherwise: "connection.canceled" },
  disconnected: { otherwise: "connection.disconnected" }
}

/** The webhook event of a change of state; `from` is absent at the creation. */
export const connectionEventOf = (
  from: ConnectionState | undefined,
  to: ConnectionState
): ConnectionEventType | undefined => {
  const events = connectionEventTable[to]
  if (from === undefined) return events.created
  const special = events.from?.[from]
  return special === "none" ? undefined : (special ?? events.otherwise)
}
