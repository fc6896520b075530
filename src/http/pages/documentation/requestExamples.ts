import {
  type ApiDocument,
  type ApiOperation,
  examplesOf,
  fieldsOf,
  isStream,
  type JsonSchema,
  type LocatedOperation,
  referenceOf,
  requiredFieldsOf,
  resolveSchema,
  schemaOf,
  successOf
} from "./ApiDocument.ts"
import { formatValue } from "./formatValue.ts"

/** Writes the call of an operation for a shell. What differs from caller to caller is a variable. */
export const formatCurl = (
  document: ApiDocument,
  { method, operation, path }: LocatedOperation,
  serviceUrl: string,
  body: unknown = exampleBodyOf(document, operation)
): string => {
  const query = operation.parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => `${name}=$${variableOf(name)}`)
  const url = `${serviceUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)}`
  const takesMethod = body === undefined ? method !== "GET" : method !== "POST"
  return [
    `curl ${isStream(operation) ? "-N " : ""}${takesMethod ? `-X ${method} ` : ""}"${[url, ...query].join("?")}"`,
    ...credentialHeaders(document, operation),
    ...(takesWait(operation) ? [`-H 'prefer: wait=${waitSeconds}'`] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quote(formatValue(body, "json"))}`])
  ].join(" \\\n  ")
}

/** The name of the variable of a shell that holds a value, such as `CONNECTION_ID`. */
export const variableOf = (name: string): string => name.replaceAll(/([A-Z])/g, "_$1").toUpperCase()

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const credentialHeaders = (document: ApiDocument, { security }: ApiOperation): ReadonlyArray<string> => {
  const [name] = security.flatMap((requirement) => Object.keys(requirement))
  const scheme = name === undefined ? undefined : document.components.securitySchemes[name]
  if (name === undefined || scheme === undefined) return []
  return [`-H "${headerOfScheme(scheme)}$${variableOf(name)}"`]
}

/** How the header of a security scheme begins. */
export const headerOfScheme = ({ name, type }: { readonly type: string; readonly name: string }): string =>
  type === "apiKey" ? `${name}: ` : "authorization: Bearer "

const waitSeconds = 20

const takesWait = ({ parameters }: ApiOperation): boolean => parameters.some(({ name }) => name === "prefer")

const exampleBodyOf = (document: ApiDocument, { requestBody }: ApiOperation): unknown =>
  requestBody === undefined ? undefined : (examplesOf(document, requestBody.content)[0] ?? {})

/** Writes the call of an operation by the client for TypeScript. */
export const formatClientCall = (
  document: ApiDocument,
  { operation }: LocatedOperation,
  body: unknown = exampleBodyOf(document, operation)
): string => {
  const { operationId, parameters } = operation
  const hasQuery = parameters.some((parameter) => parameter.in === "query")
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required)
  const options = takesWait(operation) ? { waitSeconds } : undefined
  const variables = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
  const literals = [
    ...(body === undefined ? [] : [body]),
    ...(hasQuery && query.length === 0 && options !== undefined ? [{}] : []),
    ...(options === undefined ? [] : [options])
  ]
  const queryArgument = query.length === 0 ? [] : [`{ ${query.map(({ name }) => name).join(", ")} }`]
  return formatResult(document, operation, `client.${operationId}`, [...variables, ...queryArgument], literals)
}

const formatResult = (
  document: ApiDocument,
  operation: ApiOperation,
  method: string,
  variables: ReadonlyArray<string>,
  literals: ReadonlyArray<unknown>
): string => {
  const schema = resultSchemaOf(operation)
  const element = isStream(operation) ? "event" : elementOfPages(document, operation, schema)
  if (element !== undefined)
    return `for await (const ${element} of ${formatCall(method, variables, literals, 0)}) {\n  console.log(${element})\n}`
  const result = schema === undefined ? "" : `const ${nameResult(document, schema)} = `
  return `${result}await ${formatCall(method, variables, literals, result.length + 6)}`
}

const resultSchemaOf = (operation: ApiOperation): JsonSchema | undefined =>
  schemaOf(successOf(operation)?.content ?? {})

/** A name for an entry of a list that has pages: the client iterates over all of them. */
const elementOfPages = (
  document: ApiDocument,
  { parameters }: ApiOperation,
  schema: JsonSchema | undefined
): string | undefined => {
  if (schema === undefined || !parameters.some(({ name }) => name === "cursor")) return undefined
  const list = fieldsOf(resolveSchema(document, schema)).find(([, field]) => field["type"] === "array")?.[1]["items"]
  const name = typeof list === "object" && list !== null ? referenceOf({ ...list }) : undefined
  return name === undefined ? "entry" : lowerFirst(name)
}

/** The fields of a small body by their names, else a name for all of it. */
const nameResult = (document: ApiDocument, schema: JsonSchema): string => {
  const required = requiredFieldsOf(resolveSchema(document, schema))
  return required.length === 1 || required.length === 2
    ? `{ ${required.join(", ")} }`
    : lowerFirst((referenceOf(schema) ?? "body").replace(/(?<=.)Body$/, ""))
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

const lineWidth = 76

/** Formats a call in one line if it fits, else opens its only literal, else writes a line for each argument. */
const formatCall = (
  method: string,
  variables: ReadonlyArray<string>,
  literals: ReadonlyArray<unknown>,
  offset: number
): string => {
  const written = literals.map((literal) => formatValue(literal, "typescript"))
  const line = `${method}(${[...variables, ...written].join(", ")})`
  const isShort = offset + line.split("\n", 1).join("").length <= lineWidth
  if (isShort && (literals.length < 2 || !line.includes("\n"))) return line
  const lines = literals.map((literal) => formatValue(literal, "typescript", "  "))
  if (literals.length === 1 && offset + method.length + variables.join(", ").length < lineWidth)
    return `${method}(${[...variables, openLiteral(literals[0])].join(", ")})`
  return `${method}(\n${[...variables, ...lines].map((argument) => `  ${argument}`).join(",\n")}\n)`
}

const openLiteral = (literal: unknown): string => {
  const fields = Object.entries(isObject(literal) ? literal : {})
  return `{\n${fields.map(([key, value]) => `  ${key}: ${formatValue(value, "typescript", "  ")}`).join(",\n")}\n}`
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
