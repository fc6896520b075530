import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { HostedPageLogos } from "../../security/HostedPageLogos.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { languageNames } from "../../web/words/languageOf.ts"
import { bundleScript, bundleWithParts, partNameOf } from "./bundleScript.ts"
import { ownPageHeaders, ownPagePolicy, policyHeader } from "./ownPageHeaders.ts"
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
    const script = yield* serveStaticFile("text/javascript; charset=utf-8", bundlePage, ownPageHeaders)
    const component = yield* serveStaticFile("text/javascript; charset=utf-8", bundleConnectScript, crossOriginHeaders)
    yield* servePage("/connect", () => page)
    yield* servePage("/connect/page.css", () => style)
    yield* servePage("/connect/page.js", () => script)
    yield* servePage("/v1/connect.js", () => component)
    for (const { name, script } of componentParts) {
      const part = yield* serveStaticFile("text/javascript; charset=utf-8", script, crossOriginHeaders)
      yield* servePage(`/v1/connect/${name}`, () => part)
    }
  })
)

/** What the component loads after its first screen: the steps that follow, each language but English, and what few customers do. */
const partModules = [
  ...Object.keys(languageNames)
    .filter((tag) => tag !== "en")
    .map((tag) => `words/${tag}.ts`),
  "qrCode.ts",
  "steps/laterSteps.ts",
  "steps/domainForm.ts",
  "steps/share.ts",
  "downloadZoneFile.ts"
]

/** The parts of the component, each a script of its own. */
export const componentParts = partModules.map((module) => ({
  name: partNameOf(module),
  script: Effect.promise(() => bundleScript(module))
}))

/** The browser component as one script, which imports its parts from a folder `connect` beside it. */
export const bundleConnectScript: Effect.Effect<string> = Effect.promise(() =>
  bundleWithParts("connect.ts", "./connect/", partModules)
)

const bundlePage = Effect.promise(() => bundleWithParts("connect-page.ts", "../v1/connect/", partModules))

const crossOriginHeaders = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }
