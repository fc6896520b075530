import { HttpApiError } from "@effect/platform"
import { String } from "effect"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  idempotencyRefusals,
  StateConflict,
  Unprocessable
} from "../../lifecycle/commands/commandErrors.ts"
import { Overloaded, QuotaExceeded, RateLimited, ServiceBusy, TooManyStreams } from "../../limits/limitErrors.ts"
import { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionEnded } from "../../persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionExists, ConnectionNotFound } from "../../persistence/stores/connections/ConnectionStore.ts"
import { Unauthenticated } from "../../security/ApiKeys.ts"
import { bodyRefusals } from "./bodyLimits.ts"
import { defineErrorResponse } from "./defineErrorResponse.ts"
import {
  DrainInProgress,
  Forbidden,
  InvalidRequest,
  OriginNotCanonical,
  type UndeclaredStatus
} from "./errorResponses.ts"

const { HttpApiDecodeError } = HttpApiError

/** 400 of every endpoint. One with a body declares another response too, which has its codes: the document shows that one. */
export const InvalidRequestResponse = defineErrorResponse(
  {
    status: 400,
    description: "The path, the query or a header does not fit the schema of the endpoint.",
    except: ["malformed_json"]
  },
  [InvalidRequest, HttpApiDecodeError]
)

const schemaMismatch = "The request does not fit the schema of the endpoint."

export const InvalidBodyResponse = defineErrorResponse({ status: 400, description: schemaMismatch }, [
  InvalidRequest,
  HttpApiDecodeError
])

export const InvalidTokenRequestResponse = defineErrorResponse(
  {
    status: 400,
    description: "The request does not fit the schema of the endpoint, or its origin is not canonical."
  },
  [InvalidRequest, HttpApiDecodeError, OriginNotCanonical]
)

export const UnauthenticatedResponse = defineErrorResponse(
  { status: 401, description: "There is no credential, or an invalid one." },
  [Unauthenticated]
)

const forbidden = "The caller is authenticated, but may not send this request, or not from there."

/** 403 of endpoints for API keys and browser tokens. */
export const ForbiddenResponse = defineErrorResponse({ status: 403, description: forbidden }, [Forbidden])

/** 403 of endpoints for API keys alone. */
export const KeyForbiddenResponse = defineErrorResponse(
  { status: 403, description: forbidden, except: ["origin_not_allowed"] },
  [Forbidden]
)

/** 403 of endpoints for administrators. */
export const AdminForbiddenResponse = defineErrorResponse(
  {
    status: 403,
    description: "The request comes from a browser.",
    except: ["origin_not_allowed", "insufficient_scope"]
  },
  [Forbidden]
)

/** 403 of the endpoint for the hosted page alone. */
export const OriginForbiddenResponse = defineErrorResponse(
  {
    status: 403,
    description: "The request does not come from the hosted page.",
    except: ["api_key_in_browser", "insufficient_scope"]
  },
  [Forbidden]
)

export const NotFoundResponse = defineErrorResponse(
  { status: 404, description: "There is no such connection, or it belongs to another tenant." },
  [ConnectionNotFound]
)

export const IdempotencyConflictResponse = defineErrorResponse(
  {
    status: 409,
    description: `${String.capitalize(idempotencyRefusals.inProgress)}.`
  },
  [IdempotencyInProgress]
)

export const CreationConflictResponse = defineErrorResponse(
  {
    status: 409,
    description: `The tenant has this connection already, or ${idempotencyRefusals.inProgress}.`
  },
  [IdempotencyInProgress, ConnectionExists]
)

export const ConnectionEndedResponse = defineErrorResponse({ status: 409, description: "The connection has ended." }, [
  ConnectionEnded
])

/** 409 of the erasure of a connection. */
export const ConnectionNotEndedResponse = defineErrorResponse(
  { status: 409, description: "The connection has not ended." },
  [StateConflict]
)

/** 409 of the endpoints of test mode. */
export const TestConflictResponse = defineErrorResponse(
  { status: 409, description: "The connection or its zone has changed at the same moment." },
  [StateConflict]
)

export const TestEntryConflictResponse = defineErrorResponse(
  {
    status: 409,
    description:
      "The connection has ended, it has no plan whose records could be entered, or it has changed at the same moment."
  },
  [ConnectionEnded, StateConflict]
)

export const IdempotencyKeyReusedResponse = defineErrorResponse(
  {
    status: 422,
    description: `${String.capitalize(idempotencyRefusals.keyReused)}.`
  },
  [IdempotencyKeyReused]
)

const contradiction = "The intent fits its schema but contradicts itself or a standard."

export const UnprocessableIntentResponse = defineErrorResponse({ status: 422, description: contradiction }, [
  Unprocessable
])

/** 422 of the endpoints that write to a zone of test mode. */
export const UnprocessableTestCallResponse = defineErrorResponse(
  {
    status: 422,
    description: "A host or value is none that the zone can hold, or the plan changes nothing at a host."
  },
  [Unprocessable]
)

export const UnprocessableCreationResponse = defineErrorResponse(
  {
    status: 422,
    description: `The intent contradicts itself or a standard, or ${idempotencyRefusals.keyReused}.`
  },
  [Unprocessable, IdempotencyKeyReused]
)

/** 429 of every endpoint. One with quotas declares another response too, which the document shows. */
export const RateLimitedResponse = defineErrorResponse(
  { status: 429, description: "The caller has used up its requests of this minute." },
  [RateLimited]
)

export const StreamLimitedResponse = defineErrorResponse(
  {
    status: 429,
    description: "The caller has used up its requests of this minute, or the tenant its event streams."
  },
  [RateLimited, TooManyStreams]
)

const limitedByQuota = "The caller has used up its requests of this minute, or the tenant one of its quotas."

export const CommandLimitedResponse = defineErrorResponse(
  { status: 429, description: limitedByQuota, except: ["too_many_open_discoveries"] },
  [RateLimited, QuotaExceeded]
)

/** 429 of commands that create work for discovery. */
export const CreationLimitedResponse = defineErrorResponse({ status: 429, description: limitedByQuota }, [
  RateLimited,
  QuotaExceeded
])

const unavailable = "The database cannot be reached, or the service is shutting down; try again."

export const UnavailableResponse = defineErrorResponse({ status: 503, description: unavailable }, [
  StoreUnavailable,
  DrainInProgress
])

export const StreamUnavailableResponse = defineErrorResponse(
  {
    status: 503,
    description: "The database cannot be reached, or the service is shutting down or overloaded; try again."
  },
  [StoreUnavailable, DrainInProgress, Overloaded]
)

export const CheckUnavailableResponse = defineErrorResponse(
  {
    status: 503,
    description: "The database cannot be reached, or the service is shutting down or busy; try again."
  },
  [StoreUnavailable, DrainInProgress, ServiceBusy]
)

/** The errors that are answered around the endpoints, each by the name of its response in the OpenAPI document. */
export const undeclaredErrors: ReadonlyArray<{
  readonly name: string
  readonly status: UndeclaredStatus
  readonly description: string
}> = [
  { name: "MethodNotAllowed", status: 405, description: "The path exists, and does not take this method." },
  { name: "BodyTooSlow", status: 408, description: bodyRefusals.body_too_slow },
  { name: "BodyTooLarge", status: 413, description: bodyRefusals.body_too_large },
  { name: "UnsupportedMediaType", status: 415, description: bodyRefusals.unsupported_media_type },
  { name: "InternalError", status: 500, description: "The service has a defect; its log has the cause." },
  { name: "Unavailable", status: 503, description: unavailable }
]
