import { HttpApiError, HttpApiSchema } from "@effect/platform"
import { Array, Effect, Option, ParseResult, Schema } from "effect"
import { IdempotencyInProgress, Unprocessable } from "../lifecycle/Connections.ts"
import { ConnectionEnded } from "../persistence/BrowserTokenStore.ts"
import { ConnectionNotFound } from "../persistence/ConnectionStore.ts"
import { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { Unauthenticated } from "../security/ApiKeys.ts"
import { Forbidden, RateLimited } from "./Admission.ts"
import { Draining } from "./Drain.ts"
import { ErrorDetail, fromDecodeError, InvalidRequest } from "./InvalidRequest.ts"
import { RequestId } from "./RequestId.ts"

/** What every error says, inside and outside: a stable `code`, a sentence, and where in the request. */
export interface Problem {
  readonly code: string
  readonly message: string
  readonly details?: ReadonlyArray<ErrorDetail>
}

/** The one shape of an error body. */
export const errorBody = (status: number, { code, details, message }: Problem, requestId: string) => ({
  error: { code, message, status, requestId, ...(details === undefined ? {} : { details }) }
})

const ErrorBody = (status: number) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      status: Schema.Literal(status),
      requestId: Schema.String,
      details: Schema.optionalWith(Schema.Array(ErrorDetail), { exact: true })
    })
  })

/** The errors that one status stands for, as they are seen from outside: one body for each status. */
const answeredWith = <E extends (Problem & { readonly _tag: string }) | HttpApiError.HttpApiDecodeError, I>(
  as: { readonly status: number; readonly identifier: string; readonly description: string },
  errors: Schema.Schema<E, I>,
  tags: Array.NonEmptyReadonlyArray<E["_tag"]>
) =>
  Schema.transformOrFail(ErrorBody(as.status), Schema.typeSchema(errors), {
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
      Effect.map(Effect.serviceOption(RequestId), (requestId) =>
        errorBody(
          as.status,
          problemOf(error),
          Option.getOrElse(requestId, () => "unknown")
        )
      )
  }).annotations(HttpApiSchema.annotations<E>(as))

const problemOf = (error: Problem | HttpApiError.HttpApiDecodeError): Problem =>
  error instanceof HttpApiError.HttpApiDecodeError ? fromDecodeError(error) : error

export const InvalidRequestBody = answeredWith(
  { status: 400, identifier: "InvalidRequest", description: "The request does not fit what the endpoint takes." },
  Schema.Union(InvalidRequest, HttpApiError.HttpApiDecodeError),
  ["InvalidRequest"]
)

export const UnauthenticatedBody = answeredWith(
  { status: 401, identifier: "Unauthenticated", description: "No credential, or one that is not good." },
  Unauthenticated,
  ["Unauthenticated"]
)

export const ForbiddenBody = answeredWith(
  {
    status: 403,
    identifier: "Forbidden",
    description: "The caller is known and may not do this, here or in this way."
  },
  Forbidden,
  ["Forbidden"]
)

export const NotFoundBody = answeredWith(
  { status: 404, identifier: "NotFound", description: "There is no such connection, or it belongs to somebody else." },
  ConnectionNotFound,
  ["ConnectionNotFound"]
)

export const ConflictBody = answeredWith(
  { status: 409, identifier: "Conflict", description: "The request cannot be served as things stand now." },
  Schema.Union(IdempotencyInProgress, ConnectionEnded),
  ["IdempotencyInProgress", "ConnectionEnded"]
)

export const UnprocessableBody = answeredWith(
  { status: 422, identifier: "Unprocessable", description: "The request fits its schema and makes no sense." },
  Unprocessable,
  ["Unprocessable"]
)

export const RateLimitedBody = answeredWith(
  {
    status: 429,
    identifier: "RateLimited",
    description: "The application and tenant have used up their requests of this minute."
  },
  RateLimited,
  ["RateLimited"]
)

export const UnavailableBody = answeredWith(
  {
    status: 503,
    identifier: "Unavailable",
    description: "The database cannot be reached, or the service is shutting down; try again."
  },
  Schema.Union(StoreUnavailable, Draining),
  ["StoreUnavailable", "Draining"]
)
