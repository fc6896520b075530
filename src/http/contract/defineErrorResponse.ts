import { HttpApiError, HttpApiSchema } from "@effect/platform"
import { Array, Option, ParseResult, Schema } from "effect"
import { ConnectionId } from "../../domain/connection/Connection.ts"
import { errorDetailsOf, OptionalErrorDetails } from "../../domain/error/ErrorDetail.ts"
import { optional } from "../../domain/values/boundedSchemas.ts"
import { NextSteps } from "../../lifecycle/commands/commandErrors.ts"
import { errorsPath } from "../PublicUrl.ts"
import {
  type DeclaredError,
  type DeclaredErrorCode,
  type ErrorClass,
  ErrorCode,
  errorStatuses,
  type ErrorContent,
  InvalidRequest,
  listCodes,
  makeErrorBody
} from "./errorResponses.ts"

/**
 * The response of errors with one status, each encoded as the error body. An endpoint that declares it may fail with
 * exactly these errors; the OpenAPI document lists their codes without those in `except`.
 */
export const defineErrorResponse = <Class extends ErrorClass & Schema.Schema.All & { readonly Type: DeclaredError }>(
  description: string,
  classes: ReadonlyArray<Class>,
  { except = [] }: { readonly except?: ReadonlyArray<DeclaredErrorCode> } = {}
) => {
  const [status = 500] = classes.map(({ _tag }) => errorStatuses.get(_tag))
  const codes = listCodes(classes).filter((code) => !except.includes(code))
  const body = makeErrorBodySchema(status, codes)
  // The compiler does not see that schemas of a generic union need no services.
  // A union of one would be that one, by whose name HttpApi would refer to the body.
  const errors = Schema.Union(...classes, Schema.Never) as Schema.Schema<Class["Type"], Class["Encoded"]>
  return Schema.transformOrFail(body, Schema.typeSchema(errors), {
    strict: true,
    decode: ({ error }, _, ast) =>
      Option.match(
        Array.findFirst(classes, ({ _tag }) => Schema.decodeUnknownOption(errors)({ ...error, _tag })),
        {
          onNone: () => ParseResult.fail(new ParseResult.Type(ast, error, `unknown error code ${error.code}`)),
          onSome: ParseResult.succeed
        }
      ),
    // The service answers errors by `encodeError`, with the id of the request.
    encode: (error) =>
      ParseResult.succeed(makeErrorBody(status, contentOf(error), { requestId: "unknown", errorsUrl: errorsPath }))
  }).annotations(HttpApiSchema.annotations<Class["Type"]>({ status, description }))
}

/** The error responses of an endpoint: it may fail with any of their errors. */
export const oneOf = Schema.Union

/** The fields of an error, where they are the same in each response. */
const errorFields = {
  message: Schema.String.annotations({ description: "A sentence for people." }),
  requestId: Schema.String.annotations({
    description: "The `x-request-id` of the answer, by which the log finds it."
  }),
  documentationUrl: Schema.String.annotations({
    jsonSchema: {
      type: "string",
      format: "uri-reference",
      description: "Where the code is explained: absolute with PUBLIC_URL, else a path of the service."
    }
  }),
  details: OptionalErrorDetails,
  ...NextSteps.fields,
  connectionId: optional(ConnectionId).annotations({
    description: "Of `connection_exists` and `external_id_taken`: the existing connection."
  })
}

/** Every error, for the OpenAPI document; each response narrows the codes down to its own. */
export const ErrorObject = Schema.Struct({
  code: ErrorCode,
  status: Schema.Int.annotations({ description: "The HTTP status of the answer." }),
  ...errorFields
}).annotations({ identifier: "Error", description: "What is wrong, in the body of every error." })

/** The schema of an error body with this status and one of these codes. */
const makeErrorBodySchema = (status: number, codes: ReadonlyArray<ErrorCode>) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String.annotations({ jsonSchema: { type: "string", enum: codes } }),
      status: Schema.Literal(status),
      ...errorFields
    })
  })

/** The content of an error; for an error of HttpApi's decoder, the faults of the parts of the request. */
const contentOf = (error: DeclaredError): ErrorContent =>
  error instanceof HttpApiError.HttpApiDecodeError ? InvalidRequest.of(errorDetailsOf(error.issues)) : error
