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
export const invalidRequest = defineErrorResponse(
  "The path, the query or a header does not fit the schema of the endpoint.",
  [InvalidRequest, HttpApiDecodeError],
  { except: ["malformed_json"] }
)

const schemaMismatch = "The request does not fit the schema of the endpoint."

export const invalidBody = defineErrorResponse(schemaMismatch, [InvalidRequest, HttpApiDecodeError])

export const invalidTokenRequest = defineErrorResponse(
  "The request does not fit the schema of the endpoint, or its origin is not canonical.",
  [InvalidRequest, HttpApiDecodeError, OriginNotCanonical]
)

export const unauthenticated = defineErrorResponse("There is no credential, or an invalid one.", [Unauthenticated])

const mayNotSend = "The caller is authenticated, but may not send this request, or not from there."

/** 403 of endpoints for API keys and browser tokens. */
export const forbidden = defineErrorResponse(mayNotSend, [Forbidden])

/** 403 of endpoints for API keys alone. */
export const keyForbidden = defineErrorResponse(mayNotSend, [Forbidden], { except: ["origin_not_allowed"] })

/** 403 of endpoints for administrators. */
export const adminForbidden = defineErrorResponse(
  "The request comes from a browser, or the key lacks a scope.",
  [Forbidden],
  {
    except: ["origin_not_allowed"]
  }
)

/** 403 of the endpoints for a customer who types a domain. */
export const entryForbidden = defineErrorResponse(
  "The request does not come from the origin of the token.",
  [Forbidden],
  {
    except: ["api_key_in_browser", "insufficient_scope"]
  }
)

/** 403 of the endpoint for the hosted page alone. */
export const originForbidden = defineErrorResponse("The request does not come from the hosted page.", [Forbidden], {
  except: ["api_key_in_browser", "insufficient_scope"]
})

export const connectionNotFound = defineErrorResponse("There is no such connection, or it belongs to another tenant.", [
  ConnectionNotFound
])

export const idempotencyConflict = defineErrorResponse(`${String.capitalize(idempotencyRefusals.inProgress)}.`, [
  IdempotencyInProgress
])

export const creationConflict = defineErrorResponse(
  `The tenant has this connection or a connection with this external id already, or ${idempotencyRefusals.inProgress}.`,
  [IdempotencyInProgress, ConnectionExists]
)

/** 409 of the connection of a domain that a customer types. */
export const entryConflict = defineErrorResponse(
  "The tenant has this connection already, it has ended, or the first request of the token is still running.",
  [IdempotencyInProgress, ConnectionExists, ConnectionEnded]
)

export const connectionEnded = defineErrorResponse("The connection has ended.", [ConnectionEnded])

/** 409 of the erasure of a connection. */
export const connectionNotEnded = defineErrorResponse("The connection has not ended.", [StateConflict])

/** 409 of the endpoints of test mode. */
export const testConflict = defineErrorResponse("The connection or its zone has changed at the same moment.", [
  StateConflict
])

export const testEntryConflict = defineErrorResponse(
  "The connection has ended, it has no plan whose records could be entered, or it has changed at the same moment.",
  [ConnectionEnded, StateConflict]
)

export const idempotencyKeyReused = defineErrorResponse(`${String.capitalize(idempotencyRefusals.keyReused)}.`, [
  IdempotencyKeyReused
])

const contradiction = "The intent fits its schema but contradicts itself or a standard."

export const unprocessableIntent = defineErrorResponse(contradiction, [Unprocessable])

/** 422 of the endpoints that write to a zone of test mode. */
export const unprocessableTestCall = defineErrorResponse(
  "A host or value is none that the zone can hold, or the plan changes nothing at a host.",
  [Unprocessable]
)

/** 422 of what concerns a domain that a customer types. */
export const unprocessableEntry = defineErrorResponse(
  "The name is no domain that can be connected, or the application has no record template.",
  [Unprocessable]
)

export const unprocessableCreation = defineErrorResponse(
  `The intent contradicts itself or a standard, or ${idempotencyRefusals.keyReused}.`,
  [Unprocessable, IdempotencyKeyReused]
)

/** 429 of every endpoint. One with quotas declares another response too, which the document shows. */
export const rateLimited = defineErrorResponse("The caller has used up its requests of this minute.", [RateLimited])

export const streamLimited = defineErrorResponse(
  "The caller has used up its requests of this minute, or the tenant its event streams.",
  [RateLimited, TooManyStreams]
)

const limitedByQuota = "The caller has used up its requests of this minute, or the tenant one of its quotas."

export const commandLimited = defineErrorResponse(limitedByQuota, [RateLimited, QuotaExceeded], {
  except: ["too_many_open_discoveries"]
})

/** 429 of commands that create work for discovery. */
export const creationLimited = defineErrorResponse(limitedByQuota, [RateLimited, QuotaExceeded])

const tryAgain = "The database cannot be reached, or the service is shutting down; try again."

export const unavailable = defineErrorResponse(tryAgain, [StoreUnavailable, DrainInProgress])

export const streamUnavailable = defineErrorResponse(
  "The database cannot be reached, or the service is shutting down or overloaded; try again.",
  [StoreUnavailable, DrainInProgress, Overloaded]
)

export const checkUnavailable = defineErrorResponse(
  "The database cannot be reached, or the service is shutting down or busy; try again.",
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
  { name: "Unavailable", status: 503, description: tryAgain }
]
