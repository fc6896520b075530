import { Array, Option, Predicate, Record, Schema } from "effect"
import { listUndeclaredCodes } from "../contract/errorResponses.ts"
import { undeclaredErrors } from "../contract/operationErrors.ts"
import responseExamples from "../contract/responseExamples.json" with { type: "json" }
import { webhookRequests } from "./webhooks/webhookRequests.ts"

interface Reference {
  readonly $ref: string
}

interface MediaTypes {
  readonly [mediaType: string]: { readonly schema: object; readonly examples?: Readonly<Record<string, Reference>> }
}

/** The part of a response of OpenAPI 3.1 that this service uses. */
interface ResponseObject {
  readonly description: string
  readonly content?: MediaTypes
  readonly headers?: Readonly<Record<string, Reference>>
}

/** The part of an operation of OpenAPI 3.1 that this service uses. */
interface OperationObject {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string }>
  readonly security: ReadonlyArray<object>
  readonly requestBody?: { readonly content: MediaTypes }
  readonly responses: Readonly<Record<string, ResponseObject>>
}

interface OpenApiObject {
  readonly info: object
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: object
}

/**
 * Adds to the OpenAPI document what HttpApi cannot declare: errors around the endpoints, the one error body, headers,
 * examples and webhooks.
 */
export const completeOpenApi = (document: object): object => {
  const { info, ...rest } = document as OpenApiObject
  const { components, paths, ...others } = cleanSchemas(rest) as Omit<OpenApiObject, "info">
  return {
    ...others,
    info: { ...info, contact: { name: "The operator of this service" } },
    paths: Record.map(paths, (operations) => Record.map(operations, completeOperation)),
    webhooks: webhookRequests,
    components: {
      ...components,
      responses: sharedResponses,
      headers: responseHeaders,
      examples: responseExamples
    }
  }
}

const completeOperation = (operation: OperationObject, method: string) => {
  const errors = listDeclaredErrors(operation.responses)
  const responses: Readonly<Record<string, ResponseObject>> = {
    ...operation.responses,
    ...(operation.parameters.some(({ name }) => name === "if-none-match") ? { 304: notModified } : {}),
    ...Record.map(errors, toErrorResponse)
  }
  const { requestBody } = operation
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: withExamples(requestBody.content, operation, "request") } }),
    responses: {
      ...Object.fromEntries(
        listUndeclaredErrors(method).map(({ name, status }) => [status, { $ref: `#/components/responses/${name}` }])
      ),
      ...Record.map(responses, (response, status) =>
        completeResponse(response, operation, status, errors[status]?.codes)
      )
    }
  }
}

const completeResponse = (
  { content, ...response }: ResponseObject,
  operation: Pick<OperationObject, "operationId" | "parameters" | "security">,
  status: string,
  codes?: ReadonlyArray<string>
): ResponseObject => ({
  ...response,
  headers: headersOf(operation, { status, content }),
  ...(content === undefined ? {} : { content: withExamples(content, operation, status, codes) })
})

/** Removes titles and descriptions that Effect makes up, such as `maxLength(1000)`; the limits stand in keywords. */
const cleanSchemas = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(cleanSchemas)
  if (!Predicate.isRecord(part)) return part
  const kept = Record.filter(part, (value, key) => typeof value !== "string" || !isOfEffect(key, value))
  return Record.map(kept, cleanSchemas)
}

const isOfEffect = (keyword: string, text: string): boolean =>
  keyword === "title" || (keyword === "description" && !/[.?]$/.test(text))

/** The errors with one status, as the OpenAPI document shows them. */
interface DocumentedError {
  readonly description: string
  readonly codes: ReadonlyArray<string>
}

/** The responses of an operation, by status, as HttpApi shows them. */
type DeclaredResponses = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
>

/** The errors that an operation declares, by status. */
const listDeclaredErrors = (responses: DeclaredResponses): Readonly<Record<string, DocumentedError>> =>
  Record.filterMap(responses, findWidestError)

/** The error that lists all codes of the others: HttpApi repeats each that the endpoint or the API declares. */
const findWidestError = ({ content = {} }: DeclaredResponses[string]): Option.Option<DocumentedError> => {
  const errors = Object.values(content).flatMap(({ schema }) => alternativesOf(schema).flatMap(listError))
  return Array.findFirst(errors, (error) =>
    errors.every(({ codes }) => codes.every((code) => error.codes.includes(code)))
  )
}

const alternativesOf = (schema: object): ReadonlyArray<unknown> =>
  "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [schema]

const listError = (schema: unknown): ReadonlyArray<DocumentedError> =>
  Option.toArray(
    Option.map(decodeErrorSchema(schema), ({ description, properties: { error } }) => ({
      description,
      codes: error.properties.code.enum
    }))
  )

const decodeErrorSchema = Schema.decodeUnknownOption(
  Schema.Struct({
    description: Schema.String,
    properties: Schema.Struct({
      error: Schema.Struct({
        properties: Schema.Struct({ code: Schema.Struct({ enum: Schema.Array(Schema.String) }) })
      })
    })
  })
)

/** The errors around the endpoint; a request without a body cannot be refused for its body. */
const listUndeclaredErrors = (method: string) =>
  undeclaredErrors.filter(({ status }) => method !== "get" || ![408, 413, 415].includes(status))

const toErrorResponse = ({ codes, description }: DocumentedError) => ({
  description,
  content: { "application/json": { schema: describeErrorBody(codes) } }
})

const describeErrorBody = (codes: ReadonlyArray<string>) => ({
  type: "object",
  required: ["error"],
  properties: {
    error: {
      allOf: [
        { $ref: "#/components/schemas/Error" },
        { type: "object", required: ["code"], properties: { code: { type: "string", enum: codes } } }
      ]
    }
  },
  additionalProperties: false
})

const notModified: ResponseObject = { description: "The response with this ETag is still current." }

/** Adds references to examples of the operation and status, or else of errors with this status and such a code. */
const withExamples = (
  content: MediaTypes,
  { operationId }: Pick<OperationObject, "operationId">,
  status: string,
  codes: ReadonlyArray<string> = []
): MediaTypes => {
  const own = exampleNames.filter((name) => name.split(".").slice(0, 2).join(".") === `${operationId}.${status}`)
  const names = own.length > 0 ? own : exampleNames.filter((name) => isErrorExample(name, status, codes))
  const examples = names.map((name) => [
    name.split(".").slice(2).join(".") || "example",
    { $ref: `#/components/examples/${name}` }
  ])
  return names.length === 0
    ? content
    : Record.map(content, (body) => ({ ...body, examples: Object.fromEntries(examples) }))
}

const isErrorExample = (name: string, status: string, codes: ReadonlyArray<string>): boolean =>
  codes.some((code) => name === `error.${status}.${code}`)

const exampleNames = Object.keys(responseExamples)

const text = { type: "string" }

/** The headers of responses, for the OpenAPI document. */
const responseHeaders = {
  "x-request-id": {
    description:
      "The id of the request in the log: the client's own `x-request-id` if it is safe there, else a new one.",
    schema: text
  },
  "Cache-Control": { description: "Always `no-store`.", schema: text },
  ETag: {
    description: "The version of the connection, webhook endpoint or application, for `If-None-Match` and `If-Match`.",
    schema: text
  },
  Location: { description: "The path of what is new.", schema: { type: "string", format: "uri-reference" } },
  "Idempotent-Replayed": {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] }
  },
  "Preference-Applied": { description: "The `wait` of the request, as it was applied.", schema: text },
  "RateLimit-Policy": { description: 'The limit of a minute, such as `"default";q=1200;w=60`.', schema: text },
  RateLimit: {
    description: 'What is left of it, and the seconds until it begins again, such as `"default";r=1187;t=41`.',
    schema: text
  },
  "Retry-After": { description: "After how many seconds to try again.", schema: { type: "integer", minimum: 0 } },
  Allow: { description: "The methods that the path takes.", schema: text },
  "WWW-Authenticate": { description: "The credentials that the service takes.", schema: text }
} as const

type HeaderName = keyof typeof responseHeaders

interface DocumentedAnswer {
  readonly status: string
  readonly content: ResponseObject["content"]
}

/** The headers of a response; they follow from its operation, its status and its body. */
const headersOf = (
  operation: Pick<OperationObject, "parameters" | "security">,
  { content, status }: DocumentedAnswer
) => {
  const isSuccess = Number(status) < 400
  const accepts = (parameter: string) => operation.parameters.some(({ name }) => name === parameter)
  const isLimited = operation.security.length > 0 && !statusesBeforeLimit.includes(status)
  const showsVersion = hasVersion(content) && isSuccess
  const names: ReadonlyArray<HeaderName | false> = [
    "x-request-id",
    "Cache-Control",
    (showsVersion || status === "304") && "ETag",
    showsVersion && status === "201" && "Location",
    isSuccess && accepts("idempotency-key") && "Idempotent-Replayed",
    isSuccess && accepts("prefer") && "Preference-Applied",
    isLimited && "RateLimit-Policy",
    isLimited && "RateLimit",
    (status === "429" || status === "503") && "Retry-After",
    status === "405" && "Allow",
    status === "401" && "WWW-Authenticate"
  ]
  return Object.fromEntries(
    names.filter((name) => name !== false).map((name) => [name, { $ref: `#/components/headers/${name}` }])
  )
}

/** The statuses of responses that are sent before the caller is known, or because it is unknown. */
const statusesBeforeLimit = ["401", "405", "408", "413", "415", "500", "503"]

const hasVersion = (content: ResponseObject["content"]): boolean =>
  [
    "ConnectionBody",
    "AuthorizationBody",
    "WebhookEndpointBody",
    "NewWebhookEndpointBody",
    "WebhookSecretBody",
    "ApplicationBody"
  ].some((name) =>
    Object.values(content ?? {}).some(({ schema }) => "$ref" in schema && String(schema.$ref).endsWith(`/${name}`))
  )

/** The responses of the errors around the endpoints, which are the same at every operation. */
const sharedResponses = Object.fromEntries(
  undeclaredErrors.map(({ description, name, status }) => {
    const codes = listUndeclaredCodes(status)
    const anyOperation = { operationId: "", parameters: [], security: [] }
    return [name, completeResponse(toErrorResponse({ codes, description }), anyOperation, String(status), codes)]
  })
)
