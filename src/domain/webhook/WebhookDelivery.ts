import { Schema } from "effect"
import { ConnectionId } from "../connection/Connection.ts"
import { TenantId } from "../access/Tenancy.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { WebhookEventId } from "./WebhookEndpoint.ts"
import { WebhookEventType } from "./WebhookEvent.ts"
import { optional } from "../values/boundedSchemas.ts"

/** The status of the delivery of an event to an endpoint. The names are stored in rows. */
export const DeliveryStatus = Schema.Literal("pending", "delivered", "failed").annotations({
  identifier: "DeliveryStatus",
  description: "`pending` until an attempt succeeds, or the last one has failed."
})
export type DeliveryStatus = typeof DeliveryStatus.Type

export const AttemptError = Schema.Literal(
  "status",
  "redirect",
  "timeout",
  "connection",
  "address_not_allowed",
  "secret_unreadable"
).annotations({
  identifier: "AttemptError",
  description:
    "The answer was no 2xx (`status`) or a redirect, which is not followed; none came in time; there was no connection; the host has an address that is not public; or the service cannot read the secret."
})
export type AttemptError = typeof AttemptError.Type

/** How one attempt ended; without an `error` it was successful. */
export interface AttemptOutcome {
  readonly millis: number
  /** The status of the answer, if there was one. */
  readonly status?: number
  readonly error?: AttemptError
  /** The wish of the receiver (`Retry-After`). */
  readonly retryAfterSeconds?: number
}

/** The delivery of one event to one endpoint, as the API shows it. */
export const WebhookDelivery = Schema.Struct({
  eventId: WebhookEventId,
  type: WebhookEventType,
  tenantId: optional(TenantId),
  connectionId: optional(ConnectionId),
  status: DeliveryStatus,
  attempts: Schema.Int.annotations({ description: "How many attempts there were." }),
  nextAttemptAt: optional(Timestamp),
  lastAttempt: optional(
    Schema.Struct({
      at: Timestamp,
      status: optional(Schema.Int.annotations({ description: "The HTTP status of the answer." })),
      error: optional(AttemptError),
      millis: Schema.Int.annotations({ description: "How long the attempt took, in milliseconds." })
    })
  ),
  createdAt: Timestamp
}).annotations({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

export const maxAttempts = 10

const minute = 60
const hour = 60 * minute

/** After how many seconds the next attempt follows the first, the second, and so on. */
export const retryDelays: ReadonlyArray<number> = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour
]

/** Seconds until the next attempt; `random` (0 to 1) adds up to a tenth, which spreads an outage's deliveries. */
export const retryDelayOf = (failedAttempts: number, random: number, retryAfterSeconds = 0): number => {
  const planned = retryDelays[failedAttempts - 1] ?? 0
  return Math.max(planned * (1 + random / 10), Math.min(retryAfterSeconds, 24 * hour))
}
