import { Schema } from "effect"

/** A schema of the document, as JSON Schema; its keywords are read where they are shown. */
export const JsonSchema = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type JsonSchema = typeof JsonSchema.Type

const MediaType = Schema.Struct({
  schema: JsonSchema,
  examples: Schema.optional(Schema.Record({ key: Schema.String, value: JsonSchema }))
})

const ApiContent = Schema.Record({ key: Schema.String, value: MediaType })
type ApiContent = typeof ApiContent.Type

export const ApiParameter = Schema.Struct({
  name: Schema.String,
  in: Schema.String,
  required: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  description: Schema.optionalWith(Schema.String, { default: () => "" }),
  schema: JsonSchema
})
export type ApiParameter = typeof ApiParameter.Type

/** A response, or a reference to one that several operations share. */
const DocumentedResponse = Schema.Struct({
  $ref: Schema.optional(Schema.String),
  description: Schema.optionalWith(Schema.String, { default: () => "" }),
  content: Schema.optionalWith(ApiContent, { default: () => ({}) })
})

/** An operation of the API, or a request that the API sends. */
export const ApiOperation = Schema.Struct({
  operationId: Schema.String,
  summary: Schema.optionalWith(Schema.String, { default: () => "" }),
  description: Schema.optionalWith(Schema.String, { default: () => "" }),
  tags: Schema.Array(Schema.String),
  /** The alternatives of credentials for a request, each with the scopes that it must have. */
  security: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })),
  parameters: Schema.optionalWith(Schema.Array(ApiParameter), { default: () => [] }),
  requestBody: Schema.optional(Schema.Struct({ content: ApiContent })),
  responses: Schema.Record({ key: Schema.String, value: DocumentedResponse })
})
export type ApiOperation = typeof ApiOperation.Type

const ApiPath = Schema.Record({ key: Schema.String, value: ApiOperation })

/** The OpenAPI document of this service, by what its pages show. */
export const ApiDocument = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
  paths: Schema.Record({ key: Schema.String, value: ApiPath }),
  webhooks: Schema.Record({ key: Schema.String, value: Schema.Struct({ post: ApiOperation }) }),
  components: Schema.Struct({
    schemas: Schema.Record({ key: Schema.String, value: JsonSchema }),
    responses: Schema.Record({ key: Schema.String, value: DocumentedResponse }),
    examples: Schema.Record({ key: Schema.String, value: JsonSchema }),
    securitySchemes: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({ type: Schema.String, name: Schema.optionalWith(Schema.String, { default: () => "" }) })
    })
  })
})
export type ApiDocument = typeof ApiDocument.Type

/** An operation, and the method and path template by which it is called. */
export interface LocatedOperation {
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
}

export const listOperations = ({ paths }: ApiDocument): ReadonlyArray<LocatedOperation> =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name of the schema to which a schema refers, if it only refers, perhaps with words of its own. */
export const referenceOf = ({ $ref, allOf }: JsonSchema): string | undefined => {
  const [only, ...others] = Array.isArray(allOf) ? allOf.filter(isSchema) : []
  if (only !== undefined && others.length === 0) return referenceOf(only)
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined
}

/** The schema itself, or the one to which it refers. */
export const resolveSchema = (document: ApiDocument, schema: JsonSchema): JsonSchema => {
  const name = referenceOf(schema)
  return (name === undefined ? undefined : document.components.schemas[name]) ?? schema
}

export const fieldsOf = ({ properties }: JsonSchema): ReadonlyArray<readonly [name: string, schema: JsonSchema]> =>
  isSchema(properties)
    ? Object.entries(properties).flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema] as const] : []))
    : []

export const requiredFieldsOf = ({ required }: JsonSchema): ReadonlyArray<string> =>
  Array.isArray(required) ? required.map(String) : []

/** The alternatives of a union; of anything else the schema itself. */
export const alternativesOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => {
  const alternatives = schema["anyOf"] ?? schema["oneOf"]
  return Array.isArray(alternatives) ? alternatives.filter(isSchema).flatMap(alternativesOf) : [schema]
}

/** The response that an operation gives when it succeeds with a body, else the one without. */
export const successOf = ({ responses }: ApiOperation) => {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"))
  const [status, response] = successes.find(([, { content }]) => Object.keys(content).length > 0) ?? successes[0] ?? []
  return status === undefined || response === undefined ? undefined : { status, ...response }
}

/** The schema of the only media type of a body. */
export const schemaOf = (content: ApiContent): JsonSchema | undefined => Object.values(content)[0]?.schema

export const examplesOf = (document: ApiDocument, content: ApiContent): ReadonlyArray<unknown> =>
  Object.values(Object.values(content)[0]?.examples ?? {}).map((example) => {
    const name = referenceOf(example)
    return (name === undefined ? example : document.components.examples[name])?.["value"]
  })

export const isStream = (operation: ApiOperation): boolean =>
  Object.keys(successOf(operation)?.content ?? {}).includes("text/event-stream")

export const errorCodesOf = (document: ApiDocument, { responses }: ApiOperation): ReadonlyArray<string> => [
  ...new Set(
    Object.values(responses).flatMap((response) =>
      Object.values(resolveResponse(document, response).content).flatMap(({ schema }) => [
        ...(valuesAt(document, schema, ["error", "code"]) ?? [])
      ])
    )
  )
]

const resolveResponse = (
  { components }: ApiDocument,
  response: typeof DocumentedResponse.Type
): typeof DocumentedResponse.Type => components.responses[referenceOf(response) ?? ""] ?? response

/** The values that a schema allows at a path of fields, by all that restricts them; undefined if nothing does. */
const valuesAt = (
  document: ApiDocument,
  schema: JsonSchema,
  path: ReadonlyArray<string>
): ReadonlySet<string> | undefined => {
  const name = referenceOf(schema)
  const referred = name === undefined ? undefined : document.components.schemas[name]
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"].filter(isSchema) : []
  const alternatives = alternativesOf(schema).flatMap((part) =>
    part === schema ? [] : (valuesAt(document, part, path) ?? [])
  )
  const restrictions = [
    ...(referred === undefined ? all : [referred, ...all]).flatMap((part) => valuesAt(document, part, path) ?? []),
    ...(alternatives.length === 0 ? [] : [alternatives.reduce((values, more) => values.union(more))]),
    ...listOwnValues(document, schema, path)
  ]
  return restrictions.length === 0 ? undefined : restrictions.reduce((values, more) => values.intersection(more))
}

const listOwnValues = (
  document: ApiDocument,
  schema: JsonSchema,
  [field, ...rest]: ReadonlyArray<string>
): ReadonlyArray<ReadonlySet<string>> => {
  const values = schema["enum"]
  if (field === undefined) return Array.isArray(values) ? [new Set(values.map(String))] : []
  const own = fieldsOf(schema).find(([name]) => name === field)?.[1]
  const found = own === undefined ? undefined : valuesAt(document, own, rest)
  return found === undefined ? [] : [found]
}

/** The names of the schemas that a value other than an error can contain, which a reader looks up. */
export const listObjectNames = (document: ApiDocument): ReadonlyArray<string> => {
  const operations = listOperations(document).map(({ operation }) => operation)
  const webhooks = Object.values(document.webhooks).map(({ post }) => post)
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isSchema(value)) return
    const name = referenceOf(value)
    if (name !== undefined && !names.has(name)) {
      names.add(name)
      visit(document.components.schemas[name])
    }
    Object.values(value).forEach(visit)
  }
  for (const { parameters, requestBody, responses } of [...operations, ...webhooks]) {
    visit(parameters.map(({ schema }) => schema))
    visit(Object.values(requestBody?.content ?? {}).map(({ schema }) => schema))
    for (const [status, { content }] of Object.entries(responses))
      if (status.startsWith("2")) visit(Object.values(content).map(({ schema }) => schema))
  }
  return Object.keys(document.components.schemas).filter((name) => names.has(name))
}
