import { errorsPath } from "../../PublicUrl.ts"
import { escapeHtml, renderExample, renderParagraphs, renderProse } from "../html.ts"
import {
  type ApiDocument,
  type ApiOperation,
  errorCodesOf,
  examplesOf,
  isStream,
  listOperations,
  type LocatedOperation,
  resolveSchema,
  schemaOf,
  successOf
} from "./ApiDocument.ts"
import { formatValue } from "./formatValue.ts"
import { authenticationPath } from "./paths.ts"
import { renderAlternatives, renderParameters, renderType } from "./renderFields.ts"
import { formatClientCall, formatCurl } from "./requestExamples.ts"
import { nameOfCredential } from "./renderAuthentication.ts"

/** Renders an operation: its parameters and results, and beside them an example of a call and its answer. */
export const renderOperation = (
  document: ApiDocument,
  located: LocatedOperation,
  serviceUrl: string,
  commonCodes: ReadonlySet<string>
): string => {
  const { method, operation, path } = located
  const { description, operationId, summary } = operation
  return `<section class="operation" id="${operationId}">
<div class="explanation">
<h2><a href="#${operationId}">${escapeHtml(summary)}</a></h2>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${renderPath(path)}</code></p>
${renderParagraphs(description)}
<p class="credential">${renderSecurity(operation)}</p>
${renderInput(document, operation)}
${renderOutput(document, operation)}
${renderOwnCodes(document, operation, commonCodes)}
</div>
<div class="examples">
${renderExample("curl", formatCurl(document, located, serviceUrl), "sh")}
${renderExample("TypeScript", formatClientCall(document, located), "ts")}
${renderResponse(document, operation)}
</div>
</section>`
}

/** A path may break behind each of its segments. */
const renderPath = (path: string): string => escapeHtml(path).replaceAll("/", "<wbr>/")

const renderSecurity = ({ security }: ApiOperation): string => {
  const credentials = security.flatMap((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const link = `<a href="${authenticationPath}#${name}">${nameOfCredential(name)}</a>`
      return [link, ...scopes.map((scope) => `with the scope <code>${escapeHtml(scope)}</code>`)].join(" ")
    })
  )
  return credentials.length === 0 ? "Needs no credential." : `Credential: ${credentials.join(", or ")}`
}

const places = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"]
] as const

const renderInput = (document: ApiDocument, { parameters, requestBody }: ApiOperation): string => {
  const body = requestBody === undefined ? undefined : schemaOf(requestBody.content)
  return [
    ...places.map(([place, title]) => {
      const inPlace = parameters.filter((parameter) => parameter.in === place)
      return inPlace.length === 0 ? "" : `<h3>${title}</h3>${renderParameters(document, inPlace)}`
    }),
    body === undefined ? "" : `<h3>Body</h3>${renderAlternatives(document, body, [])}`
  ].join("")
}

const renderOutput = (document: ApiDocument, operation: ApiOperation): string => {
  const success = successOf(operation)
  if (success === undefined) return ""
  const schema = schemaOf(success.content)
  const status = /^\d+$/.test(success.status) ? `<code>${success.status}</code> ` : ""
  const heading = `<h3>Answer</h3><p>${status}${renderProse(success.description)}</p>`
  if (schema === undefined) return heading
  return isStream(operation)
    ? `${heading}<p>Events: ${renderType(document, schema)}.</p>`
    : heading + renderAlternatives(document, resolveSchema(document, schema))
}

/** Errors are explained on one page; here are only those that few operations have. */
const renderOwnCodes = (document: ApiDocument, operation: ApiOperation, commonCodes: ReadonlySet<string>): string => {
  const codes = errorCodesOf(document, operation).filter((code) => !commonCodes.has(code))
  const links = codes.map((code) => `<a href="${errorsPath}#${code}"><code>${code}</code></a>`)
  return codes.length === 0
    ? ""
    : `<p class="codes">Errors beside the <a href="${errorsPath}#statuses">common ones</a>: ${links.join(", ")}</p>`
}

/** The codes that most operations have: these are not named at each. */
export const findCommonCodes = (document: ApiDocument): ReadonlySet<string> => {
  const operations = listOperations(document)
  const counts = new Map<string, number>()
  for (const { operation } of operations)
    for (const code of errorCodesOf(document, operation)) counts.set(code, (counts.get(code) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > operations.length / 2).map(([code]) => code))
}

const renderResponse = (document: ApiDocument, operation: ApiOperation): string => {
  const { content = {}, status = "" } = successOf(operation) ?? {}
  const examples = examplesOf(document, content)
  if (examples.length === 0)
    return Object.keys(content).length === 0
      ? `<figure class="example"><figcaption>Answer <code>${status}</code>, without a body</figcaption></figure>`
      : ""
  const code = isStream(operation)
    ? examples.map(formatEvent).join("\n\n")
    : examples.map((example) => formatValue(example, "json")).join("\n")
  return renderExample(`Answer <code>${status}</code>`, code, isStream(operation) ? "text" : "json")
}

/** An event as the stream has it: a field in each line. */
const formatEvent = (event: unknown): string =>
  Object.entries(typeof event === "object" && event !== null ? event : {})
    .map(([field, value]) => `${field}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n")
