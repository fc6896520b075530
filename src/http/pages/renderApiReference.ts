import type { OpenApi } from "@effect/platform"
import type { OpenAPISpecMethodName } from "@effect/platform/OpenApi"
import { escapeHtml } from "./escapeHtml.ts"

type Operation = OpenApi.OpenAPISpecOperation
type JsonSchema = Readonly<Record<string, unknown>>

/** Renders an OpenAPI document as one page of HTML without scripts: every operation, then every schema. */
export const renderApiReference = (document: OpenApi.OpenAPISpec, stylePath: string): string => {
  const { title, description = "", version } = document.info
  const operations = listOperations(document)
  const schemas = Object.entries(document.components.schemas)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}: API reference</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<nav aria-label="Contents">${document.tags.map(({ name }) => renderContents(name, operations)).join("")}
<h2>Schemas</h2><ul>${schemas.map(([name]) => `<li>${linkToSchema(name)}</li>`).join("")}</ul></nav>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${renderProse(description)} Version ${escapeHtml(version)}; also as <a href="openapi.json">OpenAPI document</a>.</p>
${operations.map(renderOperation).join("\n")}
<h2>Schemas</h2>
${schemas.map(([name, schema]) => renderNamedSchema(name, { ...schema })).join("\n")}
</main>
</body>
</html>
`
}

interface LocatedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const methods: ReadonlyArray<OpenAPISpecMethodName> = ["get", "post", "put", "patch", "delete"]

const listOperations = ({ paths }: OpenApi.OpenAPISpec): ReadonlyArray<LocatedOperation> =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    })
  )

const renderContents = (tag: string, operations: ReadonlyArray<LocatedOperation>): string =>
  `<h2>${escapeHtml(tag)}</h2><ul>${operations
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary ?? "")}</a></li>`)
    .join("")}</ul>`

const renderOperation = ({ method, operation, path }: LocatedOperation): string =>
  `<section id="${operation.operationId}">
<h2>${escapeHtml(operation.summary ?? operation.operationId)}</h2>
<p class="route"><code>${method} ${escapeHtml(path)}</code></p>
<p>${renderProse(operation.description ?? "")} ${renderSecurity(operation)}</p>
${renderParameters(operation)}${renderRequestBody(operation)}
<h3>Responses</h3>
<table><tbody>${Object.entries(operation.responses)
    .map(
      ([status, { content, description }]) =>
        `<tr><th scope="row">${status}</th><td>${renderProse(description)}</td><td>${renderContent(content)}</td></tr>`
    )
    .join("")}</tbody></table>
</section>`

const renderSecurity = ({ security }: Operation): string => {
  const schemes = security.flatMap((requirement) => Object.keys(requirement))
  return schemes.length === 0
    ? "No credential is needed."
    : `Credential: ${schemes.map((scheme) => `<code>${escapeHtml(scheme)}</code>`).join(" or ")}.`
}

const renderParameters = ({ parameters }: Operation): string =>
  parameters.length === 0
    ? ""
    : `<h3>Parameters</h3><table><tbody>${parameters
        .map(
          ({ description = "", in: location, name, required, schema }) =>
            `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${location}${required ? ", required" : ""}</td>` +
            `<td>${renderType({ ...schema })}</td><td>${renderProse(description)}</td></tr>`
        )
        .join("")}</tbody></table>`

const renderRequestBody = ({ requestBody }: Operation): string =>
  requestBody === undefined ? "" : `<h3>Body</h3><p>${renderContent(requestBody.content)}</p>`

const renderContent = (content: OpenApi.OpenApiSpecContent | undefined): string =>
  Object.entries(content ?? {})
    .map(([mediaType, { schema }]) => `${renderType({ ...schema })} <small>${escapeHtml(mediaType)}</small>`)
    .join("<br>")

const renderNamedSchema = (name: string, schema: JsonSchema): string =>
  `<section id="${schemaAnchor(name)}"><h3>${escapeHtml(name)}</h3>
<p>${renderProse(textOf(schema["description"]))}</p>${
    isSchema(schema["properties"]) ? renderFields(schema, schema["properties"]) : `<p>${renderType(schema)}</p>`
  }</section>`

const renderFields = ({ required }: JsonSchema, properties: JsonSchema): string =>
  `<table><tbody>${Object.entries(properties)
    .map(([field, schema]) => {
      const isRequired = Array.isArray(required) && required.includes(field)
      const description = isSchema(schema) ? textOf(schema["description"]) : ""
      return (
        `<tr><th scope="row"><code>${escapeHtml(field)}</code></th><td>${isRequired ? "required" : "optional"}</td>` +
        `<td>${isSchema(schema) ? renderType(schema) : ""}</td><td>${renderProse(description)}</td></tr>`
      )
    })
    .join("")}</tbody></table>`

/** Describes the values of a schema in a few words, with links to the schemas that it refers to. */
const renderType = (schema: JsonSchema): string => {
  const reference = /^#\/components\/schemas\/(.+)$/.exec(textOf(schema["$ref"]))?.[1]
  if (reference !== undefined) return linkToSchema(reference)
  const parts = schema["allOf"]
  if (Array.isArray(parts)) return parts.filter(isSchema).map(renderType).join(" with ")
  const alternatives = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(alternatives)) return alternatives.filter(isSchema).map(renderType).join(" or ")
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((value) => `<code>${escapeHtml(String(value))}</code>`).join(" or ")
  if (isSchema(schema["items"])) return `array of ${renderType(schema["items"])}`
  if (isSchema(schema["properties"]) && Object.keys(schema["properties"]).length > 0)
    return renderFields(schema, schema["properties"])
  const limits = limitKeywords.flatMap(([keyword, words]) =>
    schema[keyword] === undefined ? [] : [`${words} ${escapeHtml(String(schema[keyword]))}`.trim()]
  )
  return [escapeHtml(textOf(schema["type"]) || "any value"), ...limits].join(", ")
}

const limitKeywords = [
  ["format", ""],
  ["minimum", "at least"],
  ["maximum", "at most"],
  ["maxLength", "length at most"],
  ["pattern", "pattern"],
  ["default", "default"]
] as const

const linkToSchema = (name: string): string => `<a href="#${schemaAnchor(name)}">${escapeHtml(name)}</a>`

const schemaAnchor = (name: string): string => `schema-${escapeHtml(name)}`

/** Text in which backticks mark code. */
export const renderProse = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>")

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
