import { Array, Option, Record, Schema } from "effect"
import { undeclaredErrors } from "./operationErrors.ts"
import { listUndeclaredCodes, type UndeclaredStatus } from "./errorResponses.ts"

/** The errors with one status, as the OpenAPI document shows them at an operation. */
interface DocumentedError {
  readonly description: string
  readonly codes: ReadonlyArray<string>
  /** Those around the endpoint may be answered with the same body (docs/decisions/0002). */
  readonly statuses: ReadonlyArray<number>
}

/** The responses of an operation, by status, as HttpApi shows them. */
type DeclaredResponses = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
>

/** The errors of an operation by status: those that it declares, and those that are answered around its endpoint. */
export const listDocumentedErrors = (
  responses: DeclaredResponses,
  method: string
): Readonly<Record<string, DocumentedError>> => {
  const declared = Record.filterMap(responses, findWidestError)
  const around = undeclaredStatusesOf(method).map((status) => {
    const shared = Object.values(declared).find(({ statuses }) => statuses.includes(status))
    const codes = shared?.codes ?? listUndeclaredCodes(status)
    return [status, { description: undeclaredErrors[status], codes, statuses: [status] }] as const
  })
  return { ...Object.fromEntries(around), ...declared }
}

/**
 * The error that lists all codes of the others. HttpApi shows each error that an endpoint, its middleware or the whole API
 * declares with this status.
 */
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
      codes: error.properties.code.enum,
      statuses: error.properties.status.enum
    }))
  )

const decodeErrorSchema = Schema.decodeUnknownOption(
  Schema.Struct({
    description: Schema.String,
    properties: Schema.Struct({
      error: Schema.Struct({
        properties: Schema.Struct({
          code: Schema.Struct({ enum: Schema.Array(Schema.String) }),
          status: Schema.Struct({ enum: Schema.Array(Schema.Number) })
        })
      })
    })
  })
)

/** Without a body none is refused; only one that is read can be too slow. */
const undeclaredStatusesOf = (method: string): ReadonlyArray<UndeclaredStatus> => [
  405,
  ...(["post", "put", "patch"].includes(method) ? ([408] as const) : []),
  ...(method === "get" ? [] : ([413, 415] as const)),
  500,
  503
]

/** The response of errors with these codes alone. */
export const toErrorResponse = ({ codes, description }: DocumentedError) => ({
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
