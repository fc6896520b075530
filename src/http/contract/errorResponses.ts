import { HttpApiError, HttpApiSchema, HttpServerRequest } from "@effect/platform"
import { Array, Effect, Option, ParseResult, Record, Schema } from "effect"
import type { ConnectionAction } from "../../domain/Connection.ts"
import { type ErrorDetail, OptionalErrorDetails } from "../../domain/ErrorDetail.ts"
import { describeProblems, errorDetailsOf } from "../../domain/ErrorDetail.ts"
import {
  CommandRefused,
  IdempotencyInProgress,
  OptionalAllowedActions,
  PreconditionFailed,
  Unprocessable
} from "../../lifecycle/commands/commandErrors.ts"
import { QuotaExceeded } from "../../lifecycle/quotas/QuotaExceeded.ts"
import { ServiceBusy } from "../../lifecycle/slots/ServiceBusy.ts"
import { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionEnded } from "../../persistence/stores/BrowserTokenStore.ts"
import { ConnectionNotFound } from "../../persistence/stores/ConnectionStore.ts"
import { Unauthenticated } from "../../security/ApiKeys.ts"
import { errorsPath } from "../PublicUrl.ts"
import { errorsUrlOf, requestIdOf } from "../requestMetadata.ts"
import { bodyRefusals } from "./bodyLimits.ts"
import { explainRepeatedParameters } from "./repeatedParameters.ts"

/** The request does not match the schema of its endpoint. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  code: Schema.Literal("invalid_request", "malformed_json", "origin_not_canonical", "return_url_not_allowed"),
  message: Schema.String,
  details: OptionalErrorDetails
}) {}

/** The caller is authenticated, but may not send this request, or not from there. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  code: Schema.Literal("api_key_in_browser", "origin_not_allowed", "insufficient_scope"),
  message: Schema.String
}) {}

/**
 * The servers of a tenant, the browsers of a connection, or a client address have used up their requests of this minute, or what
 * may be open or wait at once.
 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  code: Schema.Literal("rate_limited", "too_many_streams"),
  message: Schema.String
}) {}

/** The service is shutting down and accepts no new requests. */
export class DrainInProgress extends Schema.TaggedError<DrainInProgress>()("DrainInProgress", {
  code: Schema.Literal("draining"),
  message: Schema.String
}) {
  static readonly error = new DrainInProgress({ code: "draining", message: "the service is shutting down; try again" })
}

/** The process has so much open that it can accept nothing that stays open. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  code: Schema.Literal("overloaded"),
  message: Schema.String
}) {
  static readonly error = new Overloaded({ code: "overloaded", message: "too many connections are open; try again" })
}

/** The errors that endpoints declare, by the status with which they are answered. */
const declaredErrors = {
  400: [InvalidRequest, HttpApiError.HttpApiDecodeError],
  401: [Unauthenticated],
  403: [Forbidden],
  404: [ConnectionNotFound],
  409: [IdempotencyInProgress, ConnectionEnded, CommandRefused],
  412: [PreconditionFailed],
  422: [Unprocessable],
  429: [RateLimited, QuotaExceeded],
  503: [StoreUnavailable, DrainInProgress, Overloaded, ServiceBusy]
} as const

type DeclaredError = (typeof declaredErrors)[keyof typeof declaredErrors][number]["Type"]

/** The codes of errors that no endpoint declares, by status; `GlobalMiddleware` answers them. */
const undeclaredErrorCodes = {
  404: "route_not_found",
  405: "method_not_allowed",
  408: "body_too_slow",
  413: "body_too_large",
  415: "unsupported_media_type",
  500: "internal_error"
} as const

type DeclaredErrorCode = Exclude<DeclaredError, HttpApiError.HttpApiDecodeError>["code"]

/** The code of an error body. */
export type ErrorCode = DeclaredErrorCode | (typeof undeclaredErrorCodes)[keyof typeof undeclaredErrorCodes]

interface ErrorClass {
  readonly _tag: string
  readonly fields: { readonly _tag: unknown; readonly code?: { readonly literals: ReadonlyArray<DeclaredErrorCode> } }
}

const listCodes = (classes: ReadonlyArray<ErrorClass>): ReadonlyArray<DeclaredErrorCode> =>
  classes.flatMap(({ fields: { code } }) => code?.literals ?? [])

/** Every code that an error body can have, by status; docs/decisions/0002 lists them too. */
export const errorCodes: Readonly<Record<number, ReadonlyArray<ErrorCode>>> = Record.union(
  Record.map(declaredErrors, (classes): ReadonlyArray<ErrorCode> => listCodes(classes)),
  Record.map(undeclaredErrorCodes, (code): ReadonlyArray<ErrorCode> => [code]),
  (declared, undeclared) => [...declared, ...undeclared]
)

/** The content of an error: a stable code, a sentence for people, and where the request is wrong. */
export interface ErrorContent {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: ReadonlyArray<ErrorDetail>
  readonly allowedActions?: ReadonlyArray<ConnectionAction>
}

/** The body of every error (docs/decisions/0002). */
export const toErrorBody = (status: number, content: ErrorContent, request: HttpServerRequest.HttpServerRequest) =>
  makeErrorBody(status, content, { requestId: requestIdOf(request), errorsUrl: errorsUrlOf(request) })

const makeErrorBody = (
  status: number,
  { allowedActions, code, details, message }: ErrorContent,
  { errorsUrl, requestId }: { readonly errorsUrl: string; readonly requestId: string }
) => ({
  error: {
    code,
    message,
    status,
    requestId,
    documentationUrl: `${errorsUrl}#${code}`,
    ...(details === undefined ? {} : { details }),
    ...(allowedActions === undefined ? {} : { allowedActions })
  }
})

/** The statuses that the endpoints of the specification answer with the body of another one (docs/decisions/0002). */
export const bodySharers: Readonly<Record<number, ReadonlyArray<number>>> = {
  400: [405, 408, 413, 415],
  429: [500, 503]
}

const makeErrorBodySchema = (status: number) => {
  const statuses = [status, ...(bodySharers[status] ?? [])]
  const codes = statuses.flatMap((each) => errorCodes[each] ?? []).filter((code) => code !== "route_not_found")
  const fields = {
    code: Schema.String.annotations({
      description: "A stable word; treat one that is not listed by its status.",
      jsonSchema: { type: "string", enum: codes }
    }),
    message: Schema.String.annotations({ description: "A sentence for people." }),
    status: Schema.Literal(status).annotations({ jsonSchema: { type: "integer", enum: statuses } }),
    requestId: Schema.String.annotations({
      description: "The `x-request-id` of the answer, by which the log finds it."
    }),
    documentationUrl: Schema.String.annotations({
      description: "Where the code is explained: absolute with PUBLIC_URL, else a path of the service.",
      jsonSchema: { type: "string", format: "uri-reference" }
    }),
    details: OptionalErrorDetails
  }
  const withActions = Schema.Struct({ ...fields, allowedActions: OptionalAllowedActions })
  const error: Schema.Schema<typeof withActions.Type, typeof withActions.Encoded> = codes.includes("state_conflict")
    ? withActions
    : Schema.Struct(fields)
  return Schema.Struct({ error })
}

interface ErrorResponseOptions {
  readonly status: number
  readonly identifier: string
  readonly description: string
}

/** The response of all errors with one status: each is encoded as the error body, and decoded by its code. */
const defineErrorResponse = <Class extends ErrorClass & Schema.Schema.All & { readonly Type: DeclaredError }>(
  { status, ...annotations }: ErrorResponseOptions,
  classes: ReadonlyArray<Class>
) => {
  // The compiler does not see that schemas of a generic union need no services.
  const errors = Schema.Union(...classes) as Schema.Schema<Class["Type"], Class["Encoded"]>
  return Schema.transformOrFail(makeErrorBodySchema(status), Schema.typeSchema(errors), {
    strict: true,
    decode: ({ error }, _, ast) =>
      Option.match(
        Array.findFirst(classes, ({ _tag }) => Schema.decodeUnknownOption(errors)({ ...error, _tag })),
        {
          onNone: () => ParseResult.fail(new ParseResult.Type(ast, error, `unknown error code ${error.code}`)),
          onSome: ParseResult.succeed
        }
      ),
    encode: (error) =>
      Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) =>
        Option.match(request, {
          onNone: () => makeErrorBody(status, contentOf(error), { requestId: "unknown", errorsUrl: errorsPath }),
          onSome: (request) => toErrorBody(status, contentOf(error, request), request)
        })
      )
  }).annotations(HttpApiSchema.annotations<Class["Type"]>({ status, ...annotations }))
}

const contentOf = (error: DeclaredError, request?: HttpServerRequest.HttpServerRequest): ErrorContent =>
  error instanceof HttpApiError.HttpApiDecodeError ? toInvalidRequest(error, request) : error

/** What the decoder of HttpApi rejected. */
const toInvalidRequest = (
  { issues }: HttpApiError.HttpApiDecodeError,
  request?: HttpServerRequest.HttpServerRequest
): InvalidRequest => {
  const refused = errorDetailsOf(issues)
  const details = request === undefined ? refused : explainRepeatedParameters(refused, request)
  return new InvalidRequest({
    code: "invalid_request",
    message: describeProblems("the request", details),
    details
  })
}

export const InvalidRequestResponse = defineErrorResponse(
  { status: 400, identifier: "InvalidRequest", description: "The request does not fit the schema of the endpoint." },
  declaredErrors[400]
)

export const UnauthenticatedResponse = defineErrorResponse(
  { status: 401, identifier: "Unauthenticated", description: "There is no credential, or an invalid one." },
  declaredErrors[401]
)

export const ForbiddenResponse = defineErrorResponse(
  {
    status: 403,
    identifier: "Forbidden",
    description: "The caller is authenticated, but may not send this request, or not from there."
  },
  declaredErrors[403]
)

export const NotFoundResponse = defineErrorResponse(
  { status: 404, identifier: "NotFound", description: "There is no such connection, or it belongs to another tenant." },
  declaredErrors[404]
)

export const ConflictResponse = defineErrorResponse(
  {
    status: 409,
    identifier: "Conflict",
    description: "The request conflicts with the current state of the connection."
  },
  declaredErrors[409]
)

export const PreconditionFailedResponse = defineErrorResponse(
  {
    status: 412,
    identifier: "PreconditionFailed",
    description: "The connection is no longer the one that `If-Match` names."
  },
  declaredErrors[412]
)

export const UnprocessableResponse = defineErrorResponse(
  {
    status: 422,
    identifier: "Unprocessable",
    description: "The request fits its schema but contradicts itself, a standard, or the state of its provider."
  },
  declaredErrors[422]
)

export const RateLimitedResponse = defineErrorResponse(
  {
    status: 429,
    identifier: "RateLimited",
    description:
      "The caller has used up its requests of this minute, or the tenant one of its quotas, its event streams or its place in the queue."
  },
  declaredErrors[429]
)

/** The name and meaning of 503, which every endpoint may answer, declared or not. */
export const unavailableAnnotations = {
  identifier: "Unavailable",
  description: "The database cannot be reached, or the service is shutting down, overloaded or busy; try again."
}

export const UnavailableResponse = defineErrorResponse({ status: 503, ...unavailableAnnotations }, declaredErrors[503])

/** The bodies of errors that are answered around the endpoints, for the OpenAPI document, by status. */
export const undeclaredErrors = {
  405: { identifier: "MethodNotAllowed", description: "The path exists, and does not take this method." },
  408: { identifier: "BodyTooSlow", description: bodyRefusals.body_too_slow },
  413: { identifier: "BodyTooLarge", description: bodyRefusals.body_too_large },
  415: { identifier: "UnsupportedMediaType", description: bodyRefusals.unsupported_media_type },
  500: { identifier: "InternalError", description: "The service has a defect; its log has the cause." }
} as const

/** The schemas of these bodies. */
export const undeclaredErrorBodies = Object.entries(undeclaredErrors).map(([status, annotations]) =>
  makeErrorBodySchema(Number(status)).annotations(annotations)
)

/**
 * Lets an endpoint that does not declare 503 answer it nevertheless while the database cannot be reached: HttpApi
 * encodes a defect that is a declared error of the whole API like that error.
 */
export const dieOnStoreUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | StoreUnavailable, R>
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | StoreUnavailable, StoreUnavailable> => error instanceof StoreUnavailable,
    Effect.die
  )
