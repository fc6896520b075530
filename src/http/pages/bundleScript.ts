import { createHash } from "node:crypto"
import { basename, dirname, join, relative } from "node:path"
import { locateWebFile } from "./serveStaticFile.ts"

/** A script that others import when they need it: its module in `src/web`, its file name, and a digest of its content. */
interface ScriptPart {
  readonly module: string
  readonly name: string
  readonly version: string
}

/** Bundles an entry of `src/web` with all that it imports, minified, once per process; Lit without its development mode. */
export const bundleScript = (entry: string): Promise<string> => bundleOnce(entry, entry, [])

/**
 * Bundles an entry, and each of these modules as a script of its own. The address of a part names its content, so
 * that a cache never combines a script with an old part.
 */
export const bundleWithParts = async (
  entry: string,
  folder: string,
  modules: ReadonlyArray<string>
): Promise<string> => {
  const parts = await Promise.all(
    modules.map(async (module) => {
      const digest = createHash("sha256")
        .update(await bundleScript(module))
        .digest("hex")
      return { module, name: `${folder}${partNameOf(module)}`, version: digest.slice(0, 12) }
    })
  )
  return bundleOnce(`${entry} ${folder}`, entry, parts)
}

/** The file name of the script that a module of `src/web` becomes, as a part of another one. */
export const partNameOf = (module: string): string => basename(module).replace(/\.ts$/, ".js")

const bundles = new Map<string, Promise<string>>()

const bundleOnce = (key: string, entry: string, parts: ReadonlyArray<ScriptPart>): Promise<string> => {
  const script = bundles.get(key) ?? buildScript(entry, parts)
  bundles.set(key, script)
  return script
}

const buildScript = async (entry: string, parts: ReadonlyArray<ScriptPart>): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [locateWebFile(entry)],
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "parts",
        setup: (build) => {
          build.onResolve({ filter: /\.ts$/ }, ({ importer, kind, path }) => {
            if (kind !== "dynamic-import") return undefined
            const module = relative(locateWebFile("."), join(dirname(importer), path))
            const part = parts.find((part) => part.module === module)
            return part && { path: `${part.name}?${part.version}`, external: true }
          })
        }
      }
    ]
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
