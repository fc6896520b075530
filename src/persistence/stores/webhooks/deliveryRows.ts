import { Schema } from "effect"
import { TenantId } from "../../../domain/access/Tenancy.ts"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { AttemptError, DeliveryStatus, type WebhookDelivery } from "../../../domain/webhook/WebhookDelivery.ts"
import { WebhookEventId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { WebhookEventType } from "../../../domain/webhook/WebhookEvent.ts"

export const deliveryColumns = `d.event_id as "eventId", e.type, e.tenant_id as "tenantId",
  e.connection_id as "connectionId", d.status, d.attempts, d.due_at as "dueAt", d.attempted_at as "attemptedAt",
  d.answer_status as "answerStatus", d.error, d.millis, d.created_at as "createdAt"`

export const DeliveryRow = Schema.Struct({
  eventId: WebhookEventId,
  type: WebhookEventType,
  tenantId: Schema.NullOr(TenantId),
  connectionId: Schema.NullOr(ConnectionId),
  status: DeliveryStatus,
  attempts: Schema.Int,
  dueAt: Schema.DateTimeUtcFromDate,
  attemptedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  answerStatus: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(AttemptError),
  millis: Schema.NullOr(Schema.Int),
  createdAt: Schema.DateTimeUtcFromDate
})

export const toDelivery = (row: typeof DeliveryRow.Type): WebhookDelivery => ({
  eventId: row.eventId,
  type: row.type,
  ...(row.tenantId === null ? {} : { tenantId: row.tenantId }),
  ...(row.connectionId === null ? {} : { connectionId: row.connectionId }),
  status: row.status,
  attempts: row.attempts,
  ...(row.status === "pending" ? { nextAttemptAt: row.dueAt } : {}),
  ...(row.attemptedAt === null
    ? {}
    : {
        lastAttempt: {
          at: row.attemptedAt,
          ...(row.answerStatus === null ? {} : { status: row.answerStatus }),
          ...(row.error === null ? {} : { error: row.error }),
          millis: row.millis ?? 0
        }
      }),
  createdAt: row.createdAt
})
