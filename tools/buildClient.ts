import { Command, FileSystem, Path } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Schema } from "effect"
import { fileURLToPath } from "node:url"
import about from "../package.json" with { type: "json" }
import { runProgram } from "../src/runProgram.ts"
import { declareModules } from "./buildPackage.ts"

/** Writes the client of the API as a package without dependencies; `npm pack ./dist/client` makes its tarball. */
export const buildClient = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    yield* files.makeDirectory(folder, { recursive: true })
    yield* Command.string(
      Command.make(
        process.execPath,
        "build",
        join(source, "index.ts"),
        "--target=node",
        "--format=esm",
        `--outfile=${join(folder, "index.js")}`
      )
    )
    yield* declareModules(
      (yield* files.readDirectory(source, { recursive: true })).flatMap((file) =>
        file.endsWith(".ts") ? [join(source, file)] : []
      ),
      folder
    )
    yield* files.writeFileString(join(folder, "package.json"), manifest)
    yield* files.copyFile(join(source, "README.md"), join(folder, "README.md"))
    yield* files.copyFile(join(source, "../../LICENSE"), join(folder, "LICENSE"))
  })

const source = fileURLToPath(new URL("../packages/client", import.meta.url))

const manifest = Schema.encodeSync(Schema.parseJson(Schema.Unknown, { space: 2 }))({
  name: "@domain-connection/client",
  version: about.version,
  private: about.private,
  description: "A client of the Domain Connection Service for Node, Bun, Deno and workers.",
  license: about.license,
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.3" },
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } }
})

if (import.meta.main)
  runProgram(Effect.provide(buildClient(fileURLToPath(new URL("../dist/client", import.meta.url))), BunContext.layer))
