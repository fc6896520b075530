import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { HostedPageLogos } from "../../security/HostedPageLogos.ts"
import { addPublicRoute } from "../middleware/RouteTable.ts"
import { locateWebFile, readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/**
 * `/connect`: the hosted page that a share link opens, for platforms that do not embed the component; it contains no
 * data of a connection. `/v1/connect.js`: the browser component, for pages of any origin.
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
    const script = yield* serveStaticFile("text/javascript; charset=utf-8", bundle("connect-page.ts"), pageHeaders)
    const component = yield* serveStaticFile("text/javascript; charset=utf-8", bundleConnectScript, crossOriginHeaders)
    yield* addPublicRoute("/connect", page)
    yield* addPublicRoute("/connect/page.css", style)
    yield* addPublicRoute("/connect/page.js", script)
    yield* addPublicRoute("/v1/connect.js", component)
  })
)

/** The browser component as one script. */
export const bundleConnectScript: Effect.Effect<string> = Effect.suspend(() => bundle("connect.ts"))

/** Bundles an entry of `src/web` with all that it imports, minified, once per process; Lit without its development mode. */
const bundle = (entry: string): Effect.Effect<string> =>
  Effect.promise(() => {
    const script = bundles.get(entry) ?? buildScript(entry)
    bundles.set(entry, script)
    return script
  })

const bundles = new Map<string, Promise<string>>()

const buildScript = async (entry: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [locateWebFile(entry)],
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' }
  })
  const [script] = outputs
  if (script === undefined) throw new Error("the bundle has no script")
  return removeIndentation(await script.text())
}

/** Removes the indentation of templates, and the line breaks and spaces of their style sheets, which the bundler leaves. */
const removeIndentation = (script: string): string =>
  script
    .replace(/\n +/g, "\n")
    .replace(/([{;])\n/g, "$1")
    .replace(/([{;][a-z-]+): /g, "$1:")
    .replace(/;\}\n/g, "}")

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
