import { Schema } from "effect"
import type { ConnectionState } from "./Connection.ts"

/** What happened to a connection, as a webhook event tells it. */
export const ConnectionEventType = Schema.Literal(
  "connection.created",
  "connection.planned",
  "connection.authorized",
  "connection.applied",
  "connection.active",
  "connection.degraded",
  "connection.restored",
  "connection.failed",
  "connection.disconnected",
  "connection.canceled",
  "connection.expired",
  "connection.contested"
)
export type ConnectionEventType = typeof ConnectionEventType.Type

/** What a webhook event is about: a connection, or an endpoint. */
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

/** The data of an event of a connection: its document, its version, and the state that it left. */
export const formatConnectionEventData = (doc: string, version: number, formerState?: ConnectionState): string =>
  `{"connection":${doc},"version":${version}${formerState === undefined ? "" : `,"formerState":"${formerState}"`}}`
