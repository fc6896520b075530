import { String } from "effect"
import { escapeHtml, renderExample, renderProse } from "../html.ts"
import { type ApiDocument, listOperations, type LocatedOperation } from "./ApiDocument.ts"
import { operationPath } from "./paths.ts"
import { headerOfScheme, variableOf } from "./requestExamples.ts"

/** Writes how the client for TypeScript is made with a credential. */
export const formatClient = (serviceUrl: string, credential: string): string =>
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
<h2><a href="#${name}">${String.capitalize(nameOfCredential(name))}</a></h2>
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
${schemes.join("\n")}
${renderScopes(operations)}`
}

/** The scopes of keys, each with the operations that need it. */
const renderScopes = (operations: ReadonlyArray<LocatedOperation>): string => {
  const scopes = [...new Set(operations.flatMap(scopesOf))]
  const links = (scope: string) =>
    operations
      .filter((located) => scopesOf(located).includes(scope))
      .map(({ operation: { operationId, summary, tags } }) => {
        const path = operationPath(tags[0] ?? "", operationId)
        return `<a href="${path}">${escapeHtml(summary)}</a>`
      })
  return `<h2 id="scopes">Scopes of a key</h2>
<p>${renderProse("A key may call what its scopes allow; anything else is 403 `insufficient_scope`. A new key has those of its tenant, `connections:read`, `connections:write` and `tokens:issue`, unless others are named. The others show all tenants of the application. An admin key has all of its scopes unless some are named.")}</p>
<dl class="statuses">${scopes
    .map((scope) => `<dt><code>${escapeHtml(scope)}</code></dt><dd>${links(scope).join(", ")}</dd>`)
    .join("")}</dl>`
}

const scopesOf = ({ operation }: LocatedOperation) =>
  operation.security.flatMap((needed) => Object.values(needed).flat())

export const nameOfCredential = (name: string): string => credentialNames[name] ?? name

const credentialNames: Readonly<Record<string, string>> = {
  apiKey: "API key",
  browserToken: "browser token",
  adminKey: "admin key"
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
