import { HttpApiError, HttpApiSchema, HttpServerRequest } from "@effect/platform"
import { Array, Effect, Option, ParseResult, Schema } from "effect"
import { type ErrorDetail, errorDetailsOf, OptionalErrorDetails } from "../../domain/ErrorDetail.ts"
import {
  CommandRefused,
  IdempotencyInProgress,
  PreconditionFailed,
  Unprocessable
} from "../../lifecycle/commands/commandErrors.ts"
import { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionEnded } from "../../persistence/stores/BrowserTokenStore.ts"
import { ConnectionNotFound } from "../../persistence/stores/ConnectionStore.ts"
import { Unauthenticated } from "../../security/ApiKeys.ts"
import { requestIdOf } from "../requestMetadata.ts"
import { DrainInProgress, Forbidden, InvalidRequest, RateLimited } from "./errors.ts"

/** What every error says, inside and outside: a stable `code`, a sentence, and where in the request. */
export interface ErrorContent {
  readonly code: string
  readonly message: string
  readonly details?: ReadonlyArray<ErrorDetail>
}

/** The one shape of an error body. */
export const toErrorBody = (status: number, { code, details, message }: ErrorContent, requestId: string) => ({
  error: { code, message, status, requestId, ...(details === undefined ? {} : { details }) }
})

const ErrorBody = ({ codes, status }: { readonly status: number; readonly codes: string }) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String.annotations({ description: `A stable word: ${codes}.` }),
      message: Schema.String.annotations({ description: "A sentence for people." }),
      status: Schema.Literal(status).annotations({ jsonSchema: { type: "integer", const: status } }),
      requestId: Schema.String.annotations({
        description: "The `x-request-id` of the answer, by which the log finds it."
      }),
      details: OptionalErrorDetails
    })
  })

interface AnswerAbout {
  readonly status: number
  readonly identifier: string
  readonly description: string
  /** The codes that stand in the body, for the reader of the document. */
  readonly codes: string
}

/** The errors that one status stands for, as they are seen from outside: one body for each status. */
const answeredWith = <E extends (ErrorContent & { readonly _tag: string }) | HttpApiError.HttpApiDecodeError, I>(
  { codes, status, ...about }: AnswerAbout,
  errors: Schema.Schema<E, I>,
  tags: Array.NonEmptyReadonlyArray<E["_tag"]>
) =>
  Schema.transformOrFail(ErrorBody({ codes, status }), Schema.typeSchema(errors), {
    strict: true,
    decode: ({ error }, _, ast) =>
      Option.match(
        Array.findFirst(tags, (_tag) => Schema.decodeUnknownOption(errors)({ _tag, ...problemOf(error) })),
        {
          onNone: () => ParseResult.fail(new ParseResult.Type(ast, error, `unknown error code ${error.code}`)),
          onSome: ParseResult.succeed
        }
      ),
    encode: (error) =>
      Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) =>
        toErrorBody(status, problemOf(error), Option.match(request, { onNone: () => "unknown", onSome: requestIdOf }))
      )
  }).annotations(HttpApiSchema.annotations<E>({ status, ...about }))

const problemOf = (error: ErrorContent | HttpApiError.HttpApiDecodeError): ErrorContent =>
  error instanceof HttpApiError.HttpApiDecodeError ? invalidRequestFrom(error) : error

/** What the decoder of HttpApi found. */
const invalidRequestFrom = ({ issues }: HttpApiError.HttpApiDecodeError): InvalidRequest =>
  new InvalidRequest({
    code: "invalid_request",
    message: "the request does not fit its schema; see details",
    details: errorDetailsOf(issues)
  })

export const InvalidRequestResponse = answeredWith(
  {
    status: 400,
    identifier: "InvalidRequest",
    description: "The request does not fit what the endpoint takes.",
    codes: "invalid_request, malformed_json, origin_not_canonical"
  },
  Schema.Union(InvalidRequest, HttpApiError.HttpApiDecodeError),
  ["InvalidRequest"]
)

export const UnauthenticatedResponse = answeredWith(
  {
    status: 401,
    identifier: "Unauthenticated",
    description: "No credential, or one that is not good.",
    codes: "unauthenticated"
  },
  Unauthenticated,
  ["Unauthenticated"]
)

export const ForbiddenResponse = answeredWith(
  {
    status: 403,
    identifier: "Forbidden",
    description: "The caller is known and may not do this, here or in this way.",
    codes: "api_key_in_browser, origin_not_allowed, insufficient_scope"
  },
  Forbidden,
  ["Forbidden"]
)

export const NotFoundResponse = answeredWith(
  {
    status: 404,
    identifier: "NotFound",
    description: "There is no such connection, or it belongs to somebody else.",
    codes: "not_found"
  },
  ConnectionNotFound,
  ["ConnectionNotFound"]
)

export const ConflictResponse = answeredWith(
  {
    status: 409,
    identifier: "Conflict",
    description: "The request cannot be served as things stand now.",
    codes:
      "idempotency_in_progress, connection_ended, state_conflict, failure_not_retryable, records_written, plan_digest_mismatch, plan_expired, acknowledgement_required"
  },
  Schema.Union(IdempotencyInProgress, ConnectionEnded, CommandRefused),
  ["IdempotencyInProgress", "ConnectionEnded", "CommandRefused"]
)

export const PreconditionFailedResponse = answeredWith(
  {
    status: 412,
    identifier: "PreconditionFailed",
    description: "The connection is no longer the one that `If-Match` names.",
    codes: "precondition_failed"
  },
  PreconditionFailed,
  ["PreconditionFailed"]
)

export const UnprocessableResponse = answeredWith(
  {
    status: 422,
    identifier: "Unprocessable",
    description: "The request fits its schema and makes no sense.",
    codes:
      "unprocessable, idempotency_key_reused, authorization_method_unavailable, credential_kind_mismatch, not_left_over"
  },
  Unprocessable,
  ["Unprocessable"]
)

export const RateLimitedResponse = answeredWith(
  {
    status: 429,
    identifier: "RateLimited",
    description: "The application and tenant have used up their requests of this minute.",
    codes: "rate_limited"
  },
  RateLimited,
  ["RateLimited"]
)

export const UnavailableResponse = answeredWith(
  {
    status: 503,
    identifier: "Unavailable",
    description: "The database cannot be reached, or the service is shutting down; try again.",
    codes: "unavailable, draining"
  },
  Schema.Union(StoreUnavailable, DrainInProgress),
  ["StoreUnavailable", "DrainInProgress"]
)

/**
 * Lets an endpoint that does not declare 503 answer it nevertheless while the database cannot be reached: HttpApi encodes a
 * defect that is a declared error of the whole API like that error.
 */
export const dieOnStoreUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | StoreUnavailable, R>
): Effect.Effect<A, Exclude<E, StoreUnavailable>, R> =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E | StoreUnavailable, StoreUnavailable> => error instanceof StoreUnavailable,
    Effect.die
  )
