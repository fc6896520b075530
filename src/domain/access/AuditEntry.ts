import { Effect, FiberRef, Schema } from "effect"
import { Actor, currentActor } from "./Actor.ts"
import { ConnectionId, ConnectionState, FailureCode } from "../connection/Connection.ts"
import { ControlMethod } from "../connection/Control.ts"
import { PlanDigest } from "../plan/Plan.ts"
import { maxMissingRecords, MissingRecord } from "../plan/RecordObservation.ts"
import { ApplicationId, KeyName, TenantId } from "./Tenancy.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { Warning } from "../plan/Warning.ts"
import { optional } from "../values/boundedSchemas.ts"

/**
 * The kind of an audited action: a command, a webhook event by its type, or another change. The service itself causes
 * `webhook_endpoint.paused`; `test_zone` and `test_time` are calls of test mode.
 */
export const AuditAction = Schema.Literal(
  "connection.created",
  "connection.discovered",
  "connection.manual_chosen",
  "connection.manual_abandoned",
  "connection.provider_selected",
  "connection.intent_changed",
  "connection.changed",
  "connection.control_lost",
  "connection.authorization_opened",
  "connection.authorization_closed",
  "connection.authorized",
  "connection.planned",
  "connection.plan_made",
  "connection.approved",
  "connection.put_back_requested",
  "connection.plan_invalidated",
  "connection.write_delayed",
  "connection.applied",
  "connection.active",
  "connection.degraded",
  "connection.setup_incomplete",
  "connection.restored",
  "connection.control_proven",
  "connection.recheck_requested",
  "connection.failed",
  "connection.retried",
  "connection.disconnect_requested",
  "connection.records_inherited",
  "connection.disconnected",
  "connection.expired",
  "connection.canceled",
  "connection.change_canceled",
  "connection.erased",
  "tenant.erased",
  "credential.stored",
  "credential.deleted",
  "browser_token.issued",
  "browser_token.redeemed",
  "browser_tokens.revoked",
  "share_link.issued",
  "share_links.revoked",
  "api_key.created",
  "api_key.rotated",
  "api_key.revoked",
  "admin_key.created",
  "admin_key.revoked",
  "application.created",
  "application.changed",
  "application.deleted",
  "ask_secret.created",
  "ask_secret.rotated",
  "ask_secret.revoked",
  "domain_connect_key.created",
  "domain_connect_key.deleted",
  "webhook_endpoint.created",
  "webhook_endpoint.changed",
  "webhook_endpoint.paused",
  "webhook_endpoint.deleted",
  "webhook_endpoint.secret_rotated",
  "webhook_endpoint.replayed",
  "test_zone.records_entered",
  "test_zone.records_changed",
  "test_time.advanced"
).annotations({ identifier: "AuditAction" })
export type AuditAction = typeof AuditAction.Type

const text = (description: string) => optional(Schema.String.annotations({ description }))

/** The object of an action and its result, without secrets; records of a customer only where they are missing. */
export const AuditDetails = Schema.Struct({
  from: optional(ConnectionState),
  to: optional(ConnectionState),
  failure: optional(FailureCode),
  eventId: text("The entry of the timeline of the connection, and the event of webhooks, with this change."),
  digest: optional(PlanDigest.annotations({ description: "The digest of the plan that it was about." })),
  acknowledged: optional(
    Schema.Array(Warning).annotations({ description: "The warnings that were acknowledged with the consent." })
  ),
  control: optional(
    Schema.Struct({ by: ControlMethod }).annotations({
      description: "Present where the change proved control of the domain: how, as `control` of the connection says."
    })
  ),
  missing: optional(
    Schema.Array(MissingRecord).annotations({
      description: `Where a connection is degraded: the records that are missing, at most ${maxMissingRecords} of them.`
    })
  ),
  keyId: text(
    "The API key, admin key or ask secret that was created, rotated or revoked, or the name of a key of Domain Connect."
  ),
  successorId: text("The API key or ask secret that follows a rotated one."),
  scopes: optional(Schema.Array(Schema.String).annotations({ description: "The scopes of a new API key." })),
  tokenId: text("The browser token or share link that was issued or redeemed: a part of its hash."),
  origin: text("The origin that a browser token is bound to."),
  settings: optional(
    Schema.Array(Schema.String).annotations({
      description: "The settings that were changed; of `connection.changed` `externalId` and `metadata`."
    })
  ),
  endpointId: text("The webhook endpoint."),
  replayed: optional(Schema.Int.annotations({ description: "How many deliveries were replayed." })),
  seconds: optional(
    Schema.Int.annotations({ description: "How far the time of a connection of test mode was moved on." })
  )
})
export type AuditDetails = typeof AuditDetails.Type

/** One entry of the audit log, written together with its action. */
export const AuditEntry = Schema.Struct({
  id: Schema.String,
  occurredAt: Timestamp,
  action: AuditAction,
  actor: Schema.Struct({
    ...Actor.fields,
    name: optional(KeyName)
  }).annotations({ identifier: "AuditActor" }),
  applicationId: optional(
    ApplicationId.annotations({ description: "Absent for admin keys, which administer every application." })
  ),
  tenantId: optional(TenantId.annotations({ description: "Absent for what belongs to the application as a whole." })),
  connectionId: optional(ConnectionId),
  ...AuditDetails.fields,
  requestId: text("The `x-request-id` of the request that did it."),
  address: text("The address of the client that sent the request.")
}).annotations({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

/** A new entry; the store adds the object of the action. */
export interface NewAuditEntry {
  readonly action: AuditAction
  readonly actor: Actor
  /** The tenant of the actor, which counts where the subject belongs to no tenant. */
  readonly tenantId?: TenantId
  readonly requestId?: string
  readonly address?: string
  readonly details: AuditDetails
}

/** The names of the settings that a change gives another value, for the `settings` of its entry. */
export const listChangedSettings = <Name extends string>(
  names: ReadonlyArray<Name>,
  before: { readonly [name in Name]?: unknown },
  after: { readonly [name in Name]?: unknown }
): ReadonlyArray<Name> => names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

export const auditActionOf = (action: AuditAction, details: AuditDetails = {}): Effect.Effect<NewAuditEntry> =>
  Effect.map(FiberRef.get(currentActor), (context) => ({ ...context, action, details }))
