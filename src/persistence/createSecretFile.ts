import { FileSystem } from "@effect/platform"
import { Effect } from "effect"

/** Creates a file for its owner only, complete by a link into place; of two processes the first gets true. */
export const createSecretFile = Effect.fnUntraced(function* (directory: string, name: string, content: string) {
  const fs = yield* FileSystem.FileSystem
  const temporary = yield* fs.makeTempDirectoryScoped({ directory, prefix: `new-${name}-` })
  const file = yield* fs.open(`${temporary}/${name}`, { flag: "wx", mode: 0o600 })
  yield* file.writeAll(new TextEncoder().encode(content))
  yield* file.sync
  const isFirst = yield* fs.link(`${temporary}/${name}`, `${directory}/${name}`).pipe(
    Effect.as(true),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.succeed(false)
    )
  )
  yield* (yield* fs.open(directory)).sync
  return isFirst
}, Effect.scoped)
