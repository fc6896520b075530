import { HttpApiError } from "@effect/platform"
import { Record, Schema } from "effect"
import type { ConnectionAction, ConnectionId } from "../../domain/connection/Connection.ts"
import { describeProblems, type ErrorDetail, OptionalErrorDetails } from "../../domain/error/ErrorDetail.ts"
import {
  ApprovalRefused,
  AuthorizationRefused,
  CancelRefused,
  FailureNotRetryable,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  LeftoverNotFound,
  PreconditionFailed,
  ProviderNotSelectable,
  SettingsOmitted,
  StateConflict,
  Unprocessable
} from "../../lifecycle/commands/commandErrors.ts"
import {
  ApplicationExists,
  ApplicationNotEmpty,
  ApplicationNotFound,
  AskSecretNotFound,
  TenantErasureRefused
} from "../../administration/administrationErrors.ts"
import { Overloaded, QuotaExceeded, RateLimited, ServiceBusy, TooManyStreams } from "../../limits/limitErrors.ts"
import { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionEnded } from "../../persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionExists, ConnectionNotFound } from "../../persistence/stores/connections/ConnectionStore.ts"
import { ApiKeyNotFound, Unauthenticated } from "../../security/ApiKeys.ts"
import { WebhookDeliveryNotFound, WebhookEndpointNotFound, WebhookUrlNotAllowed } from "../../webhooks/webhookErrors.ts"

/** The request does not match the schema of its endpoint. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  code: Schema.Literal("invalid_request", "malformed_json"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {
  /** The error with these details, which its message counts; `total` is their full number, of which they may be the first. */
  static readonly of = (details: ReadonlyArray<ErrorDetail>, total?: number): InvalidRequest =>
    new InvalidRequest({ code: "invalid_request", message: describeProblems("the request", details, total), details })
}

/** The origin differs from what a browser sends. */
export class OriginNotCanonical extends Schema.TaggedError<OriginNotCanonical>()("OriginNotCanonical", {
  code: Schema.Literal("origin_not_canonical"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** The customer may not return to this URL. */
export class ReturnUrlNotAllowed extends Schema.TaggedError<ReturnUrlNotAllowed>()("ReturnUrlNotAllowed", {
  code: Schema.Literal("return_url_not_allowed"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** The caller is authenticated, but may not send this request, or not from there. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  code: Schema.Literal("api_key_in_browser", "origin_not_allowed", "insufficient_scope"),
  message: Schema.String
}) {}

/** The application serves no such host. */
export class DomainNotAllowed extends Schema.TaggedError<DomainNotAllowed>()("DomainNotAllowed", {
  code: Schema.Literal("domain_not_allowed"),
  message: Schema.String
}) {
  static readonly error = new DomainNotAllowed({
    code: "domain_not_allowed",
    message: "no active connection of the application has an address or a CNAME at this host"
  })
}

/** The service is shutting down and accepts no new requests. */
export class DrainInProgress extends Schema.TaggedError<DrainInProgress>()("DrainInProgress", {
  code: Schema.Literal("draining"),
  message: Schema.String
}) {
  static readonly error = new DrainInProgress({ code: "draining", message: "the service is shutting down; try again" })
}

/** The errors that endpoints declare, by the status with which they are answered. */
const declaredErrors = {
  400: [InvalidRequest, OriginNotCanonical, ReturnUrlNotAllowed, WebhookUrlNotAllowed, HttpApiError.HttpApiDecodeError],
  401: [Unauthenticated],
  403: [Forbidden],
  404: [
    ConnectionNotFound,
    WebhookEndpointNotFound,
    WebhookDeliveryNotFound,
    ApplicationNotFound,
    ApiKeyNotFound,
    AskSecretNotFound,
    DomainNotAllowed
  ],
  409: [
    IdempotencyInProgress,
    ConnectionExists,
    ConnectionEnded,
    StateConflict,
    FailureNotRetryable,
    CancelRefused,
    ApprovalRefused,
    ApplicationExists,
    ApplicationNotEmpty,
    TenantErasureRefused,
    SettingsOmitted
  ],
  412: [PreconditionFailed],
  422: [Unprocessable, IdempotencyKeyReused, AuthorizationRefused, ProviderNotSelectable, LeftoverNotFound],
  429: [RateLimited, TooManyStreams, QuotaExceeded],
  503: [StoreUnavailable, DrainInProgress, Overloaded, ServiceBusy]
} as const

/** The status of each error that endpoints declare, by its tag. */
export const errorStatuses: ReadonlyMap<string, number> = new Map(
  Object.entries(declaredErrors).flatMap(([status, classes]) =>
    classes.map(({ _tag }) => [_tag, Number(status)] as const)
  )
)

export type DeclaredError = (typeof declaredErrors)[keyof typeof declaredErrors][number]["Type"]

/** The codes of errors that no endpoint declares, by status; the pipeline answers them. */
const undeclaredErrorCodes = {
  404: "route_not_found",
  405: "method_not_allowed",
  408: "body_too_slow",
  413: "body_too_large",
  415: "unsupported_media_type",
  500: "internal_error"
} as const

/** The statuses that an endpoint may answer without declaring them. */
export type UndeclaredStatus = Exclude<keyof typeof undeclaredErrorCodes, 404> | 503

/** The codes that every endpoint may answer with such a status. */
export const listUndeclaredCodes = (status: UndeclaredStatus): ReadonlyArray<ErrorCode> =>
  status === 503 ? listCodes([StoreUnavailable, DrainInProgress]) : [undeclaredErrorCodes[status]]

export type DeclaredErrorCode = Exclude<DeclaredError, HttpApiError.HttpApiDecodeError>["code"]

export type ErrorCode = DeclaredErrorCode | (typeof undeclaredErrorCodes)[keyof typeof undeclaredErrorCodes]

/** The class of a declared error, which lists its codes; that of HttpApi has none. */
export interface ErrorClass {
  readonly _tag: string
  readonly fields: { readonly _tag: unknown; readonly code?: { readonly literals: ReadonlyArray<DeclaredErrorCode> } }
}

export const listCodes = (classes: ReadonlyArray<ErrorClass>): ReadonlyArray<DeclaredErrorCode> =>
  classes.flatMap(({ fields: { code } }) => code?.literals ?? [])

/** Every code that an error body can have, by status; docs/decisions/0002 lists them too. */
export const errorCodes: Readonly<Record<number, ReadonlyArray<ErrorCode>>> = Record.union(
  Record.map(declaredErrors, (classes): ReadonlyArray<ErrorCode> => listCodes(classes)),
  Record.map(undeclaredErrorCodes, (code): ReadonlyArray<ErrorCode> => [code]),
  (declared, undeclared) => [...declared, ...undeclared]
)

export const ErrorCode = Schema.Literal(...Object.values(errorCodes).flat()).annotations({
  identifier: "ErrorCode",
  description: "The code of an error, a stable word; treat one that is not listed by its status."
})

/** The content of an error: a stable code, a sentence for people, and where the request is wrong. */
export interface ErrorContent {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: ReadonlyArray<ErrorDetail>
  readonly allowedActions?: ReadonlyArray<ConnectionAction>
  readonly connectionId?: ConnectionId
  readonly nextCheckAt?: string
}

/** The body of every error (docs/decisions/0002): in the answer to the request with this id, with a link to what its code means. */
export const makeErrorBody = (
  status: number,
  { allowedActions, code, connectionId, details, message, nextCheckAt }: ErrorContent,
  { errorsUrl, requestId }: { readonly errorsUrl: string; readonly requestId: string }
) => ({
  error: {
    code,
    message,
    status,
    requestId,
    documentationUrl: `${errorsUrl}#${code}`,
    ...(details === undefined ? {} : { details }),
    ...(allowedActions === undefined ? {} : { allowedActions }),
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(nextCheckAt === undefined ? {} : { nextCheckAt })
  }
})
