import { Schema } from "effect"
import { EffectiveIntent, Intent } from "./Intent.ts"
import { Plan } from "./Plan.ts"
import { Provider } from "./Provider.ts"
import { ApplicationId, TenantId } from "./Tenancy.ts"

export const ConnectionId = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200), Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

/** The life of a connection: `docs/decisions/0005-states.md`. */
export const ConnectionState = Schema.Literal(
  "requested",
  "awaiting_authorization",
  "awaiting_manual",
  "verifying",
  "failed",
  "canceled"
).annotations({ identifier: "ConnectionState" })
export type ConnectionState = typeof ConnectionState.Type

/** The states that nothing leads out of. */
export const finalStates: ReadonlyArray<ConnectionState> = ["canceled"]

/** Why a connection failed: subject, operation, reason. */
export const FailureCode = Schema.Literal(
  "domain_not_registered",
  "domain_has_no_nameservers",
  "zone_not_found",
  "discovery_timeout",
  "apex_cname_unsupported",
  "record_type_unsupported",
  "host_delegated_elsewhere",
  "caa_host_is_cname",
  "provider_snapshot_timeout",
  "internal_error"
).annotations({ identifier: "FailureCode" })
export type FailureCode = typeof FailureCode.Type

/** `retryable`: the same connection may be tried again from `resumeState` (spec 2.7). */
export class Failure extends Schema.Class<Failure>("Failure")({
  code: FailureCode,
  retryable: Schema.Boolean,
  resumeState: Schema.optionalWith(ConnectionState, { exact: true }),
  occurredAt: Schema.DateTimeUtc
}) {}

/** A domain connection as the API shows it (spec 2.1). A field that does not apply is absent, never null. */
export class Connection extends Schema.Class<Connection>("Connection")({
  id: ConnectionId,
  applicationId: ApplicationId,
  tenantId: TenantId,
  intent: Intent,
  effectiveIntent: EffectiveIntent,
  state: ConnectionState,
  provider: Schema.optionalWith(Provider, { exact: true }),
  plan: Schema.optionalWith(Plan, { exact: true }),
  failure: Schema.optionalWith(Failure, { exact: true }),
  optionalFailures: Schema.Array(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}) {}
