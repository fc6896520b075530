import type { BunPlugin } from "bun"
import { symlinkSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { directoryOfTheRun } from "./TestPostgres.ts"

/**
 * Bundles a program of this repository at the first call, and returns the path of the bundle. A process that runs the
 * program itself spends more than a second of processor time on loading its hundreds of modules.
 */
export const bundleProgram = (program: string): Promise<string> => {
  const bundle = bundles.get(program) ?? writeBundle(program)
  bundles.set(program, bundle)
  return bundle
}

const bundles = new Map<string, Promise<string>>()

const writeBundle = async (program: string): Promise<string> => {
  const directory = directoryOfTheRun()
  const { outputs } = await Bun.build({
    entrypoints: [program],
    target: "bun",
    outdir: directory,
    plugins: [keepSourceUrls]
  })
  // For the packages that a program only locates, such as PostgreSQL.
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), `${directory}/node_modules`)
  return outputs[0]?.path ?? ""
}

/** Sources find files beside them, such as the pages, by their own URL. */
const keepSourceUrls: BunPlugin = {
  name: "keep the URLs of the sources",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await Bun.file(path).text()).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    }))
  }
}
