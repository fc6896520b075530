import { createHash } from "node:crypto"
import { dirname, join, posix, relative } from "node:path"

/**
 * A program: bundles each of the modules that its argument names, as a JSON object by the paths of their scripts, and
 * prints the scripts by these paths. A module that another one imports dynamically stays a script of its own.
 */
const modules: Readonly<Record<string, string>> = JSON.parse(process.argv[2] ?? "")

const root = join(import.meta.dirname, "../../web")

/** Bundles a module with all that it imports, minified; Lit without its development mode. */
const bundle = async (module: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, module)],
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "parts",
        setup: (build) => {
          build.onResolve({ filter: /\.ts$/ }, ({ importer, kind, path }) =>
            kind === "dynamic-import"
              ? { path: `part:${relative(root, join(dirname(importer), path))}`, external: true }
              : undefined
          )
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

const bundles = await Promise.all(
  Object.entries(modules).map(async ([path, module]) => ({ path, module, script: await bundle(module) }))
)
const version = createHash("sha256")
  .update(bundles.map(({ script }) => script).join(""))
  .digest("hex")
  .slice(0, 12)

/** The address of a part. It names the content of all, so that no cache combines a script with an old part. */
const addressOf = (part: string, importer: string): string => {
  const found = bundles.find(({ module }) => module === part)
  if (found === undefined) throw new Error(`${part} is imported dynamically, but is no script of its own`)
  return `./${posix.relative(posix.dirname(importer), found.path)}?${version}`
}

const scripts = bundles.map(({ path, script }) => [
  path,
  script.replace(/(?<=")part:([^"]+)/g, (_, part: string) => addressOf(part, path))
])
await Bun.write(Bun.stdout, JSON.stringify(Object.fromEntries(scripts)))
