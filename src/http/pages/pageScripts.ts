import { Effect, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { servePage } from "../pipeline/Endpoints.ts"
import { languageNames } from "../../web/words/languageOf.ts"
import { serveStaticFile } from "./serveStaticFile.ts"

/** The module of `src/web` of each part that the component loads when it needs it, by the path of its script. */
const partModules = {
  ...Object.fromEntries(Object.keys(languageNames).map((tag) => [`/v1/connect/${tag}.js`, `words/${tag}.ts`])),
  "/v1/connect/qrCode.js": "qrCode.ts",
  "/v1/connect/laterSteps.js": "steps/laterSteps.ts",
  "/v1/connect/domainForm.js": "steps/domainForm.ts",
  "/v1/connect/share.js": "steps/share.ts",
  "/v1/connect/downloadZoneFile.js": "downloadZoneFile.ts"
}

const modules: Readonly<Record<string, string>> = {
  "/v1/connect.js": "connect.ts",
  "/connect/page.js": "connect-page.ts",
  "/admin/page.js": "operator-page.ts",
  "/docs/documentation.js": "documentation.ts",
  ...partModules
}

/** The paths of the browser component: the script that a page includes, and its parts, each a script of its own. */
export const componentPaths = ["/v1/connect.js", ...Object.keys(partModules)]

/** Serves a script of the pages at its path. */
export const serveScript = (path: string, headers: Record<string, string>) =>
  Effect.flatMap(
    serveStaticFile(
      "text/javascript; charset=utf-8",
      Effect.promise(() => readScript(path)),
      headers
    ),
    (script) => servePage(path, () => script)
  )

/** The script at a path, bundled with all that it imports, minified. */
export const readScript = async (path: string): Promise<string> => {
  const script = (await (scripts ??= bundleScripts()))[path]
  if (script === undefined) throw new Error(`no page has the script ${path}`)
  return script
}

let scripts: Promise<Readonly<Record<string, string>>> | undefined

/** Bundles all scripts in a process of its own, because a bundler's 40 MB of memory stay with the process that runs it. */
const bundleScripts = async () => {
  const child = Bun.spawn([process.execPath, "run", program, JSON.stringify(modules)], { stderr: "pipe" })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`the scripts of the pages cannot be bundled: ${errors}`)
  return decodeScripts(output)
}

const program = fileURLToPath(new URL("bundleModules.ts", import.meta.url))

const decodeScripts = Schema.decodeSync(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String })))
