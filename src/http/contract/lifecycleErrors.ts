import { HttpApiError } from "@effect/platform"
import {
  ApprovalRefused,
  AuthorizationRefused,
  CancelRefused,
  FailureNotRetryable,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  idempotencyRefusals,
  LeftoverNotFound,
  PreconditionFailed,
  StateConflict
} from "../../lifecycle/commands/commandErrors.ts"
import { QuotaExceeded } from "../../lifecycle/quotas/QuotaExceeded.ts"
import { ConnectionExists } from "../../persistence/stores/ConnectionStore.ts"
import { defineErrorResponse } from "./defineErrorResponse.ts"
import { InvalidRequest, RateLimited, ReturnUrlNotAllowed } from "./errorResponses.ts"
import { limitedByQuota } from "./operationErrors.ts"

export const InvalidAuthorizationResponse = defineErrorResponse(
  {
    status: 400,
    identifier: "InvalidAuthorization",
    description: "The request does not fit the schema of the endpoint, or its return URL is not allowed."
  },
  [InvalidRequest, HttpApiError.HttpApiDecodeError, ReturnUrlNotAllowed]
)

const conflict = "The request conflicts with the current state of the connection."

export const ConflictResponse = defineErrorResponse({ status: 409, identifier: "Conflict", description: conflict }, [
  IdempotencyInProgress,
  StateConflict
])

export const UpdateConflictResponse = defineErrorResponse(
  {
    status: 409,
    identifier: "UpdateConflict",
    description:
      "The request conflicts with the current state of the connection, or the tenant has another connection with the new intent or external id."
  },
  [IdempotencyInProgress, StateConflict, ConnectionExists]
)

export const ApprovalConflictResponse = defineErrorResponse(
  {
    status: 409,
    identifier: "ApprovalConflict",
    description: "The approval does not cover the current plan, or conflicts with the state of the connection."
  },
  [IdempotencyInProgress, StateConflict, ApprovalRefused]
)

export const RetryConflictResponse = defineErrorResponse(
  { status: 409, identifier: "RetryConflict", description: conflict },
  [IdempotencyInProgress, StateConflict, FailureNotRetryable]
)

export const CancelConflictResponse = defineErrorResponse(
  { status: 409, identifier: "CancelConflict", description: conflict },
  [IdempotencyInProgress, StateConflict, CancelRefused]
)

export const PreconditionFailedResponse = defineErrorResponse(
  {
    status: 412,
    identifier: "PreconditionFailed",
    description: "The connection is no longer the one that `If-Match` names."
  },
  [PreconditionFailed]
)

export const UnprocessableAuthorizationResponse = defineErrorResponse(
  {
    status: 422,
    identifier: "UnprocessableAuthorization",
    description: `The provider takes no such authorization, or ${idempotencyRefusals.keyReused}.`
  },
  [IdempotencyKeyReused, AuthorizationRefused]
)

export const UnprocessableApprovalResponse = defineErrorResponse(
  {
    status: 422,
    identifier: "UnprocessableApproval",
    description: `A record of \`putBack\` is not left over, or ${idempotencyRefusals.keyReused}.`
  },
  [IdempotencyKeyReused, LeftoverNotFound]
)

export const RetryLimitedResponse = defineErrorResponse(
  { status: 429, identifier: "RetryLimited", description: limitedByQuota },
  [RateLimited, QuotaExceeded]
)
