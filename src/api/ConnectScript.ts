import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { staticFile } from "./staticFile.ts"

/** `/v1/connect.js`: the browser component, for every page. */
export const ConnectScript = HttpLayerRouter.use((router) =>
  Effect.flatMap(staticFile("text/javascript; charset=utf-8", connectScript, forEveryPage), (file) =>
    router.add("GET", "/v1/connect.js", file)
  )
)

const forEveryPage = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }

/** An entry of `src/web` and all that it needs in one text; Lit without what it does for developers. */
export const bundleOf = (entry: string): Effect.Effect<string> =>
  Effect.promise(() =>
    Bun.build({
      entrypoints: [fileURLToPath(new URL(`../web/${entry}`, import.meta.url))],
      target: "browser",
      minify: true,
      define: { "process.env.NODE_ENV": '"production"' }
    }).then(({ outputs: [script] }) => script?.text() ?? Promise.reject(new Error("the bundle has no script")))
  )

/** The component as a script. */
export const connectScript: Effect.Effect<string> = bundleOf("domain-connection.ts")
