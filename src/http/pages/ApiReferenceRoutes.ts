import { OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import { Api } from "../contract/Api.ts"
import { detailRows, errorRows, failureRows, warningRows } from "../contract/codeTables.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"
import { renderApiReference, renderProse } from "./renderApiReference.ts"
import { readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/**
 * `/openapi.json`: the OpenAPI document. `/docs`: the same as a page to read, without scripts: it sends no requests,
 * since an API key does not belong in a browser. `/docs/errors`: what each code of an error, a failure and a
 * warning means.
 */
export const ApiReferenceRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const serviceUrl = (yield* PublicUrl).referTo("")
    const reference = Effect.sync(() => findReference(serviceUrl))
    const json = Effect.map(reference, ({ json }) => json)
    const page = Effect.map(reference, ({ page }) => page)
    yield* addPublicRoute("/openapi.json", yield* serveStaticFile("application/json", json, {}))
    yield* addPublicRoute("/docs", yield* serveStaticFile("text/html; charset=utf-8", page, pageHeaders))
    yield* addPublicRoute(
      errorsPath,
      yield* serveStaticFile("text/html; charset=utf-8", Effect.sync(renderErrorsPage), pageHeaders)
    )
    yield* addPublicRoute(
      "/docs/style.css",
      yield* serveStaticFile("text/css; charset=utf-8", readWebFile("api-reference.css"), pageHeaders)
    )
  })
)

/** The document and its page, written once per process for each URL of the service. */
const findReference = (serviceUrl: string): ApiReference => {
  const reference = references.get(serviceUrl) ?? writeReference(serviceUrl)
  references.set(serviceUrl, reference)
  return reference
}

interface ApiReference {
  readonly json: string
  readonly page: string
}

const references = new Map<string, ApiReference>()

const writeReference = (serviceUrl: string): ApiReference => {
  const document = withServer(OpenApi.fromApi(Api), serviceUrl)
  return { json: JSON.stringify(document), page: renderApiReference(document, "docs/style.css") }
}

/** Names the configured URL of the service as its server; without one clients take the origin of the document. */
const withServer = (document: OpenApi.OpenAPISpec, url: string): OpenApi.OpenAPISpec =>
  url === "" ? document : { ...document, servers: [{ url }] }

const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin"
}

/** Renders the page to which errors link: every code with its meaning, at an anchor of its own. */
const renderErrorsPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Domain Connection Service: errors</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav aria-label="Contents"><h2>Errors</h2><ul>
${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join("")}<li><a href="../docs">API reference</a></li>
</ul></nav>
<main>
<h1>Errors, failures and warnings</h1>
<p>${renderProse("A `code` never changes; its `message` may.")}</p>
${sections.map(renderSection).join("\n")}
</main>
</body>
</html>
`

const sections = [
  {
    id: "errors",
    title: "Errors",
    introduction: "Of an answer: the status and the `code` of its `error`.",
    rows: errorRows
  },
  {
    id: "details",
    title: "Details",
    introduction: "The `code` of an entry of `details`: what is wrong at its `pointer`.",
    rows: detailRows
  },
  {
    id: "failures",
    title: "Failures",
    introduction:
      "The `code` of the `failure` of a connection: whether a retry can help, and the state in which it resumes.",
    rows: failureRows
  },
  {
    id: "warnings",
    title: "Warnings",
    introduction: "Of a plan, with the severity; `warningDetails` of the plan may give a lower one.",
    rows: warningRows
  }
] as const

const renderSection = ({ id, introduction, rows, title }: (typeof sections)[number]): string =>
  `<section id="${id}"><h2>${title}</h2>
<p>${renderProse(introduction)}</p>
<table><tbody>${rows
    .map(
      ({ anchor, code, meaning, notes }) =>
        `<tr id="${anchor}"><th scope="row"><code>${code}</code></th>` +
        `${notes.map((note) => `<td>${renderProse(note)}</td>`).join("")}<td>${renderProse(meaning)}</td></tr>`
    )
    .join("")}</tbody></table></section>`
