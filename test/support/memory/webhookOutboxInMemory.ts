import type { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { NewTimelineEntry, Transition } from "../../../src/domain/connection/Transition.ts"
import type { ConnectionRow, Tables, WebhookDeliveryRow, WebhookEndpointRow, WebhookEventRow } from "./Tables.ts"

/** Writes the webhook events of a transition with their deliveries, as the statement of PostgreSQL does. */
export const writeOutbox = (
  tables: Tables["Type"],
  { doc, id, tenancy, version }: ConnectionRow,
  events: ReadonlyArray<NewTimelineEntry>,
  now: number
): void => {
  for (const { from, id: eventId, missing, type } of events) {
    if (type === undefined) continue
    const data = formatConnectionEventData(doc, version, { from, missing })
    insertEvent(tables, {
      id: eventId,
      applicationId: tenancy.applicationId,
      tenantId: tenancy.tenantId,
      connectionId: id,
      type,
      data,
      createdAt: now
    })
  }
}

/** The data of an event of a connection: its document, its version, the state that it left, and what is missing. */
const formatConnectionEventData = (
  doc: string,
  version: number,
  { from, missing }: { readonly from: ConnectionState | undefined; readonly missing: NewTimelineEntry["missing"] }
): string => `{"connection":${doc},${JSON.stringify({ version, formerState: from, missing }).slice(1)}`

/** Writes the events that tell connections of one that contests them. */
export const reportContested = (
  tables: Tables["Type"],
  contests: NonNullable<Transition["contests"]>,
  now: number
): void => {
  for (const { connectionId, id } of contests) {
    const row = tables.connections.get(connectionId)
    if (row === undefined || tables.webhookEvents.has(id)) continue
    const { state, tenancy, version } = row
    insertEvent(tables, {
      ...tenancy,
      id,
      connectionId,
      type: "connection.contested",
      data: JSON.stringify({ connection: { id: connectionId, ...tenancy, state }, version }),
      createdAt: now
    })
  }
}

/** Writes an event with its deliveries to the endpoints that want it, but not to `except`. */
export const insertEvent = (tables: Tables["Type"], event: WebhookEventRow, except?: string) => {
  const receiving = [...tables.webhookEndpoints.values()].filter(
    (endpoint) => endpoint.id !== except && matchesEndpoint(endpoint, event)
  )
  if (receiving.length > 0) tables.webhookEvents.set(event.id, event)
  receiving.forEach((endpoint) => insertDelivery(tables, endpoint.id, event))
}

export const insertDelivery = (tables: Tables["Type"], endpointId: string, event: WebhookEventRow) => {
  const row: WebhookDeliveryRow = {
    endpointId,
    event,
    status: "pending",
    attempts: 0,
    claim: 0,
    dueAt: event.createdAt
  }
  tables.webhookDeliveries.set(`${endpointId} ${event.id}`, row)
  return row
}

const matchesEndpoint = ({ applicationId, settings }: WebhookEndpointRow, event: WebhookEventRow): boolean =>
  applicationId === event.applicationId &&
  (settings.eventTypes === undefined || event.type === "endpoint.paused" || settings.eventTypes.includes(event.type)) &&
  (settings.tenantIds === undefined || event.tenantId === undefined || settings.tenantIds.includes(event.tenantId))
