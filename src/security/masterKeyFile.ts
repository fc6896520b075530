import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Data, Effect, Option, Redacted } from "effect"
import { masterKeyRule, newMasterKey, parseMasterKeys } from "./MasterKey.ts"

/** The key file cannot be made or must not be used; `message` says why and what to do, and holds nothing of a key. */
export class MasterKeyFileUnusable extends Data.TaggedError("MasterKeyFileUnusable")<{ readonly message: string }> {}

/** The keys in `master.key` of a data directory; where there is no such file, one is made with a new key. */
export const masterKeyFile = Effect.fn("masterKeyFile")(
  function* (dataDirectory: string) {
    const fs = yield* FileSystem.FileSystem
    const path = `${dataDirectory}/master.key`
    if (!(yield* fs.exists(path))) yield* make(dataDirectory, path)
    return yield* read(path)
  },
  (effect, dataDirectory) => {
    const unusable = ({ message }: PlatformError) =>
      new MasterKeyFileUnusable({
        message: `the data directory ${dataDirectory} cannot hold the master key, so set MASTER_KEY: ${message}`
      })
    return Effect.catchTags(effect, { SystemError: unusable, BadArgument: unusable })
  }
)

/** The file is written aside and linked to its place, where it is whole at once; of two processes the first wins. */
const make = Effect.fnUntraced(function* (dataDirectory: string, path: string) {
  const fs = yield* FileSystem.FileSystem
  // Left open to others: the embedded PostgreSQL of root lives in there under another user.
  yield* fs.makeDirectory(dataDirectory, { recursive: true })
  const aside = yield* fs.makeTempDirectoryScoped({ directory: dataDirectory, prefix: "unfinished-" })
  const file = yield* fs.open(`${aside}/master.key`, { flag: "wx", mode: 0o600 })
  yield* file.writeAll(new TextEncoder().encode(`${Redacted.value(newMasterKey())}\n`))
  yield* file.sync
  yield* fs.link(`${aside}/master.key`, path).pipe(
    Effect.zipRight(Effect.annotateLogs(Effect.logInfo("Master key made"), { path })),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.void
    )
  )
  yield* (yield* fs.open(dataDirectory)).sync
}, Effect.scoped)

const read = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const { mode } = yield* fs.stat(path)
  if ((mode & 0o077) !== 0) {
    const permissions = (mode & 0o777).toString(8).padStart(4, "0")
    return yield* new MasterKeyFileUnusable({
      message:
        `${path} is open to others (mode ${permissions}): close it by chmod 600, ` +
        "and put a new key into it if they may have read it"
    })
  }
  const keys = parseMasterKeys(yield* fs.readFileString(path))
  if (Option.isSome(keys)) return keys.value
  return yield* new MasterKeyFileUnusable({
    message: `${path} must hold ${masterKeyRule}; if the key is lost, remove the file and start again`
  })
})
