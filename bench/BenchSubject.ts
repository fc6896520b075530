import { Effect, Redacted, type Scope } from "effect"
import type { TestDatabase } from "../test/support/TestPostgres.ts"
import { databaseUrlOf } from "./BenchDatabase.ts"

/** A process under measurement, listening on `port` of 127.0.0.1. */
export interface BenchSubject {
  readonly name: string
  readonly pid: number
  readonly port: number
  readonly database: TestDatabase
}

/** Runs `subjects/<name>.ts` on a database while the scope lives. The first message of the process is its port. */
export const startBenchSubject = (
  name: string,
  database: TestDatabase,
  environment: Readonly<Record<string, string>> = {}
): Effect.Effect<BenchSubject, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { promise: port, resolve, reject } = Promise.withResolvers<number>()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn([process.execPath, `${import.meta.dir}/subjects/${name}.ts`], {
          env: { ...settingsFor(database), ...environment },
          // The log of a subject that writes one is not read.
          stdio: ["ignore", environment["LOG_LEVEL"] === undefined ? 2 : "ignore", 2],
          ipc: resolve,
          onExit: () => reject(new Error(`the subject ${name} ended before it listened`))
        })
      ),
      (child) =>
        Effect.promise(() => {
          child.kill()
          return child.exited
        })
    )
    return { name, pid: child.pid, port: yield* Effect.promise(() => port), database }
  })

/** The service reads `DATABASE_URL`; the SQL clients of its peers read the variables of libpq. */
const settingsFor = (database: TestDatabase) => ({
  PATH: process.env["PATH"],
  DATABASE_URL: databaseUrlOf(database),
  PGHOST: database.socketDirectory,
  PGUSER: database.username,
  PGPASSWORD: Redacted.value(database.password),
  PGDATABASE: database.database,
  PORT: "0",
  LOG_LEVEL: "error",
  RATE_LIMIT_PER_MINUTE: "100000000",
  BROWSER_RATE_LIMIT_PER_MINUTE: "100000000",
  // The load creates one connection after another in one domain.
  CONNECTIONS_PER_DOMAIN: "0",
  CONNECTIONS_PER_TENANT: "100000000",
  OPEN_DISCOVERIES_PER_TENANT: "1000000",
  STORAGE_PER_TENANT_MIB: "0",
  IDEMPOTENCY_PER_TENANT_MIB: "0"
})
