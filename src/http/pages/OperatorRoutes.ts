import { Effect, Layer } from "effect"
import { servePage } from "../pipeline/Endpoints.ts"
import { ownPageHeaders } from "./ownPageHeaders.ts"
import { serveScript } from "./pageScripts.ts"
import { readWebFile, serveStaticFile } from "./serveStaticFile.ts"

/** `/admin`: the page of operators, which asks for an admin key and has no data itself. */
export const OperatorRoutes = Layer.scopedDiscard(
  Effect.gen(function* () {
    const html = yield* serveStaticFile("text/html; charset=utf-8", readWebFile("operator-page.html"), ownPageHeaders)
    const style = yield* serveStaticFile("text/css; charset=utf-8", readWebFile("operator-page.css"), ownPageHeaders)
    yield* servePage("/admin", () => html)
    yield* servePage("/admin/page.css", () => style)
    yield* serveScript("/admin/page.js", ownPageHeaders)
  })
)
