import { Schema } from "effect"
import { ConnectionAction } from "../../domain/Connection.ts"
import { OptionalErrorDetails } from "../../domain/ErrorDetail.ts"

/** The request matches its schema, but cannot be processed; `details` point at each culprit (RFC 6901). */
export class Unprocessable extends Schema.TaggedError<Unprocessable>()("Unprocessable", {
  code: Schema.Literal(
    "unprocessable",
    "idempotency_key_reused",
    "authorization_method_unavailable",
    "credential_kind_mismatch",
    "not_left_over"
  ),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** The first request with this idempotency key is still running. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()("IdempotencyInProgress", {
  code: Schema.Literal("idempotency_in_progress"),
  message: Schema.String
}) {}

/** The commands that are possible instead. */
export const OptionalAllowedActions = Schema.optionalWith(
  Schema.Array(ConnectionAction).annotations({
    description: "Of a `state_conflict`: the commands that this caller may call now."
  }),
  { exact: true }
)

/** The command is valid, but the current connection does not allow it. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  code: Schema.Literal(
    "state_conflict",
    "failure_not_retryable",
    "records_written",
    "plan_digest_mismatch",
    "plan_expired",
    "acknowledgement_required"
  ),
  message: Schema.String,
  details: OptionalErrorDetails,
  allowedActions: OptionalAllowedActions
}) {}

/** The connection has changed since the version that the client named. */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>()("PreconditionFailed", {
  code: Schema.Literal("precondition_failed"),
  message: Schema.String
}) {}
