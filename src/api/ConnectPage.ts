import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { bundleOf } from "./ConnectScript.ts"
import { staticFile } from "./staticFile.ts"

/** `/connect`: the page that a link leads to, for those who do not embed the component. It knows no connection itself. */
export const ConnectPage = HttpLayerRouter.use((router) =>
  Effect.forEach(
    [
      ["/connect", "text/html; charset=utf-8", textOf("connect-page.html")],
      ["/connect/page.css", "text/css; charset=utf-8", textOf("connect-page.css")],
      ["/connect/page.js", "text/javascript; charset=utf-8", bundleOf("connect-page.ts")]
    ] as const,
    ([path, contentType, text]) =>
      Effect.flatMap(staticFile(contentType, text, guarded), (file) => router.add("GET", path, file)),
    { discard: true }
  )
)

/** The paths of the page, which answer to anybody. */
export const connectPagePaths = ["/connect", "/connect/page.css", "/connect/page.js"] as const

const textOf = (name: string): Effect.Effect<string> =>
  Effect.promise(() => Bun.file(fileURLToPath(new URL(`../web/${name}`, import.meta.url))).text())

/** Whatever happens, the page talks to this service only, and nobody can put it into a frame of theirs. */
const guarded = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The page on the way to a provider leads on at once who comes from here.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin"
}
