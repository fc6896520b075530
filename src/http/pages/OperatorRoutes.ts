import { Effect, Layer } from "effect"
import { servePage } from "../pipeline/Endpoints.ts"
import { bundleScript } from "./bundleScript.ts"
import { ownPageHeaders } from "./ownPageHeaders.ts"
import { readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/** `/admin`: the page of operators, which asks for an admin key and has no data itself. */
export const OperatorRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const html = yield* serveStaticFile("text/html; charset=utf-8", readWebFile("operator-page.html"), ownPageHeaders)
    const style = yield* serveStaticFile("text/css; charset=utf-8", readWebFile("operator-page.css"), ownPageHeaders)
    const script = yield* serveStaticFile("text/javascript; charset=utf-8", bundlePage, ownPageHeaders)
    yield* servePage("/admin", () => html)
    yield* servePage("/admin/page.css", () => style)
    yield* servePage("/admin/page.js", () => script)
  })
)

const bundlePage = Effect.promise(() => bundleScript("operator-page.ts"))
