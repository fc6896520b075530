import { OpenApi } from "@effect/platform"
import { fileURLToPath } from "node:url"
import { Api } from "../src/http/endpoints/Api.ts"
import { declareSchema, formatComment, formatSchema, type SchemaObject } from "./clientTypes.ts"

interface MediaTypeObjects {
  readonly [mediaType: string]: { readonly schema: SchemaObject }
}

interface ClientOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<object>
  readonly parameters: ReadonlyArray<ClientParameter>
  readonly requestBody?: { readonly content: MediaTypeObjects }
  readonly responses: Readonly<Record<string, { readonly content?: MediaTypeObjects }>>
}

interface ClientParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly deprecated?: boolean
  readonly schema: SchemaObject
}

type SecurityScheme =
  | { readonly type: "apiKey"; readonly name: string; readonly description?: string }
  | { readonly type: "http"; readonly description?: string }

interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ClientOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<ClientOperation, "requestBody"> }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}

/** Writes what the client package has of the OpenAPI document: its types, and a method for each operation. */
export const writeClient = async (folder: URL): Promise<void> => {
  const document = OpenApi.fromApi(Api) as unknown as ClientDocument
  await Bun.write(new URL("schemas.ts", folder), formatSchemas(document))
  await Bun.write(new URL("Operations.ts", folder), formatOperations(document))
  const oxfmt = fileURLToPath(new URL("../node_modules/.bin/oxfmt", import.meta.url))
  const config = fileURLToPath(new URL("../.ci/oxfmt.json", import.meta.url))
  const files = ["schemas.ts", "Operations.ts"].map((name) => fileURLToPath(new URL(name, folder)))
  const { exitCode, stderr } = Bun.spawnSync([oxfmt, "-c", config, ...files])
  if (exitCode !== 0) throw new Error(`the client could not be formatted: ${stderr.toString()}`)
}

const header = "// Written by `bun run openapi` from the declaration of the API.\n\n"

const formatSchemas = (document: ClientDocument): string => {
  const { schemas } = document.components
  // The client throws its own error, which has the fields of this one.
  const declarations = Object.entries(schemas)
    .filter(([name]) => name !== "Error")
    .map(([name, schema]) => declareSchema(name, schema))
  return [
    header,
    ...declarations,
    `/** An event of a stream. */\nexport type StreamEvent = ${listStreamEvents(document).join(" | ")}\n`,
    `/** The body of a webhook, by its \`type\`. */\nexport type WebhookEvent = ${listWebhooks(document).join(" | ")}\n`,
    formatCredentials(document)
  ].join("\n")
}

const quote = (text: string): string => JSON.stringify(text)

const listWebhooks = ({ webhooks }: ClientDocument): ReadonlyArray<string> =>
  Object.values(webhooks).flatMap(({ post }) =>
    Object.values(post.requestBody?.content ?? {}).map(({ schema }) => formatSchema(schema))
  )

const listStreamEvents = ({ paths }: ClientDocument): ReadonlyArray<string> => [
  ...new Set(
    Object.values(paths)
      .flatMap(Object.values<ClientOperation>)
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ content }) => content?.["text/event-stream"]?.schema.oneOf ?? [])
      .map(formatSchema)
  )
]

/** The credentials of the security schemes, and the header in which each is sent. */
const formatCredentials = ({ components: { securitySchemes } }: ClientDocument): string => {
  const schemes = Object.entries(securitySchemes)
  const fields = schemes.map(
    ([name, { description }]) => `${formatComment(description)}readonly ${name}?: string | undefined\n`
  )
  const headers = schemes.map(([name, scheme]) => {
    const [field, value] =
      scheme.type === "apiKey" ? [scheme.name, "credential"] : ["authorization", "`Bearer ${credential}`"]
    return `${name}: (credential) => ({ ${quote(field)}: ${value} })`
  })
  return `/** What the caller authenticates with: an operation sends one that it takes. */\nexport interface Credentials {\n${fields.join("")}}

/** The header in which each credential is sent. */
export const credentialHeaders: {
  readonly [Name in keyof Credentials]-?: (credential: string) => { readonly [name: string]: string }
} = { ${headers.join(", ")} }\n`
}

const formatOperations = ({ components, paths }: ClientDocument): string => {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      formatMethod({ path, method, operation }, components.schemas)
    )
  )
  const body = `/** A method for each operation of the API, by its \`operationId\`. */\nexport abstract class Operations {
  /** Sends a request, and reads the body of the answer. */
  protected abstract send<Body>(request: OperationRequest, options: CallOptions): Promise<Body>

  /** Sends a request, and reads the events of the answer. */
  protected abstract stream(request: OperationRequest, options: CallOptions): AsyncGenerator<StreamEvent, void>

  ${methods.join("\n\n")}
}\n`
  const types = Object.keys(components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(withoutComments(body))
  )
  const imports = `import { type Pages, requestPages } from "../pages.ts"
import type { CallOptions, OperationRequest } from "../requests.ts"
import type { ${[...new Set([...types, "StreamEvent"])].toSorted().join(", ")} } from "./schemas.ts"\n`
  return `${header}${imports}\n${body}`
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*\*[^]*?\*\//g, "").replaceAll(/"[^"]*"/g, "")

interface ClientEndpoint {
  readonly path: string
  readonly method: string
  readonly operation: ClientOperation
}

const formatMethod = (endpoint: ClientEndpoint, schemas: Readonly<Record<string, SchemaObject>>): string => {
  const { operationId, description, parameters, requestBody, responses, summary } = endpoint.operation
  const inPath = parameters.filter((parameter) => parameter.in === "path")
  const query = parameters.filter((parameter) => parameter.in === "query")
  const bodySchema = Object.values(requestBody?.content ?? {})[0]?.schema
  const isQueryRequired = query.some(({ required }) => required)
  const options = `options: Pick<CallOptions, ${listOptions(parameters).map(quote).join(" | ")}> = {}`
  const signature = [
    ...inPath.map(({ name }) => `${name}: string`),
    ...(bodySchema === undefined ? [] : [`body: ${formatSchema(bodySchema)}`]),
    ...(query.length === 0 ? [] : [`query: ${formatQuery(query)}${isQueryRequired ? "" : " = {}"}`]),
    options
  ].join(", ")
  const success = Object.entries(responses).filter(([status]) => status.startsWith("2"))
  const contents = success.map(([, { content = {} }]) => content)
  const json = contents.flatMap((content) => content["application/json"]?.schema ?? [])[0]
  const comment = formatComment(`${summary}. ${description}`)
  if (contents.some((content) => "text/event-stream" in content))
    return `${comment}${operationId}(${signature}): AsyncGenerator<StreamEvent, void> {
    return this.stream(${formatRequest(endpoint)}, options)
  }`
  const answer = json === undefined ? "void" : formatSchema(json)
  const entries = query.some(({ name }) => name === "cursor") ? findEntries(answer, schemas) : undefined
  if (entries === undefined)
    return `${comment}${operationId}(${signature}): Promise<${answer}> {
    return this.send(${formatRequest(endpoint)}, options)
  }`
  return `${comment}${operationId}(${signature}): Pages<${answer}, ${formatSchema(entries.schema)}> {
    return requestPages<${answer}, ${formatSchema(entries.schema)}>(
      (cursor) => this.send(${formatRequest(endpoint, "{ ...query, cursor }")}, options),
      (page) => page.${entries.field},
      query.cursor
    )
  }`
}

/** The only list of a page, and the schema of its entries. */
const findEntries = (answer: string, schemas: Readonly<Record<string, SchemaObject>>) => {
  const { properties = {} } = schemas[answer] ?? {}
  const lists = Object.entries(properties).flatMap(([field, { items }]) =>
    items === undefined ? [] : [{ field, schema: items }]
  )
  if (lists.length !== 1 || properties["nextCursor"] === undefined)
    throw new Error(`${answer} takes a cursor, and has not one list and a nextCursor`)
  return lists[0]
}

const formatQuery = (query: ReadonlyArray<ClientParameter>): string =>
  `{ ${query
    .map(
      ({ deprecated = false, description = "", name, required, schema }) =>
        `${formatComment(deprecated ? `@deprecated ${description}` : description)}readonly ${name}${required ? "" : "?"}: ${formatParameter(schema)}`
    )
    .join("; ")} }`

/** The type of a parameter; a list with one value may be written as that value. */
const formatParameter = (schema: SchemaObject): string =>
  schema.items === undefined ? formatSchema(schema) : `${formatSchema(schema.items)} | ${formatSchema(schema)}`

/** The options of headers; a conditional read is not one, since its answer may have no body. */
const headerOptions: Readonly<Record<string, string | undefined>> = {
  "idempotency-key": "idempotencyKey",
  "if-match": "ifMatch",
  "if-none-match": undefined,
  prefer: "waitSeconds",
  "last-event-id": "lastEventId"
}

const listOptions = (parameters: ReadonlyArray<ClientParameter>): ReadonlyArray<string> => [
  "signal",
  ...parameters
    .filter((parameter) => parameter.in === "header")
    .flatMap(({ name }) => {
      if (!(name in headerOptions)) throw new Error(`the client has no option for the header ${name}`)
      return headerOptions[name] ?? []
    })
]

const formatRequest = ({ method, operation, path }: ClientEndpoint, query = "query"): string => {
  const { parameters, requestBody, security } = operation
  const hasQuery = parameters.some((parameter) => parameter.in === "query")
  const takesKey = parameters.some(({ name }) => name === "idempotency-key")
  return `{
    method: ${quote(method.toUpperCase())},
    path: ${formatPath(path)},
    ${hasQuery ? (query === "query" ? "query," : `query: ${query},`) : ""}
    ${requestBody === undefined ? "" : "body,"}
    credentials: ${JSON.stringify(security.flatMap(Object.keys))}${takesKey ? ",\n takesIdempotencyKey: true" : ""}
  }`
}

const formatPath = (path: string): string =>
  path.includes("{") ? `\`${path.replaceAll(/\{(\w+)\}/g, "${encodeURIComponent($1)}")}\`` : quote(path)

if (import.meta.main) await writeClient(new URL("../packages/client/generated/", import.meta.url))
