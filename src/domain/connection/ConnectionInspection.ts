import { Schema } from "effect"
import { AuditEntry } from "../access/AuditEntry.ts"
import { ApplicationId, TenantId } from "../access/Tenancy.ts"
import { ChangeAction } from "../plan/Plan.ts"
import { ObservationsDocument } from "../plan/ObservationsDocument.ts"
import { optional } from "../values/boundedSchemas.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { WebhookDelivery } from "../webhook/WebhookDelivery.ts"
import { PauseReason, WebhookEndpointId } from "../webhook/WebhookEndpoint.ts"
import { ConnectionId, ConnectionState, DelayCode, FailureCode, ReplanCode } from "./Connection.ts"
import { ConnectionDocument } from "./ConnectionDocument.ts"
import { Phase } from "./Transition.ts"

/** What an operator may do with a connection. */
export const OperatorAction = Schema.Literal("retry", "recheck", "cancel").annotations({
  identifier: "OperatorAction",
  description: "A command of an operator on a connection."
})
export type OperatorAction = typeof OperatorAction.Type

export const operatorActions: ReadonlyArray<OperatorAction> = OperatorAction.literals

/** A connection as a list for operators shows it. */
export const ConnectionSummary = Schema.Struct({
  id: ConnectionId,
  applicationId: ApplicationId,
  tenantId: TenantId,
  domain: Schema.String,
  state: ConnectionState,
  providerId: optional(Schema.String.annotations({ description: "The provider of the zone, once it is known." })),
  failure: optional(FailureCode),
  phase: optional(Phase),
  attempt: Schema.Int.annotations({ description: "How often the phase was begun." }),
  dueAt: optional(Timestamp),
  overdueSeconds: Schema.Int.annotations({ description: "For how long the phase has been due; 0 if it is not." }),
  takenBy: optional(Schema.String.annotations({ description: "The process that works on the phase." })),
  updatedAt: Timestamp
}).annotations({ identifier: "ConnectionSummary" })
export type ConnectionSummary = typeof ConnectionSummary.Type

/** For what a connection waits. */
export const WaitReason = Schema.Literal(
  "authorization",
  "sign_in",
  "approval",
  "manual_records",
  "dns_records",
  "next_check",
  "provider_pause",
  "resolver",
  "next_attempt",
  "free_process",
  "running_phase",
  "retry",
  "new_connection",
  "nothing"
).annotations({ identifier: "WaitReason", description: "For what a connection waits." })
export type WaitReason = typeof WaitReason.Type

/** Who can end a wait. */
export const WaitParty = Schema.Literal("customer", "platform", "operator", "provider", "service").annotations({
  identifier: "WaitParty",
  description: "Who can end the wait of a connection."
})
export type WaitParty = typeof WaitParty.Type

/** A change as it was sent to a provider, without the values of its records. */
const ProviderCall = Schema.Struct({
  run: Schema.String.annotations({ description: "The attempt to apply a plan." }),
  step: Schema.Int,
  providerId: Schema.String,
  action: ChangeAction,
  host: Schema.String,
  type: Schema.String,
  status: Schema.Literal("pending", "sent", "confirmed", "unknown", "failed"),
  plannedAt: Timestamp,
  settledAt: optional(Timestamp)
}).annotations({ identifier: "ProviderCall", description: "A change of a record at the provider." })
export type ProviderCall = typeof ProviderCall.Type

const ConnectionDelivery = Schema.Struct({ endpointId: Schema.String, ...WebhookDelivery.fields }).annotations({
  identifier: "ConnectionDelivery"
})
export type ConnectionDelivery = typeof ConnectionDelivery.Type

const InspectedTimelineEntry = Schema.Struct({
  id: Schema.String,
  from: optional(ConnectionState),
  to: ConnectionState,
  failure: optional(FailureCode),
  replan: optional(ReplanCode),
  occurredAt: Timestamp
}).annotations({ identifier: "InspectedTimelineEntry" })

/** Everything that an operator has to know of a connection to help its customer. */
export const ConnectionInspection = Schema.Struct({
  summary: ConnectionSummary,
  waitsFor: WaitReason,
  explanation: Schema.String.annotations({
    description: "What the connection waits for, and what can be done: a sentence."
  }),
  mayAct: Schema.Array(WaitParty).annotations({ description: "Who can end the wait." }),
  allowedActions: Schema.Array(OperatorAction).annotations({ description: "What an operator may do now." }),
  delay: optional(DelayCode),
  nextCheckAt: optional(Timestamp),
  credentialUntil: optional(Timestamp),
  connection: ConnectionDocument,
  records: ObservationsDocument,
  timeline: Schema.Array(InspectedTimelineEntry).annotations({ description: "The latest entries, the newest last." }),
  audit: Schema.Array(AuditEntry).annotations({ description: "Who did what: the latest entries, the newest first." }),
  providerCalls: Schema.Array(ProviderCall).annotations({ description: "The latest changes, the newest first." }),
  deliveries: Schema.Array(ConnectionDelivery).annotations({
    description: "The latest webhook events, the newest first, each with its delivery."
  })
}).annotations({ identifier: "ConnectionInspection" })
export type ConnectionInspection = typeof ConnectionInspection.Type

const Backlog = Schema.Struct({
  waiting: Schema.Int.annotations({ description: "What is due, counted up to 10,000." }),
  oldestSeconds: Schema.Number.annotations({ description: "For how long the oldest has been due." })
}).annotations({ identifier: "Backlog" })

/** How all connections stand. */
export const ConnectionOverview = Schema.Struct({
  states: Schema.Array(Schema.Struct({ state: ConnectionState, count: Schema.Int })).annotations({
    description: "Connections that have not ended, by state."
  }),
  failures: Schema.Array(
    Schema.Struct({ providerId: optional(Schema.String), failure: FailureCode, count: Schema.Int })
  ).annotations({
    description: "Connections with a failure that changed within a day, by provider, the most frequent first."
  }),
  phases: Backlog,
  webhooks: Backlog,
  failingEndpoints: Schema.Array(
    Schema.Struct({
      id: WebhookEndpointId,
      applicationId: ApplicationId,
      pauseReason: optional(PauseReason),
      failingSince: optional(Timestamp)
    })
  ).annotations({ description: "Webhook endpoints that fail or are paused." })
}).annotations({ identifier: "ConnectionOverview" })
export type ConnectionOverview = typeof ConnectionOverview.Type

/** What a bulk retry did with a connection, or would do. */
export const RetryOutcome = Schema.Struct({
  id: ConnectionId,
  domain: Schema.String,
  outcome: Schema.Literal("retried", "would_retry", "refused"),
  message: optional(Schema.String.annotations({ description: "Why it was refused." }))
}).annotations({ identifier: "RetryOutcome" })
export type RetryOutcome = typeof RetryOutcome.Type
