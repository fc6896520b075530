/** A schema of the OpenAPI document, by the keywords that the document uses. */
export interface SchemaObject {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string | number | boolean>
  readonly items?: SchemaObject
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | SchemaObject
  readonly anyOf?: ReadonlyArray<SchemaObject>
  readonly oneOf?: ReadonlyArray<SchemaObject>
  /** A reference with words of its own. */
  readonly allOf?: readonly [SchemaObject]
  readonly default?: unknown
}

/** Declares a schema as a TypeScript type by this name, with the descriptions of its fields. */
export const declareSchema = (name: string, schema: SchemaObject): string =>
  `${formatComment(describeDefault(schema))}export ${
    isPlainObject(schema) ? `interface ${name} ${formatSchema(schema)}` : `type ${name} = ${formatSchema(schema)}`
  }\n`

const describeDefault = ({ default: value, description }: SchemaObject): string | undefined =>
  value === undefined ? description : `${description ?? ""} Default: \`${JSON.stringify(value)}\`.`.trim()

/** The TypeScript type of a schema; other schemas stand in it by their names. */
export const formatSchema = (schema: SchemaObject): string => {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? ""
  if (schema.allOf !== undefined) return formatSchema(schema.allOf[0])
  if (alternatives !== undefined) return alternatives.map(formatSchema).join(" | ")
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "integer":
    case "number":
      return "number"
    case "array":
      return `ReadonlyArray<${formatSchema(schema.items ?? {})}>`
    case "object":
      return formatObject(schema)
    default:
      throw new Error(`no type is known for the schema ${JSON.stringify(schema)}`)
  }
}

const isPlainObject = ({ additionalProperties, type }: SchemaObject): boolean =>
  type === "object" && typeof additionalProperties !== "object"

const formatObject = ({ additionalProperties, properties = {}, required = [] }: SchemaObject): string => {
  if (typeof additionalProperties === "object")
    return `{ readonly [name: string]: ${formatSchema(additionalProperties)} }`
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${formatComment(field.description)}readonly ${name}${required.includes(name) ? "" : "?"}: ${formatSchema(field)}\n`
  )
  return `{\n${fields.join("")}}`
}

/** A description as a comment of a declaration. */
export const formatComment = (description: string | undefined): string =>
  description === undefined ? "" : `/** ${description.replaceAll("*/", "*∕")} */\n`
