import { locateWebFile } from "./serveStaticFile.ts"

/** Bundles an entry of `src/web` with all that it imports, minified, once per process; Lit without its development mode. */
export const bundleScript = (entry: string): Promise<string> => {
  const script = bundles.get(entry) ?? buildScript(entry)
  bundles.set(entry, script)
  return script
}

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
