import { Schema } from "effect"
import { OptionalErrorDetails } from "../../domain/ErrorDetail.ts"

/** The request fits its schema and makes no sense; `details` point at each culprit (RFC 6901). */
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

/** The first request under this idempotency key has not ended yet. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()("IdempotencyInProgress", {
  code: Schema.Literal("idempotency_in_progress"),
  message: Schema.String
}) {}

/** The command makes sense and cannot be carried out on the connection as it stands. */
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
  details: OptionalErrorDetails
}) {}

/** The connection is no longer the one that the client has seen. */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>()("PreconditionFailed", {
  code: Schema.Literal("precondition_failed"),
  message: Schema.String
}) {}
