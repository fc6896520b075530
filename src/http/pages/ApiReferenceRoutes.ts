import { OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { errorsPath, PublicUrl } from "../PublicUrl.ts"
import { Api } from "../contract/Api.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"
import { renderApiReference } from "./renderApiReference.ts"
import { renderErrorsPage } from "./renderErrorsPage.ts"
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
