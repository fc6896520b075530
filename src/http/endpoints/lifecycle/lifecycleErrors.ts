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
  ProviderNotSelectable,
  StateConflict
} from "../../../lifecycle/commands/commandErrors.ts"
import { ConnectionEnded } from "../../../persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionExists } from "../../../persistence/stores/connections/ConnectionStore.ts"
import { defineErrorResponse } from "../../contract/defineErrorResponse.ts"
import { InvalidRequest, ReturnUrlNotAllowed } from "../../contract/errorResponses.ts"

export const invalidAuthorization = defineErrorResponse(
  "The request does not fit the schema of the endpoint, or its return URL is not allowed.",
  [InvalidRequest, HttpApiError.HttpApiDecodeError, ReturnUrlNotAllowed]
)

const conflict = "The request conflicts with the current state of the connection."

export const stateConflict = defineErrorResponse(conflict, [IdempotencyInProgress, ConnectionEnded, StateConflict])

export const updateConflict = defineErrorResponse(
  "The request conflicts with the current state of the connection, or the tenant has another connection with the new intent or external id.",
  [IdempotencyInProgress, ConnectionEnded, StateConflict, ConnectionExists]
)

export const approvalConflict = defineErrorResponse(
  "The approval does not cover the current plan, or conflicts with the state of the connection.",
  [IdempotencyInProgress, ConnectionEnded, StateConflict, ApprovalRefused]
)

export const retryConflict = defineErrorResponse(conflict, [
  IdempotencyInProgress,
  ConnectionEnded,
  StateConflict,
  FailureNotRetryable
])

export const cancelConflict = defineErrorResponse(conflict, [
  IdempotencyInProgress,
  ConnectionEnded,
  StateConflict,
  CancelRefused
])

export const connectionChanged = defineErrorResponse("The connection is no longer the one that `If-Match` names.", [
  PreconditionFailed
])

export const unprocessableAuthorization = defineErrorResponse(
  `The provider takes no such authorization, or ${idempotencyRefusals.keyReused}.`,
  [IdempotencyKeyReused, AuthorizationRefused]
)

export const unprocessableSelection = defineErrorResponse(
  `The provider is not among the candidates, or ${idempotencyRefusals.keyReused}.`,
  [IdempotencyKeyReused, ProviderNotSelectable]
)

export const unprocessableApproval = defineErrorResponse(
  `A record of \`putBack\` is not left over, or ${idempotencyRefusals.keyReused}.`,
  [IdempotencyKeyReused, LeftoverNotFound]
)
