import { Schema } from "effect"

export const ConnectionEventType = Schema.Literal(
  "connection.created",
  "connection.planned",
  "connection.setup_incomplete",
  "connection.authorized",
  "connection.applied",
  "connection.active",
  "connection.degraded",
  "connection.restored",
  "connection.failed",
  "connection.disconnected",
  "connection.canceled",
  "connection.expired",
  "connection.contested",
  "connection.erased"
)
export type ConnectionEventType = typeof ConnectionEventType.Type

/** The subject of a webhook event: a connection, or an endpoint. */
export const WebhookEventType = Schema.Literal(
  ...ConnectionEventType.literals,
  "endpoint.paused",
  "endpoint.test"
).annotations({ identifier: "WebhookEventType" })
export type WebhookEventType = typeof WebhookEventType.Type

/** An event as it waits to be sent: `data` is JSON. */
export interface WebhookEvent {
  readonly id: string
  readonly type: WebhookEventType
  readonly occurredAt: Date
  readonly data: string
}

/** The body of every request for an event: the same bytes at each attempt. */
export const formatWebhookBody = ({ data, occurredAt, type }: WebhookEvent): string =>
  `{"type":"${type}","timestamp":"${occurredAt.toISOString()}","data":${data}}`

/** When each webhook event is sent, for docs/webhooks.md and the OpenAPI document. */
export const webhookEventMeanings: Readonly<Record<WebhookEventType, string>> = {
  "connection.created": "the connection exists, and discovery begins",
  "connection.planned":
    "a plan waits for the customer: to authorize, to enter records by hand, or to approve it; also that of a new intent, a repair or a removal",
  "connection.setup_incomplete":
    "the customer has not finished entering records by hand, and asked for no check for a day; `data.missing` says what is wrong. Once for each setup",
  "connection.authorized": "the service has a credential for the zone",
  "connection.applied": "the records are in the zone, or were there already, and the service checks every server",
  "connection.active": "every server shows the records",
  "connection.degraded":
    "records of an active connection are missing, which `data.missing` names, or another customer has taken its hosts, as `connection.failure` says",
  "connection.restored":
    "the connection is active again without a new plan: its records are back, or a new intent was given up",
  "connection.contested":
    "another tenant asks for hosts of this connection, which stays as it is; at most once a day for each tenant ([control](control.md))",
  "connection.failed": "the connection stopped; `connection.failure` says why",
  "connection.disconnected": "the zone is restored; `leftovers` names what is not",
  "connection.canceled": "the connection was canceled before anything was written",
  "connection.expired": "nobody authorized it, approved it or entered the records in time",
  "connection.erased":
    "the connection had ended, and everything about it is deleted here; `data.connection` has its `id` alone. Delete your copies",
  "endpoint.paused":
    "another endpoint of the application gets nothing any more; `data.endpoint` has `id`, `url`, `pauseReason`. Every endpoint gets it, whatever its `eventTypes`",
  "endpoint.test": "you asked for it"
}
