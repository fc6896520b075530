import { Array, Order } from "effect"
import { escapeHtml, renderExample, renderProse } from "../html.ts"
import {
  type ApiDocument,
  examplesOf,
  listObjectNames,
  listOperations,
  type LocatedOperation,
  resolveSchema,
  schemaOf
} from "./ApiDocument.ts"
import type { DocumentationPage } from "./DocumentationPage.ts"
import { formatValue } from "./formatValue.ts"
import { groupPath, objectsPath, webhookEventsPath } from "./paths.ts"
import { renderAlternatives, renderParameters, renderType } from "./renderFields.ts"
import { findCommonCodes, renderOperation } from "./renderOperation.ts"

/** A page for each group of operations, one for the objects that they take and give, and one for what webhooks tell. */
export const listReferencePages = (document: ApiDocument, serviceUrl: string): ReadonlyArray<DocumentationPage> => [
  ...document.tags.map((tag) => groupPage(document, tag, serviceUrl)),
  objectsPage(document),
  webhookEventsPage(document)
]

const groupPage = (
  document: ApiDocument,
  { description, name }: ApiDocument["tags"][number],
  serviceUrl: string
): DocumentationPage => {
  const operations = listOperationsOf(document, name)
  return {
    path: groupPath(name),
    title: name,
    summary: description,
    section: "API",
    layout: "reference",
    parts: operations.map(({ method, operation, path }) => ({
      anchor: operation.operationId,
      title: operation.summary,
      kind: "Operation",
      text: `${method} ${path} ${operation.operationId} ${operation.description}`
    })),
    render: () => {
      const commonCodes = findCommonCodes(document)
      return `<h1>${escapeHtml(name)}</h1>
<p class="lead">${renderProse(description)}</p>
<ul class="endpoints">${operations
        .map(
          ({ method, operation, path }) =>
            `<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ` +
            `<code>${escapeHtml(path).replaceAll("/", "<wbr>/")}</code></a></li>`
        )
        .join("")}</ul>
${operations.map((located) => renderOperation(document, located, serviceUrl, commonCodes)).join("\n")}`
    }
  }
}

/** The operations of a group; those on a path that belongs to another group come last. */
const listOperationsOf = (document: ApiDocument, tag: string): ReadonlyArray<LocatedOperation> => {
  const operations = listOperations(document)
  const isElsewhere = ({ path }: LocatedOperation) =>
    operations.find((first) => first.path === path)?.operation.tags[0] !== tag
  return Array.sortWith(
    operations.filter(({ operation }) => operation.tags[0] === tag),
    isElsewhere,
    Order.boolean
  )
}

const objectsPage = (document: ApiDocument): DocumentationPage => {
  const names = listObjectNames(document)
  const description = (name: string): string => {
    const text = document.components.schemas[name]?.["description"]
    return typeof text === "string" ? text : ""
  }
  return {
    path: objectsPath,
    title: "Objects",
    summary: "What requests and answers consist of: every object, with its fields.",
    section: "API",
    layout: "reference",
    parts: names.map((name) => ({ anchor: name, title: name, kind: "Object", text: description(name) })),
    render: () => `<h1>Objects</h1>
<p class="lead">What requests and answers consist of. A field without the mark “required” may be absent.</p>
${names
  .map(
    (name) => `<section class="object" id="${name}"><h2><a href="#${name}">${name}</a></h2>
<p>${renderProse(description(name))}</p>
${renderAlternatives(document, { $ref: `#/components/schemas/${name}` })}</section>`
  )
  .join("\n")}`
  }
}

const webhookEventsPage = (document: ApiDocument): DocumentationPage => {
  const events = Object.entries(document.webhooks)
  return {
    path: webhookEventsPath,
    title: "Webhook events",
    summary: "What the service posts to the webhook endpoints of an application.",
    section: "API",
    layout: "reference",
    parts: events.map(([name, { post }]) => ({ anchor: name, title: name, kind: "Event", text: post.description })),
    render: () => `<h1>Webhook events</h1>
<p class="lead">What the service posts to your endpoints. <a href="/docs/guides/webhooks">Webhooks</a> explains signatures and
repetition.</p>
<h2 id="request">The request</h2>
<p>Each event is a <code>POST</code> with a body of JSON and these headers:</p>
${renderParameters(document, events[0]?.[1].post.parameters ?? [])}
<h2 id="answer">Your answer</h2>
<dl class="statuses">${Object.entries(events[0]?.[1].post.responses ?? {})
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([status, { description }]) => {
        const name = status === "default" ? "any other" : `<code>${status}</code>`
        return `<dt>${name}</dt><dd>${renderProse(description)}</dd>`
      })
      .join("")}</dl>
${events
  .map(([name, { post }]) => {
    const content = post.requestBody?.content ?? {}
    const schema = schemaOf(content)
    const examples = examplesOf(document, content).map((example) => formatValue(example, "json"))
    return `<section class="operation" id="${name}">
<div class="explanation">
<h2><a href="#${name}">${name}</a></h2>
<p>${renderProse(post.description)}</p>
${schema === undefined ? "" : `<p>Body: ${renderType(document, schema)}</p>${renderAlternatives(document, resolveSchema(document, schema))}`}
</div>
<div class="examples">
${examples.map((example) => renderExample("Body", example, "json")).join("")}
</div>
</section>`
  })
  .join("\n")}`
  }
}
