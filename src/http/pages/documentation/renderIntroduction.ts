import { errorsPath } from "../../PublicUrl.ts"
import { escapeHtml, renderExample, renderProse } from "../html.ts"
import { type ApiDocument, listOperations, type LocatedOperation } from "./ApiDocument.ts"
import type { DocumentationPage, PageSection } from "./DocumentationPage.ts"
import { authenticationPath, operationPath } from "./paths.ts"
import { formatClient } from "./renderAuthentication.ts"
import { formatClientCall, formatCurl } from "./requestExamples.ts"

/** Renders the page where a reader begins: the purpose of the service, a first request, and links to further pages. */
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
operator gave you; it begins with <code>dck_test_</code>. Test mode contacts no DNS server and no provider: the name of the
domain says what happens, and with <code>one-click.test</code> all goes well.</p>
${first === undefined ? "" : renderFirstRequest(document, first, serviceUrl)}
<p><code>prefer: wait=20</code> lets the answer wait until the domain has been read. It shows the <code>state</code> of the
connection, the <code>provider</code> that hosts the zone and, in <code>plan</code>, what would change.
<a href="/docs/guides/first-connection">A first connection</a> goes on from here to the end;
<a href="/docs/guides/glossary">the glossary</a> explains each word.</p>
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

/** Renders the pages of a section, each with its summary. */
export const renderCards = (pages: ReadonlyArray<DocumentationPage>, section: PageSection): string =>
  `<ul class="cards">${pages
    .filter((page) => page.section === section)
    .map(
      ({ path, summary, title }) =>
        `<li><a href="${path}"><strong>${escapeHtml(title)}</strong> <span>${renderProse(summary)}</span></a></li>`
    )
    .join("")}</ul>`
