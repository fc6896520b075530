import { Schema } from "effect"
import { Control } from "./Control.ts"
import { EffectiveIntent, Intent } from "./Intent.ts"
import { Leftover, Plan } from "../plan/Plan.ts"
import { ExternalId, Metadata } from "./PlatformFields.ts"
import { Provider } from "../provider/Provider.ts"
import { ApplicationId, TenantId } from "../access/Tenancy.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { assignedId } from "../values/boundedSchemas.ts"
import { RecordType } from "../records/recordTypes.ts"

export const ConnectionId = assignedId("Assigned by the service; ids sort by time.").pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

export const ConnectionState = Schema.Literal(
  "requested",
  "awaiting_authorization",
  "authorizing",
  "authorized",
  "planned",
  "applying",
  "awaiting_manual",
  "verifying",
  "active",
  "degraded",
  "failed",
  "disconnecting",
  "expired",
  "canceled",
  "disconnected"
).annotations({
  identifier: "ConnectionState",
  description: "How far a connection is; the lifecycle explains the states."
})
export type ConnectionState = typeof ConnectionState.Type

/** The states that a connection never leaves. */
export const finalStates: ReadonlyArray<ConnectionState> = ["expired", "canceled", "disconnected"]

/** Why a connection failed: subject, operation, reason. */
export const FailureCode = Schema.Literal(
  "domain_not_registered",
  "caa_host_is_cname",
  "cname_loop",
  "domain_has_no_nameservers",
  "zone_not_found",
  "discovery_timeout",
  "provider_unavailable",
  "provider_rate_limited",
  "authorization_denied",
  "authorization_expired",
  "authorization_revoked",
  "authorization_insufficient_scope",
  "authorization_zone_mismatch",
  "credential_invalid",
  "account_not_entitled",
  "provider_snapshot_timeout",
  "provider_snapshot_failed",
  "zone_too_large",
  "provider_zone_locked",
  "provider_record_locked",
  "apex_cname_unsupported",
  "record_type_unsupported",
  "record_value_rejected",
  "spf_merge_impossible",
  "host_delegated_elsewhere",
  "plan_too_large",
  "apply_timeout",
  "apply_rejected",
  "apply_partial",
  "verification_timeout",
  "verification_mismatch",
  "manual_setup_timeout",
  "control_unproven",
  "control_lost",
  "internal_error"
).annotations({
  identifier: "FailureCode",
  description: "Why a connection has stopped, or its domain cannot be connected."
})
export type FailureCode = typeof FailureCode.Type

const OptionalFailureFields = Schema.Struct({ type: RecordType, host: Schema.String, code: FailureCode })

/** An optional record that a plan left out, and why. Rows and the wire have `<TYPE> <host> <code>`. */
export type OptionalFailure = typeof OptionalFailureFields.Type

/** The text of an optional failure on the wire: `<TYPE> <host> <code>`. */
export const formatOptionalFailure = ({ code, host, type }: OptionalFailure): string => `${type} ${host} ${code}`

export const OptionalFailure = Schema.transform(Schema.String, OptionalFailureFields, {
  strict: false,
  decode: (text) => {
    const [, type = "", host = "", code = ""] = /^([^ ]*) (.*) ([^ ]*)$/s.exec(text) ?? []
    return { type, host, code }
  },
  encode: formatOptionalFailure
})

/** What has become of a change of a plan that was not written completely. */
export const ChangeOutcome = Schema.Literal("lost", "unknown", "not_made", "undone", "made").annotations({
  identifier: "ChangeOutcome",
  description:
    "What has become of a change of a plan that was not written completely: `made`, `not_made`, `undone`, `unknown` where the provider did not say, or `lost` where it was made in vain and could not be undone."
})
export type ChangeOutcome = typeof ChangeOutcome.Type

/** One thing that a failure is about; contains no secret. */
export const FailureDetail = Schema.Struct({
  message: Schema.String.annotations({ description: "A sentence for people." }),
  server: Schema.optionalWith(
    Schema.String.annotations({ description: "Who was asked: a name server or resolver, or the provider." }),
    { exact: true }
  ),
  host: Schema.optionalWith(Schema.String.annotations({ description: "The host, relative to the domain." }), {
    exact: true
  }),
  type: Schema.optionalWith(Schema.String, { exact: true }),
  expected: Schema.optionalWith(Schema.String.annotations({ description: "The value that should be there." }), {
    exact: true
  }),
  answer: Schema.optionalWith(Schema.String.annotations({ description: "What it answered, or why it did not." }), {
    exact: true
  }),
  outcome: Schema.optionalWith(ChangeOutcome, { exact: true })
}).annotations({ identifier: "FailureDetail" })
export type FailureDetail = typeof FailureDetail.Type

export const maxFailureDetails = 20

/** Why a connection failed. If `retryable`, the same connection can be tried again from `resumeState`. */
export class Failure extends Schema.Class<Failure>("Failure")({
  code: FailureCode,
  retryable: Schema.Boolean.annotations({ description: "Whether trying again can help." }),
  resumeState: Schema.optionalWith(ConnectionState, { exact: true }),
  details: Schema.optionalWith(
    Schema.Array(FailureDetail).annotations({
      description: `What was asked and answered, where that is known, and how each change of a plan stands that was not written completely; at most ${maxFailureDetails} of it.`
    }),
    { exact: true }
  ),
  occurredAt: Timestamp
}) {}

/** Why the service cannot go on with a connection for now, although nothing is wrong with its domain. */
export const DelayCode = Schema.Literal("resolver_unavailable").annotations({ identifier: "DelayCode" })
export type DelayCode = typeof DelayCode.Type

/** The reason for which a connection waits, and since when. It ends with the next result. */
export const Delay = Schema.Struct({ code: DelayCode, since: Timestamp })
export type Delay = typeof Delay.Type

/** Why a plan is made anew although the customer approved the one before, or could have. */
export const ReplanCode = Schema.Literal("zone_changed", "plan_expired").annotations({ identifier: "ReplanCode" })
export type ReplanCode = typeof ReplanCode.Type

/** The reason for which a connection is planned again, and since when. It stays until the new plan is decided on. */
export const Replan = Schema.Struct({ code: ReplanCode, since: Timestamp })
export type Replan = typeof Replan.Type

/** A new intent that takes the place of the one that counts once its plan is applied. */
export const PendingIntent = Schema.Struct({
  intent: Intent,
  effectiveIntent: EffectiveIntent,
  optionalFailures: Schema.Array(OptionalFailure)
})
export type PendingIntent = typeof PendingIntent.Type

/** A command that may be called on a connection, by the last segment of its path; `update` is `PATCH` of its own path. */
export const ConnectionAction = Schema.Literal(
  "authorization",
  "approval",
  "recheck",
  "retry",
  "cancel",
  "disconnect",
  "update"
).annotations({ identifier: "ConnectionAction", description: "A command on a connection." })
export type ConnectionAction = typeof ConnectionAction.Type

/** Whether plans add the records of a connection to the zone (`connect`) or remove them again (`restore`). */
export const Direction = Schema.Literal("connect", "restore").annotations({ identifier: "Direction" })
export type Direction = typeof Direction.Type

/** A domain connection as the API shows it. A field that does not apply is absent, never null. */
export class Connection extends Schema.Class<Connection>("Connection")({
  id: ConnectionId,
  applicationId: ApplicationId,
  tenantId: TenantId,
  intent: Intent,
  effectiveIntent: EffectiveIntent,
  pendingIntent: Schema.optionalWith(
    PendingIntent.annotations({
      description:
        "A new intent, while it waits for its plan to be applied: `plan` leads to it, and `intent` counts until then. `cancel` gives it up."
    }),
    { exact: true }
  ),
  state: ConnectionState,
  direction: Schema.optionalWith(
    Direction.annotations({
      description:
        "`restore` after `disconnect`: every plan from then on removes the records of the connection and restores the zone."
    }),
    { exact: true }
  ),
  provider: Schema.optionalWith(Provider, { exact: true }),
  control: Schema.optionalWith(Control, { exact: true }),
  allowedNames: Schema.optionalWith(
    Schema.Array(Schema.String).annotations({
      description:
        "The full names, in A-labels, of the hosts that a connection that was `active` goes on serving while it changes to a new intent: those of an A, AAAA or CNAME record, which `GET /v1/domains/allowed` still allows. Absent without such a host, and while the connection is `active`, where all of its hosts are allowed."
    }),
    { exact: true }
  ),
  plan: Schema.optionalWith(Plan, { exact: true }),
  failure: Schema.optionalWith(Failure, { exact: true }),
  delay: Schema.optionalWith(Delay, { exact: true }),
  replan: Schema.optionalWith(Replan, { exact: true }),
  optionalFailures: Schema.Array(OptionalFailure).annotations({
    description: "Optional records that were left out of the plan, each as `<TYPE> <host> <failure code>`."
  }),
  leftovers: Schema.optionalWith(
    Schema.Array(Leftover).annotations({
      description: "Records that a disconnect, or a change of the intent, could not remove or restore, and why."
    }),
    { exact: true }
  ),
  allowedActions: Schema.optionalWith(
    Schema.Array(ConnectionAction).annotations({
      description:
        "The commands that this caller may call now, `POST /v1/connections/{id}/<action>`; `update` is `PATCH /v1/connections/{id}`. Absent in connections written by an earlier version, until their first change."
    }),
    { exact: true }
  ),
  /**
   * When the service next checks or writes by itself; absent while it is at work. For an `active` connection, when all
   * its name servers are asked: `/records` says when one of them is.
   */
  nextCheckAt: Schema.optionalWith(Timestamp, { exact: true }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  externalId: Schema.optionalWith(ExternalId, { exact: true }),
  metadata: Schema.optionalWith(Metadata, { exact: true })
}) {}

/** The name of the provider of a connection, for a sentence; "the provider" before it is known. */
export const providerNameOf = ({ provider }: Pick<Connection, "provider">): string => provider?.name ?? "the provider"

/** One entry of a connection's timeline: it entered a state, at its creation (`from` is absent) or from another. */
export interface TimelineEntry {
  readonly id: string
  readonly from?: ConnectionState
  readonly to: ConnectionState
  readonly failure?: FailureCode
  readonly replan?: ReplanCode
}
