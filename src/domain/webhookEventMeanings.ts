import type { WebhookEventType } from "./WebhookEvent.ts"

/** When each webhook event is sent, for docs/webhooks.md and the OpenAPI document. */
export const webhookEventMeanings: Readonly<Record<WebhookEventType, string>> = {
  "connection.created": "the connection exists, and discovery begins",
  "connection.planned": "a plan waits for the customer: to authorize, to enter records by hand, or to approve it",
  "connection.authorized": "the service has a credential for the zone",
  "connection.applied": "the records are in the zone, or were there already, and the service checks every server",
  "connection.active": "every server shows the records",
  "connection.degraded":
    "records of an active connection are missing, or another customer has taken its hosts; `connection.failure` tells which",
  "connection.restored":
    "the connection is active again without a new plan: its records are back, or a new intent was given up",
  "connection.contested":
    "another customer asks for hosts of this connection, which stays as it is ([control](control.md))",
  "connection.failed": "the connection stopped; `connection.failure` says why",
  "connection.disconnected": "the records are removed, and what they replaced is back",
  "connection.canceled": "the connection was canceled before anything was written",
  "connection.expired": "nobody authorized it, approved it or entered the records in time",
  "endpoint.paused":
    "another endpoint of the application gets nothing any more; `data.endpoint` has `id`, `url`, `pauseReason`",
  "endpoint.test": "you asked for it"
}
