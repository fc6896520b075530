import { OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import { Api } from "../contract/Api.ts"
import { detailMeanings, errorMeanings } from "../contract/errorMeanings.ts"
import { errorCodes } from "../contract/errorResponses.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"
import { renderApiReference, renderProse } from "./renderApiReference.ts"
import { readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/**
 * `/openapi.json`: the OpenAPI document. `/docs`: the same as a page to read, without scripts: it sends no requests,
 * since an API key does not belong in a browser. `/docs/errors`: what each error code means.
 */
export const ApiReferenceRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const serviceUrl = (yield* PublicUrl).referTo("")
    const document = Effect.sync(() => withServer(OpenApi.fromApi(Api), serviceUrl))
    const json = Effect.map(document, (spec) => JSON.stringify(spec))
    const page = Effect.map(document, (spec) => renderApiReference(spec, "docs/style.css"))
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
<li><a href="#errors">Errors</a></li><li><a href="#details">Details</a></li><li><a href="../docs">API reference</a></li>
</ul></nav>
<main>
<h1>Errors</h1>
<p>${renderProse("The `code` of an error never changes; its `message` may.")}</p>
<section id="errors"><h2>Errors</h2>
<table><tbody>${Object.entries(errorCodes)
  .flatMap(([status, codes]) => codes.map((code) => renderRow(code, errorMeanings[code], status)))
  .join("")}</tbody></table></section>
<section id="details"><h2>Details</h2>
<p>${renderProse("The `code` of an entry of `details`: what is wrong at its `pointer`.")}</p>
<table><tbody>${Object.entries(detailMeanings)
  .map(([code, meaning]) => renderRow(code, meaning))
  .join("")}</tbody></table></section>
</main>
</body>
</html>
`

const renderRow = (code: string, meaning: string, status?: string): string =>
  `<tr id="${code}"><th scope="row"><code>${code}</code></th>` +
  `${status === undefined ? "" : `<td>${status}</td>`}<td>${renderProse(meaning)}</td></tr>`
