import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { HostedPageLogos } from "../../security/HostedPageLogos.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { ownPageHeaders, ownPagePolicy, policyHeader } from "./ownPageHeaders.ts"
import { componentPaths, serveScript } from "./pageScripts.ts"
import { readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/**
 * `/connect`: the hosted page of share links, without data of a connection. `/v1/connect.js`: the browser component, for
 * pages of any origin; below `/v1/connect/` are the parts that it loads when a customer needs them.
 */
export const ConnectRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const html = yield* serveStaticFile("text/html; charset=utf-8", readWebFile("connect-page.html"), ownPageHeaders)
    const logos = yield* HostedPageLogos
    const page = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const response = yield* html
      const query = url.indexOf("?")
      const origin = query === -1 ? Option.none() : yield* logos.originIn(new URLSearchParams(url.slice(query)))
      return Option.match(origin, {
        onNone: () => response,
        onSome: (origin) => HttpServerResponse.setHeader(response, policyHeader, `${ownPagePolicy}; img-src ${origin}`)
      })
    })
    const style = yield* serveStaticFile("text/css; charset=utf-8", readWebFile("connect-page.css"), ownPageHeaders)
    yield* servePage("/connect", () => page)
    yield* servePage("/connect/page.css", () => style)
    yield* serveScript("/connect/page.js", ownPageHeaders)
    yield* Effect.forEach(componentPaths, (path) => serveScript(path, crossOriginHeaders))
  })
)

const crossOriginHeaders = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }
