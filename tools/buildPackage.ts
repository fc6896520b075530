import { Command, FileSystem, Path } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Schema } from "effect"
import { fileURLToPath } from "node:url"
import about from "../package.json" with { type: "json" }
import { componentPaths, readScript } from "../src/http/pages/pageScripts.ts"
import { ConnectionState, FailureCode, FailureDetail } from "../src/domain/connection/Connection.ts"
import { FailureDocument } from "../src/domain/connection/ConnectionDocument.ts"
import { runProgram } from "../src/runProgram.ts"
import { en } from "../src/web/words/en.ts"
import { declareTypes } from "./declareTypes.ts"

/** Writes the browser component as a package without dependencies; `npm pack ./dist/component` makes its tarball. */
export const buildPackage = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { join, relative } = yield* Path.Path
    yield* files.makeDirectory(join(folder, "words"), { recursive: true })
    yield* files.writeFileString(join(folder, "package.json"), manifest)
    yield* files.makeDirectory(join(folder, "connect"))
    yield* Effect.forEach(componentPaths, (path) =>
      Effect.flatMap(
        Effect.promise(() => readScript(path)),
        (script) => files.writeFileString(join(folder, relative("/v1", path)), removeVersions(script))
      )
    )
    yield* files.writeFileString(join(folder, "words", "en.d.ts"), `export interface Words ${describeType(en)}\n`)
    yield* files.writeFileString(join(folder, "server.js"), serverModule)
    yield* files.writeFileString(join(folder, "react.js"), transpile(yield* files.readFileString(reactModule)))
    yield* files.writeFileString(
      join(folder, "ConnectionDocument.d.ts"),
      declareTypes({ ConnectionState, FailureCode, FailureDetail, FailureDocument })
    )
    yield* declareModules(
      [resolvePath("../src/web/connect.ts"), resolvePath("../src/web/eventDetails.ts"), reactModule],
      folder
    )
    yield* files.copyFile(resolvePath("../LICENSE"), join(folder, "LICENSE"))
    yield* files.copyFile(resolvePath("../node_modules/lit/LICENSE"), join(folder, "LICENSE-lit.txt"))
  })

/** Removes the versions in the addresses of parts, which not every bundler understands; a package is of one version. */
const removeVersions = (script: string): string => script.replaceAll(/(?<="\.\/connect\/[\w-]+\.js)\?\w+/g, "")

const resolvePath = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Writes the declarations of modules, each by its own text: of what it imports it knows nothing. */
export const declareModules = (modules: ReadonlyArray<string>, folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    yield* Command.string(
      Command.make(
        process.execPath,
        resolvePath("../node_modules/typescript/bin/tsc"),
        ...modules,
        ...declarationOptions.split(" "),
        "--outDir",
        folder
      )
    )
    const written = yield* files.readDirectory(folder, { recursive: true })
    yield* Effect.forEach(
      written.filter((file) => file.endsWith(".d.ts")),
      (file) =>
        Effect.flatMap(files.readFileString(join(folder, file)), (text) =>
          files.writeFileString(join(folder, file), text.replaceAll(/(?<=from "\.{1,2}\/[^"]+\.)ts(?=")/g, "js"))
        ),
      { discard: true }
    )
  })

/** How the TypeScript compiler declares a module by its own text. */
const declarationOptions =
  "--declaration --emitDeclarationOnly --isolatedDeclarations --noCheck --noResolve --ignoreConfig " +
  "--target esnext --module preserve --allowImportingTsExtensions"

const reactModule = resolvePath("../src/web/react.ts")

/** The module without its types; the package itself knows whether there are custom elements. */
const transpile = (text: string): string =>
  new Bun.Transpiler({ loader: "ts", target: "browser" })
    .transformSync(text)
    .replaceAll('"./connect.ts"', JSON.stringify(`${about.name}/connect`))

/** The module for pages that are rendered on a server, where there are no custom elements. */
const serverModule = "export const DomainConnection = undefined\n"

const manifest = Schema.encodeSync(Schema.parseJson(Schema.Unknown, { space: 2 }))({
  name: about.name,
  version: about.version,
  private: about.private,
  description: "The browser component of the Domain Connection Service.",
  license: about.license,
  type: "module",
  exports: {
    "./connect": { types: "./connect.d.ts", node: "./server.js", default: "./connect.js" },
    "./react": { types: "./react.d.ts", default: "./react.js" }
  },
  peerDependencies: { react: ">=18" },
  peerDependenciesMeta: { react: { optional: true } }
})

const describeType = (texts: object): string => {
  const members = Object.entries(texts).map(
    ([key, text]) => `readonly ${JSON.stringify(key)}: ${typeof text === "string" ? "string" : describeType(text)}`
  )
  return `{ ${members.join("; ")} }`
}

if (import.meta.main) runProgram(Effect.provide(buildPackage(resolvePath("../dist/component")), BunContext.layer))
