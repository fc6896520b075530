import { errorsPath } from "../../PublicUrl.ts"
import { escapeHtml } from "../escapeHtml.ts"
import { type ApiDocument, listOperations, type LocatedOperation } from "./ApiDocument.ts"
import type { DocumentationPage, PageSection } from "./DocumentationPage.ts"
import { renderExample, renderProse } from "./html.ts"
import { authenticationPath, operationPath } from "./paths.ts"
import { formatClientCall, formatCurl, headerOfScheme, variableOf } from "./requestExamples.ts"

/** Renders where a reader begins: what the service does, a first request, and what else there is to read. */
export const renderIntroduction = (
  document: ApiDocument,
  pages: ReadonlyArray<DocumentationPage>,
  serviceUrl: string
): string => {
  const first = listOperations(document).find(({ operation }) => operation.operationId === "createConnection")
  const { description, title } = document.info
  return `<h1>${escapeHtml(title)}</h1>
<p class="lead">${renderProse(description)}</p>
<h2 id="first-request">A first request</h2>
<p>Take the key for <a href="/docs/guides/test-mode">test mode</a> that the service printed when it started, or one that your
operator gave you. In test mode no server is asked: the name of the domain says what happens.</p>
${first === undefined ? "" : renderFirstRequest(document, first, serviceUrl)}
<p>The answer shows the state of the connection, who hosts the zone, and what would change.
<a href="/docs/guides/first-connection">A first connection</a> goes on from here to the end.</p>
<h2 id="course">What happens to a connection</h2>
<ol>${steps.map(([text, id]) => `<li>${linkToOperation(document, id, text)}</li>`).join("")}</ol>
<h2 id="conventions">Conventions</h2>
<ul>
<li>Bodies are JSON in UTF-8, both ways. A field that does not apply is absent; <code>null</code> only removes a setting.</li>
<li>Each request carries a <a href="${authenticationPath}">credential</a>. API keys belong on servers, never into a browser.</li>
<li>Each error has one form, with a <code>code</code> that never changes: <a href="${errorsPath}">errors</a>.</li>
<li>A write that takes an <code>idempotency-key</code> can be repeated: the same key and body give the first answer again.
The client sends one by itself.</li>
<li>Lists come in pages: send the <code>nextCursor</code> of a page as <code>cursor</code>. The client turns the pages.</li>
<li>What may change within <code>/v1</code>: <a href="/docs/guides/versioning">versions of the API</a>.</li>
</ul>
<h2 id="api">The API</h2>
${renderCards(pages, "API")}
<h2 id="guides">Guides</h2>
${renderCards(pages, "Guides for platforms")}
<h2 id="machines">For programs</h2>
<p>The API as <a href="/openapi.json">OpenAPI 3.1</a>; these pages as <a href="/llms.txt">llms.txt</a>.</p>`
}

const renderFirstRequest = (document: ApiDocument, operation: LocatedOperation, serviceUrl: string): string => {
  const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
  const body = { intent: { domain: "one-click.test", records } }
  const curl = `export API_KEY='…'\n\n${formatCurl(document, operation, serviceUrl, body)}`
  const call = `${formatClient(serviceUrl, "apiKey")}\n\n${formatClientCall(document, operation, body)}`
  return `${renderExample("curl", curl, "sh")}
<p>The same with the <a href="/docs/guides/sdk">client</a> for TypeScript:</p>
${renderExample("TypeScript", call, "ts")}`
}

const steps = [
  ["Your server creates it, with the records that the domain needs.", "createConnection"],
  ["The service finds the zone and its provider, and plans each change.", "getConnection"],
  ["The customer signs in at the provider, gives a credential, or enters the records by hand.", "authorizeConnection"],
  ["The customer approves exactly this plan, by its digest.", "approvePlan"],
  ["The service writes the changes, and reads them at every name server.", "listRecords"],
  [
    "The connection is active. From then on the service checks it, and tells you what happens.",
    "createWebhookEndpoint"
  ],
  ["Some day you end it, and the zone is as if it had never been there.", "disconnectConnection"]
] as const

const linkToOperation = (document: ApiDocument, operationId: string, text: string): string => {
  const found = listOperations(document).find(({ operation }) => operation.operationId === operationId)
  const [tag] = found?.operation.tags ?? []
  if (found === undefined || tag === undefined) return text
  return `${text} <a href="${operationPath(tag, operationId)}">${escapeHtml(found.operation.summary)}</a>`
}

/** Renders the pages of a section, each with what is on it. */
export const renderCards = (pages: ReadonlyArray<DocumentationPage>, section: PageSection): string =>
  `<ul class="cards">${pages
    .filter((page) => page.section === section)
    .map(
      ({ path, summary, title }) =>
        `<li><a href="${path}"><strong>${escapeHtml(title)}</strong> <span>${renderProse(summary)}</span></a></li>`
    )
    .join("")}</ul>`

const formatClient = (serviceUrl: string, credential: string): string =>
  `import { DomainConnectionClient } from "@domain-connection/client"\n\n` +
  `const client = new DomainConnectionClient({\n  baseUrl: ${JSON.stringify(serviceUrl)},\n` +
  `  ${credential}: process.env.${variableOf(credential)}\n})`

/** Renders the credentials, each with the header in which it is sent, and how the client gets it. */
export const renderAuthentication = (document: ApiDocument, serviceUrl: string): string => {
  const operations = listOperations(document)
  const schemes = Object.entries(document.components.securitySchemes).map(([name, scheme]) => {
    const takers = operations.filter(({ operation }) => operation.security.some((needed) => name in needed))
    const tags = [...new Set(takers.flatMap(({ operation }) => operation.tags))]
    const example = takers.find(({ method, path }) => method === "GET" && !path.includes("{")) ?? takers[0]
    const header = `${headerOfScheme(scheme)}$${variableOf(name)}`
    const curl = `curl "${serviceUrl}${(example?.path ?? "/").replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)}" \\\n  -H "${header}"`
    return `<section class="operation" id="${name}">
<div class="explanation">
<h2><a href="#${name}">${credentialTitles[name] ?? name}</a></h2>
<p class="route"><code>${escapeHtml(header)}</code></p>
${(credentialMeanings[name] ?? []).map((text) => `<p>${renderProse(text)}</p>`).join("")}
<p>Taken by: ${tags.map((tag) => `<a href="${operationPath(tag, "")}">${escapeHtml(tag)}</a>`.replace('#">', '">')).join(", ")}.</p>
</div>
<div class="examples">
${renderExample("curl", curl, "sh")}
${renderExample("TypeScript", formatClient(serviceUrl, name), "ts")}
</div>
</section>`
  })
  return `<h1>Authentication</h1>
<p class="lead">Each request carries one credential, in a header of its own. Each operation says which it takes.</p>
${schemes.join("\n")}`
}

const credentialTitles: Readonly<Record<string, string>> = {
  apiKey: "API key",
  browserToken: "Browser token",
  adminKey: "Admin key"
}

const credentialMeanings: Readonly<Record<string, ReadonlyArray<string>>> = {
  apiKey: [
    "For your server. A key belongs to one application and one tenant, and sees only the connections of these.",
    "A key that begins with `dck_test_` works in test mode, one with `dck_live_` on real domains. Never send one from a browser: the service refuses it with `api_key_in_browser`."
  ],
  browserToken: [
    "For the page that shows one connection to your customer. Your server issues it for one connection and one origin; it ends after a quarter of an hour at the latest.",
    "The browser component renews it by itself, by the callback that you give to it."
  ],
  adminKey: [
    "For the operator, and for the back office of a platform: applications, keys, webhooks of an application, and the audit log.",
    "It is made on the command line of the service, and opens no connection."
  ]
}
