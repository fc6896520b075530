import { Effect, Redacted } from "effect"
import { chownSync, existsSync, writeFileSync } from "node:fs"
import { Client } from "pg"
import { postgresUser } from "../../src/persistence/postgres/spawnPostgres.ts"
import { toSocketUrl } from "../../src/persistence/postgres/databasePool.ts"
import { programPath } from "./lab/labAvailability.ts"
import { makeServer } from "./lab/Server.ts"
import { temporaryDirectory, type TestDatabase } from "./TestPostgres.ts"

/** Why PgBouncer cannot run here, in a sentence. */
export const pgBouncerRefusal = existsSync(programPath("pgbouncer"))
  ? undefined
  : "not installed: pgbouncer; apt-get install -y --no-install-recommends pgbouncer"

/** A PgBouncer in front of a test database. */
interface PgBouncer {
  /** The URL of the database behind it. */
  readonly url: Redacted.Redacted
  /** Runs a command of its console, and returns the rows. */
  readonly command: (text: string) => Effect.Effect<ReadonlyArray<Record<string, unknown>>>
}

/** Starts Debian's PgBouncer with these settings, which come last. It stops with the scope. */
export const startPgBouncer = (database: TestDatabase, settings: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const directory = temporaryDirectory()
    const file = `${directory}/pgbouncer.ini`
    writeFileSync(file, describe(database, directory, settings), { mode: 0o644 })
    // Where the tests run as root, the server's socket is open to its own user only, and PgBouncer refuses root.
    const asUser =
      postgresUser === undefined
        ? []
        : ["setpriv", `--reuid=${postgresUser.uid}`, `--regid=${postgresUser.gid}`, "--clear-groups"]
    if (postgresUser !== undefined) chownSync(directory, postgresUser.uid, postgresUser.gid)
    const server = yield* makeServer({
      name: "pgbouncer",
      directory,
      command: [...asUser, programPath("pgbouncer"), file],
      ready: Effect.sync(() => existsSync(`${directory}/.s.PGSQL.5432`))
    })
    yield* Effect.orDie(server.start)
    const behind = { ...database, socketDirectory: directory }
    return {
      url: Redacted.make(toSocketUrl(behind)),
      command: (text) => Effect.promise(() => runInConsole(directory, text))
    } satisfies PgBouncer
  })

const describe = (
  { database, password, socketDirectory, username }: TestDatabase,
  directory: string,
  settings: Readonly<Record<string, string>>
) =>
  [
    "[databases]",
    `${database} = host=${socketDirectory} user=${username} password=${Redacted.value(password)}`,
    "[pgbouncer]",
    "listen_addr =",
    "listen_port = 5432",
    `unix_socket_dir = ${directory}`,
    "auth_type = any",
    "admin_users = console",
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  ].join("\n")

const runInConsole = async (directory: string, text: string) => {
  const console = new Client({ host: directory, database: "pgbouncer", user: "console" })
  await console.connect()
  const { rows } = await console.query(text)
  await console.end()
  return rows
}
