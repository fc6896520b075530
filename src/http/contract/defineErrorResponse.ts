import { HttpApiError, HttpApiSchema, HttpServerRequest } from "@effect/platform"
import { Array, Effect, Option, ParseResult, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import { type ErrorDetail, errorDetailsOf, OptionalErrorDetails, toJsonPointer } from "../../domain/ErrorDetail.ts"
import { optional } from "../../domain/boundedSchemas.ts"
import { withDomainFault } from "../../domain/withDomainFault.ts"
import { NextSteps } from "../../lifecycle/commands/commandErrors.ts"
import { errorsPath } from "../PublicUrl.ts"
import {
  type DeclaredError,
  type DeclaredErrorCode,
  type declaredErrors,
  type ErrorClass,
  ErrorCode,
  type ErrorContent,
  InvalidRequest,
  listCodes,
  makeErrorBody,
  toErrorBody
} from "./errorResponses.ts"

interface ErrorResponseOptions {
  readonly status: keyof typeof declaredErrors
  readonly description: string
  /** Codes of these errors that do not happen where the response is declared. */
  readonly except?: ReadonlyArray<DeclaredErrorCode>
}

/**
 * The response of errors with one status: each is encoded as the error body, and decoded by its code. An endpoint that
 * declares it may fail with exactly these errors, and the OpenAPI document lists exactly their codes.
 */
export const defineErrorResponse = <Class extends ErrorClass & Schema.Schema.All & { readonly Type: DeclaredError }>(
  { except = [], status, ...annotations }: ErrorResponseOptions,
  classes: ReadonlyArray<Class>
) => {
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
    encode: (error) =>
      Effect.flatMap(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) =>
        Option.match(request, {
          onNone: () =>
            Effect.map(contentOf(error), (content) =>
              makeErrorBody(status, content, { requestId: "unknown", errorsUrl: errorsPath })
            ),
          onSome: (request) => Effect.map(contentOf(error, request), (content) => toErrorBody(status, content, request))
        })
      )
  }).annotations(HttpApiSchema.annotations<Class["Type"]>({ status, ...annotations }))
}

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

const contentOf = (error: DeclaredError, request?: HttpServerRequest.HttpServerRequest): Effect.Effect<ErrorContent> =>
  error instanceof HttpApiError.HttpApiDecodeError ? toInvalidRequest(error, request) : Effect.succeed(error)

/** The part of a request that the decoder of HttpApi rejected. */
const toInvalidRequest = (
  { issues }: HttpApiError.HttpApiDecodeError,
  request?: HttpServerRequest.HttpServerRequest
): Effect.Effect<InvalidRequest> => {
  const refused = errorDetailsOf(issues)
  const complete =
    request === undefined
      ? Effect.succeed(refused)
      : addDomainFault(explainRepeatedParameters(refused, request), request)
  return Effect.map(complete, (details) => InvalidRequest.of(details))
}

/** Says of each query parameter that was refused and is given more than once that this is what is wrong with it. */
const explainRepeatedParameters = (
  details: ReadonlyArray<ErrorDetail>,
  request: HttpServerRequest.HttpServerRequest
): ReadonlyArray<ErrorDetail> => {
  const url = HttpServerRequest.toURL(request)
  if (Option.isNone(url) || url.value.search === "") return details
  const byPointer = Map.groupBy(url.value.searchParams.keys(), (name) => toJsonPointer([name]))
  return details.map((detail) =>
    (byPointer.get(detail.pointer) ?? []).length > 1
      ? { pointer: detail.pointer, code: "parameter_repeated", message: "is given more than once; give it once" }
      : detail
  )
}

/**
 * Adds what is wrong with the domain of an intent to the faults that the schema found elsewhere in the body, behind which
 * it would hide until those are mended. HttpApi reads the body first, so that it is there already.
 */
const addDomainFault = (
  details: ReadonlyArray<ErrorDetail>,
  { json, url }: HttpServerRequest.HttpServerRequest
): Effect.Effect<ReadonlyArray<ErrorDetail>> => {
  const location = intentLocations[url.split("?")[0] ?? ""]
  return location === undefined
    ? Effect.succeed(details)
    : Effect.map(Effect.option(json), (body) =>
        withDomainFault(details, Option.flatMap(body, location.decode), location.pointer)
      )
}

const DomainField = Schema.Struct({ domain: Schema.String.pipe(Schema.maxLength(1_000)) })

/** Where the body of an endpoint has the domain of its intent. */
const intentLocations: Readonly<
  Record<string, { readonly pointer: string; readonly decode: (body: unknown) => Option.Option<string> }>
> = {
  "/v1/connections": {
    pointer: "/intent/domain",
    decode: (body) =>
      Option.map(
        Schema.decodeUnknownOption(Schema.Struct({ intent: DomainField }))(body),
        ({ intent }) => intent.domain
      )
  },
  "/v1/domains/check": {
    pointer: "/domain",
    decode: (body) => Option.map(Schema.decodeUnknownOption(DomainField)(body), ({ domain }) => domain)
  }
}
