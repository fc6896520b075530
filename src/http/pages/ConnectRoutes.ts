import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { HostedPageLogos } from "../../security/HostedPageLogos.ts"
import { servePage } from "../pipeline/Endpoints.ts"
import { languageNames } from "../../web/words/languageOf.ts"
import { bundleScript, bundleWithParts, partNameOf } from "./bundleScript.ts"
import { readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/**
 * `/connect`: the hosted page that a share link opens, for platforms that do not embed the component; it contains no
 * data of a connection. `/v1/connect.js`: the browser component, for pages of any origin;
 * below `/v1/connect/` are the parts that it loads when a customer needs them.
 */
export const ConnectRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const html = yield* serveStaticFile("text/html; charset=utf-8", readWebFile("connect-page.html"), pageHeaders)
    const logos = yield* HostedPageLogos
    const page = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const response = yield* html
      const query = url.indexOf("?")
      const origin = query === -1 ? Option.none() : yield* logos.originIn(new URLSearchParams(url.slice(query)))
      return Option.match(origin, {
        onNone: () => response,
        onSome: (origin) => HttpServerResponse.setHeader(response, policyHeader, `${policy}; img-src ${origin}`)
      })
    })
    const style = yield* serveStaticFile("text/css; charset=utf-8", readWebFile("connect-page.css"), pageHeaders)
    const script = yield* serveStaticFile("text/javascript; charset=utf-8", bundlePage, pageHeaders)
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

/**
 * The parts that the component loads when a customer needs them: each language but English, and the code that draws QR
 * codes.
 */
const partModules = [
  ...Object.keys(languageNames)
    .filter((tag) => tag !== "en")
    .map((tag) => `words/${tag}.ts`),
  "qrCode.ts"
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

const policyHeader = "content-security-policy"

/** The page may talk to this service only, and no other page may put it into a frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const pageHeaders = {
  [policyHeader]: policy,
  // `/v1/oauth/start` redirects at once if the request comes from this page: it must see the referrer.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin"
}

const crossOriginHeaders = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }
