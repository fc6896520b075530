import { BunFileSystem } from "@effect/platform-bun"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/persistence/postgres/EmbeddedPostgres.ts"
import { temporaryRoot } from "./temporaryRoot.ts"

/** The address of a database, for `PgClient.layer({ host: socketDirectory, database, username, password })`. */
export interface TestDatabase {
  readonly socketDirectory: string
  readonly database: string
  readonly username: string
  readonly password: Redacted.Redacted
}

/** The database of a service that runs in this data directory. */
export const embeddedDatabase = (dataDirectory: string): TestDatabase => ({
  socketDirectory: `${dataDirectory}/postgres/socket`,
  database: "postgres",
  username: "app",
  password: Redacted.make(readFileSync(`${dataDirectory}/postgres/password`, "utf8").trim())
})

/**
 * Creates a database for a test file, on one server for all files of the run. It is a copy of a template that `migrate`
 * fills at its first use. `migrate` must close its connections before it returns.
 */
export const createDatabase = (
  migrate: (template: TestDatabase) => Effect.Effect<unknown, unknown>
): Effect.Effect<TestDatabase> =>
  Effect.promise(async () => {
    const template = templates.get(migrate) ?? server.runPromise(Effect.tap(copyOf("template1"), migrate))
    templates.set(migrate, template)
    return server.runPromise(copyOf((await template).database))
  })

/**
 * Creates a directory that root's server can read too. It is removed after the server has stopped: when the next test
 * file makes one, and however the run ends.
 */
export const temporaryDirectory = (): string => {
  for (const [remover, file] of removers) if (file !== undefined && file !== Bun.main) startRemoval(remover)
  return makeDirectory(Bun.main)
}

/** The same for what the test files of a run share. */
export const directoryOfTheRun = (): string => makeDirectory(undefined)

const makeDirectory = (file: string | undefined): string => {
  const directory = mkdtempSync(join(temporaryRoot(), "postgres-test-"))
  chmodSync(directory, 0o755)
  const remover = spawn("/bin/sh", ["-c", removeAtEnd, "sh", directory], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  remover.unref()
  removers.set(remover, file)
  return directory
}

/** With the test file of each. Kept alive, because the end of their standard input starts the removal. */
const removers = new Map<ChildProcess, string | undefined>()

const startRemoval = (remover: ChildProcess): void => {
  removers.delete(remover)
  remover.stdin?.end()
}

const removeAtEnd = `
read -r _
for _ in $(seq 100); do [ -e "$1/postgres/cluster/postmaster.pid" ] || break; sleep 0.1; done
rm -rf "$1"`

const templates = new Map<unknown, Promise<TestDatabase>>()
let databases = 0

const copyOf = (template: string) =>
  Effect.gen(function* () {
    const { password, socketDirectory, username } = yield* EmbeddedPostgres
    const sql = yield* PgClient.PgClient
    const database = `test_${++databases}`
    yield* sql`create database ${sql(database)} template ${sql(template)}`
    return { socketDirectory, database, username, password }
  })

const server = ManagedRuntime.make(
  Layer.unwrapEffect(
    Effect.map(EmbeddedPostgres, ({ database, password, socketDirectory, username }) =>
      PgClient.layer({ host: socketDirectory, database, username, password, maxConnections: 1 })
    )
  ).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(Effect.sync(() => EmbeddedPostgres.layer({ dataDirectory: directoryOfTheRun() })))
    ),
    Layer.provide(BunFileSystem.layer)
  )
)
