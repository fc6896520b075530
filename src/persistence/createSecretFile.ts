import { FileSystem } from "@effect/platform"
import { Effect } from "effect"

/**
 * Creates a file that only its owner can read, and returns true. It writes the file under a temporary name and links it
 * into place, so that it is complete; of two processes the first wins, and the other gets false.
 */
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
