import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { staticFile } from "./staticFile.ts"

/** `/connect`: the page that a link leads to, for those who do not embed the component. It knows no connection itself. */
export const ConnectPageRoutes = HttpLayerRouter.use((router) =>
  Effect.forEach(
    [
      ["/connect", "text/html; charset=utf-8", textOf("connect-page.html")],
      ["/connect/page.css", "text/css; charset=utf-8", textOf("connect-page.css")],
      ["/connect/page.js", "text/javascript; charset=utf-8", bundle("connect-page.ts")]
    ] as const,
    ([path, contentType, text]) =>
      Effect.flatMap(staticFile(contentType, text, guarded), (file) => router.add("GET", path, file)),
    { discard: true }
  )
)

/** The paths of the page, which answer to anybody. */
export const connectPagePaths = ["/connect", "/connect/page.css", "/connect/page.js"] as const

const textOf = (name: string): Effect.Effect<string> =>
  Effect.promise(() => Bun.file(fileURLToPath(new URL(`../../web/${name}`, import.meta.url))).text())

/** Whatever happens, the page talks to this service only, and nobody can put it into a frame of theirs. */
const guarded = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The page on the way to a provider leads on at once who comes from here.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin"
}

/** `/v1/connect.js`: the browser component, for every page. */
export const ConnectScriptRoute = HttpLayerRouter.use((router) =>
  Effect.flatMap(staticFile("text/javascript; charset=utf-8", connectScript, forEveryPage), (file) =>
    router.add("GET", "/v1/connect.js", file)
  )
)

const forEveryPage = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }

/** An entry of `src/web` and all that it needs in one text; Lit without what it does for developers. */
export const bundle = (entry: string): Effect.Effect<string> =>
  Effect.promise(() =>
    Bun.build({
      entrypoints: [fileURLToPath(new URL(`../../web/${entry}`, import.meta.url))],
      target: "browser",
      minify: true,
      define: { "process.env.NODE_ENV": '"production"' }
    }).then(({ outputs: [script] }) => script?.text() ?? Promise.reject(new Error("the bundle has no script")))
  )

/** The component as a script. */
export const connectScript: Effect.Effect<string> = bundle("domain-connection.ts")
