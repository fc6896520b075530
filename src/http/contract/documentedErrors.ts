import { Array, Option, Record, Schema } from "effect"
import { undeclaredErrors } from "./operationErrors.ts"

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
export const listDeclaredErrors = (responses: DeclaredResponses): Readonly<Record<string, DocumentedError>> =>
  Record.filterMap(responses, findWidestError)

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

/** The errors around the endpoint of an operation with this method: only what has a body can be refused for it. */
export const listUndeclaredErrors = (method: string) =>
  undeclaredErrors.filter(({ status }) => method !== "get" || ![408, 413, 415].includes(status))

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
