import { Schema } from "effect"
import { ConnectionAction } from "../../domain/connection/Connection.ts"
import { OptionalErrorDetails } from "../../domain/error/ErrorDetail.ts"

/** The intent matches its schema, but contradicts itself or a standard; `details` point at each culprit (RFC 6901). */
export class Unprocessable extends Schema.TaggedError<Unprocessable>()("Unprocessable", {
  code: Schema.Literal("unprocessable"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** Why the idempotency key of a request is refused, within a sentence. */
export const idempotencyRefusals = {
  inProgress: "the first request with this Idempotency-Key is still running",
  keyReused: "this Idempotency-Key was used with another body"
}

/** An earlier request with this idempotency key had another body. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {
  code: Schema.Literal("idempotency_key_reused"),
  message: Schema.String
}) {
  static readonly error = new IdempotencyKeyReused({
    code: "idempotency_key_reused",
    message: `${idempotencyRefusals.keyReused} within the last 24 hours; use a new key`
  })
}

/** The provider of the connection offers no such authorization, takes another credential, or is asked without approval. */
export class AuthorizationRefused extends Schema.TaggedError<AuthorizationRefused>()("AuthorizationRefused", {
  code: Schema.Literal("authorization_method_unavailable", "credential_kind_mismatch", "approval_unavailable"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** Nobody is asked for the provider of the domain, or the answer is none of the candidates. */
export class ProviderNotSelectable extends Schema.TaggedError<ProviderNotSelectable>()("ProviderNotSelectable", {
  code: Schema.Literal("provider_not_selectable"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

export class LeftoverNotFound extends Schema.TaggedError<LeftoverNotFound>()("LeftoverNotFound", {
  code: Schema.Literal("not_left_over"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** The first request with this idempotency key is still running. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()("IdempotencyInProgress", {
  code: Schema.Literal("idempotency_in_progress"),
  message: Schema.String
}) {
  static readonly error = new IdempotencyInProgress({
    code: "idempotency_in_progress",
    message: `${idempotencyRefusals.inProgress}; repeat the request shortly`
  })
}

/** The commands that are possible instead. */
const OptionalAllowedActions = Schema.optionalWith(
  Schema.Array(ConnectionAction).annotations({
    description: "Of a `state_conflict`: the commands that this caller may call now."
  }),
  { exact: true }
)

/** When the service checks the domain or the records again by itself: a `Timestamp` in its form on the wire. */
const OptionalNextCheckAt = Schema.optionalWith(
  Schema.String.annotations({ jsonSchema: { $ref: "#/components/schemas/Timestamp" } }),
  { exact: true }
)

/** The actions that the caller may call instead of a refused command. */
export const NextSteps = Schema.Struct({ allowedActions: OptionalAllowedActions, nextCheckAt: OptionalNextCheckAt })
export type NextSteps = typeof NextSteps.Type

/** The command is not possible in the state of the connection. */
export class StateConflict extends Schema.TaggedError<StateConflict>()("StateConflict", {
  code: Schema.Literal("state_conflict"),
  message: Schema.String,
  ...NextSteps.fields
}) {}

/** The approval does not cover the current plan; `details` name the warnings that it must acknowledge. */
export class ApprovalRefused extends Schema.TaggedError<ApprovalRefused>()("ApprovalRefused", {
  code: Schema.Literal("plan_digest_mismatch", "plan_expired", "acknowledgement_required"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** A retry cannot help after the failure of the connection. */
export class FailureNotRetryable extends Schema.TaggedError<FailureNotRetryable>()("FailureNotRetryable", {
  code: Schema.Literal("failure_not_retryable"),
  message: Schema.String
}) {}

/** The connection cannot be canceled: its records may be in the zone, and nothing would remove them. */
export class CancelRefused extends Schema.TaggedError<CancelRefused>()("CancelRefused", {
  code: Schema.Literal("records_written"),
  message: Schema.String
}) {}

export class SettingsOmitted extends Schema.TaggedError<SettingsOmitted>()("SettingsOmitted", {
  code: Schema.Literal("settings_omitted"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {
  static readonly of = (settings: ReadonlyArray<string>): SettingsOmitted => {
    const [are, them] = settings.length === 1 ? ["is", "it"] : ["are", "them"]
    return new SettingsOmitted({
      code: "settings_omitted",
      message: `the request leaves out ${settings.join(", ")}, which ${are} set: send ${them} too, or change single settings with PATCH, where null removes one`,
      details: settings.map((setting) => ({
        pointer: `/${setting}`,
        code: "setting_omitted",
        message: "is set, and missing in the request"
      }))
    })
  }
}

/** The connection has changed since the version that the client named. */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>()("PreconditionFailed", {
  code: Schema.Literal("precondition_failed"),
  message: Schema.String
}) {}
