import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { readFileSync, renameSync } from "node:fs"
import { Identifiers } from "../src/domain/values/Identifiers.ts"
import { type DatabasePool, databasePoolAt, toSocketUrl } from "../src/persistence/postgres/databasePool.ts"
import { migrationsLayer } from "../src/persistence/postgres/migrate.ts"
import { ApiKeyStore } from "../src/persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { createDatabase, type TestDatabase } from "../test/support/TestPostgres.ts"
import { issueKey, tenancyOf } from "../test/support/testApi.ts"

/** A database with the tables of the service, a key for its API, and a pool to query it. */
export interface ProofDatabase extends TestDatabase {
  readonly url: string
  readonly key: string
  /** Issues a key for another tenant. */
  readonly issueKeyFor: (tenant: string) => Effect.Effect<string>
  /** Runs an effect on connections of its own, again if the database is lost meanwhile. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, DatabasePool | SqlClient.SqlClient>) => Effect.Effect<A>
}

/** Creates a database on the PostgreSQL of the run. */
export const createProofDatabase = Effect.gen(function* () {
  const database = yield* createDatabase(migrate)
  const url = toSocketUrl(database)
  const pool = yield* Layer.build(poolAt(`${url}&application_name=proof`))
  const run: ProofDatabase["run"] = (effect) =>
    Effect.provide(effect, pool).pipe(Effect.sandbox, Effect.retry(untilBack), Effect.unsandbox, Effect.orDie)
  const issueKeyFor: ProofDatabase["issueKeyFor"] = (tenant) =>
    Effect.map(run(Effect.provide(issueKey(tenancyOf("proof", tenant)), keys)), ({ key }) => key)
  return { ...database, url, run, issueKeyFor, key: yield* issueKeyFor("tenant") }
}).pipe(Effect.orDie)

/** Stops the server. Its owner restarts it after a second, in vain while its files are moved away. */
export const interruptDatabase = ({ run }: ProofDatabase, signal: "SIGINT" | "SIGQUIT", filesAway = Duration.zero) =>
  Effect.gen(function* () {
    const { directory, pid } = yield* run(postmaster)
    const downAt = performance.now()
    yield* Effect.sync(() => process.kill(pid, signal))
    if (Duration.greaterThan(filesAway, Duration.zero)) {
      renameSync(directory, `${directory}.away`)
      yield* Effect.sleep(filesAway)
      renameSync(`${directory}.away`, directory)
    }
    const restarted = Effect.filterOrFail(Effect.sandbox(run(postmaster)), (current) => current.pid !== pid)
    yield* Effect.retry(restarted, Schedule.spaced("20 millis")).pipe(Effect.timeout("30 seconds"))
    return { downAt, backAt: performance.now() }
  })

/** The process id and data directory of the server. */
const postmaster = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly directory: string }>`select current_setting('data_directory') as directory`
  const directory = row?.directory ?? ""
  return { directory, pid: Number.parseInt(readFileSync(`${directory}/postmaster.pid`, "utf8"), 10) }
})

const untilBack = Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(50))

const poolAt = (url: string) => databasePoolAt(Redacted.make(url), 2)

const migrate = (template: TestDatabase) =>
  Effect.scoped(Layer.build(Layer.provide(migrationsLayer, databasePoolAt(Redacted.make(toSocketUrl(template)), 5))))

const keys = ApiKeys.layer.pipe(Layer.provide(Layer.mergeAll(ApiKeyStore.layer, Identifiers.layer)))
