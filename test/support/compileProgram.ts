import type { BunPlugin } from "bun"
import { basename, dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { directoryOfTheRun } from "./TestPostgres.ts"

/**
 * Compiles a program of this repository to bytecode at the first call, and returns the path of the executable. It starts
 * with less than half of the processor time of the program itself, which loads and parses hundreds of modules.
 */
export const compileProgram = (program: string): Promise<string> => {
  const executable = executables.get(program) ?? writeExecutable(program)
  executables.set(program, executable)
  return executable
}

const executables = new Map<string, Promise<string>>()

const writeExecutable = async (program: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [program],
    target: "bun",
    format: "esm",
    bytecode: true,
    compile: { outfile: `${directoryOfTheRun()}/${basename(program, ".ts")}`, autoloadPackageJson: true },
    plugins: [keepLocations]
  })
  return outputs[0]?.path ?? ""
}

/** Sources find files beside them, such as the pages, and packages, such as PostgreSQL, by their own location. */
const keepLocations: BunPlugin = {
  name: "keep the locations of the sources",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await Bun.file(path).text())
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("process.execPath", JSON.stringify(process.execPath))
    }))
  }
}
