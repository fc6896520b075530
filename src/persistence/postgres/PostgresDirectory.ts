import { FileSystem } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { createSecretFile } from "../createSecretFile.ts"
import { EmbeddedPostgresUnavailable, postgresUser, spawnPostgres } from "./spawnPostgres.ts"

/** The directory of an embedded PostgreSQL (its program and its cluster), that of its socket, and its password. */
export interface PostgresDirectory {
  readonly directory: string
  readonly socketDirectory: string
  /** Every session needs it; `password` in `directory` holds it. */
  readonly password: Redacted.Redacted
}

/** The absolute path of a data directory, and whether it holds an embedded database already. */
export const findEmbeddedDatabase = (dataDirectory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const exists = yield* Effect.orElseSucceed(files.exists(`${dataDirectory}/postgres`), () => false)
    const path = yield* Effect.orElseSucceed(files.realPath(dataDirectory), () => resolve(dataDirectory))
    return { path, exists }
  })

/** Creates the directory, and the password at the first start. */
export const openPostgresDirectory = Effect.fnUntraced(function* (dataDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(`${dataDirectory}/postgres`, { recursive: true })
  const directory = yield* fs.realPath(`${dataDirectory}/postgres`)
  const socketDirectory = yield* findSocketDirectory(directory)
  return { directory, socketDirectory, password: yield* loadPassword(directory) } satisfies PostgresDirectory
})

/** Gives the directories to the server alone. As root it runs as a shared user, but in a group of its own. */
export const closePostgresDirectory = Effect.fnUntraced(function* ({ directory, socketDirectory }: PostgresDirectory) {
  yield* changeGroupToServer(directory, 0o710)
  const { exitCode } = yield* Effect.scoped(
    Effect.flatMap(spawnPostgres(["test", "-x", directory]), ({ ended }) => ended)
  )
  if (exitCode !== 0) return yield* EmbeddedPostgresUnavailable.directoryUnusable(unreachable(directory))
  yield* changeGroupToServer(socketDirectory, 0o770)
})

/** Where the server runs as this process's own user, it needs no group. */
const changeGroupToServer = (path: string, mode: number) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    postgresUser === undefined
      ? fs.chmod(path, mode & 0o700)
      : Effect.zipRight(fs.chown(path, process.getuid?.() ?? 0, postgresUser.gid), fs.chmod(path, mode))
  )

const unreachable = (directory: string) =>
  `${directory} is closed to uid ${postgresUser?.uid}, as which PostgreSQL runs when root starts it: ` +
  "open the directories above it (chmod o+x), or choose another data directory"

const passwordFileName = "password"

/** Random, so that it cannot be guessed; a restored directory without the file gets another one. */
const loadPassword = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = `${directory}/${passwordFileName}`
  if (!(yield* fs.exists(path))) {
    yield* createSecretFile(directory, passwordFileName, `${randomBytes(32).toString("base64url")}\n`)
  }
  return Redacted.make((yield* fs.readFileString(path)).trim())
})

/** The path of a socket has at most 103 bytes (107 on Linux), so that a long one moves to /tmp. */
const findSocketDirectory = Effect.fnUntraced(function* (home: string) {
  const fs = yield* FileSystem.FileSystem
  const isShort = Buffer.byteLength(`${home}/socket/.s.PGSQL.5432`) <= 103
  const path = isShort ? `${home}/socket` : `${yield* fs.realPath("/tmp")}/postgres-${digest(home)}`
  yield* fs.makeDirectory(path, { mode: 0o700 }).pipe(
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.void
    )
  )
  const owner = Option.getOrUndefined((yield* fs.stat(path)).uid)
  // In /tmp another user may have created it, or a link of that name.
  const isOurs = (owner === process.getuid?.() || owner === postgresUser?.uid) && (yield* fs.realPath(path)) === path
  if (isOurs) return path
  return yield* EmbeddedPostgresUnavailable.directoryUnusable(`Somebody else made the socket directory ${path}`)
})

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16)
