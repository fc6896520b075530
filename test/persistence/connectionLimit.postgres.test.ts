import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { databasePoolAt } from "../../src/persistence/postgres/databasePool.ts"
import { runCliHere } from "../cli/commandLine.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { scriptedService } from "../support/scriptedService.ts"
import { get, issueKey, tenancyOf } from "../support/testApi.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { emptyDatabase, freshDatabase, poolOn, urlOf } from "./freshDatabase.ts"

const domain = "customer.com"

/** How many sessions of the service there are. */
const countSessions = (database: TestDatabase) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly count: number }>`select count(*)::int from pg_stat_activity
        where datname = ${database.database} and pid <> pg_backend_pid()`,
      ([row]) => row?.count
    )
  )

/** A role of its own on a database, which may open this many connections. */
const limitRole = (database: TestDatabase, limit: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const role = `limited_${database.database}`
    yield* sql`create role ${sql(role)} login password 'secret' connection limit ${sql.literal(String(limit))}`
    yield* sql`grant all on schema public to ${sql(role)}`
    yield* sql`grant create on database ${sql(database.database)} to ${sql(role)}`
    return { role, url: urlOf({ ...database, username: role, password: Redacted.make("secret") }) }
  }).pipe(Effect.provide(poolOn(database, 1)))

for (const [settings, count] of [
  [{}, 20],
  [{ DATABASE_CONNECTIONS: "7" }, 7]
] as const) {
  concurrentTest(`a process opens ${count} connections when it starts, and no more under load`, () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const { layer } = yield* scriptedService(urlOf(database), [domain], settings)
      yield* Effect.gen(function* () {
        const opened = Effect.provide(countSessions(database), poolOn(yield* emptyDatabase, 1))
        yield* Effect.repeat(opened, { until: (found) => found === count, schedule: Schedule.spaced("50 millis") })
        const { key } = yield* issueKey()
        const reads = Array.replicate(get("/v1/usage", key), 100)
        yield* Effect.all(reads, { concurrency: "unbounded" })
        expect(yield* opened).toBe(count)
      }).pipe(Effect.provide(layer))
    })
  )
}

concurrentTest(
  "at the connection limit of its role every request is answered, with the connections that there are",
  () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const { url } = yield* limitRole(database, 8)
      const { layer } = yield* scriptedService(url, [domain])
      yield* Effect.gen(function* () {
        // One tenant has six running requests at most.
        const reads = yield* Effect.forEach(Array.range(1, 6), (nth) =>
          Effect.map(issueKey(tenancyOf("app", `tenant-${nth}`)), ({ key }) =>
            Array.replicate(get("/v1/connections", key), 15)
          )
        )
        const answers = yield* Effect.replicateEffect(Effect.all(reads.flat(), { concurrency: "unbounded" }), 10)
        expect(new Set(answers.flat().map(({ status }) => status))).toEqual(new Set([200]))
      }).pipe(Effect.provide(layer))
    })
)

concurrentTest("a limit of eleven more than DATABASE_CONNECTIONS leaves room for test mode and a command", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const { url } = yield* limitRole(database, 17)
    const run = (...args: ReadonlyArray<string>) => runCliHere({ DATABASE_URL: Redacted.value(url) }, ...args)
    const create = ["keys", "create", "--application", "app", "--tenant", "tenant", "--json"]
    const testKey: string = JSON.parse((yield* run(...create, "--environment", "test")).out).key
    const { layer } = yield* scriptedService(url, [domain], { DATABASE_CONNECTIONS: "6", CLUSTER: "true" })
    yield* Effect.gen(function* () {
      const { key } = yield* issueKey()
      for (const used of [key, testKey, key]) {
        const answers = yield* Effect.all(Array.replicate(get("/v1/usage", used), 20), { concurrency: "unbounded" })
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      }
      for (const environment of ["live", "test"])
        expect((yield* run("keys", "list", "--environment", environment)).code).toBe(0)
    }).pipe(Effect.provide(layer))
  })
)

concurrentTest(
  "statements wait for the connections that a role may open, which the log tells once, and more are opened later",
  () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const { role, url } = yield* limitRole(database, 3)
      const told: Array<unknown> = []
      const log = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void told.push(...Array.ensure(message)))
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const burst = Effect.all(
          Array.replicate(
            Effect.map(
              sql<{ readonly pid: number }>`select pg_backend_pid() as pid from pg_sleep(${0.02})`,
              ([row]) => row?.pid
            ),
            15
          ),
          { concurrency: "unbounded" }
        )
        expect(new Set(yield* burst).size).toBe(3)
        expect(new Set(yield* burst).size).toBe(3)
        expect(told).toEqual([expect.stringContaining("set DATABASE_CONNECTIONS to eleven less")])
        const raise = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter role ${sql(role)} connection limit 50`)
        yield* Effect.provide(raise, poolOn(database, 1))
        yield* Effect.repeat(burst, {
          until: (pids) => new Set(pids).size === 10,
          schedule: Schedule.spaced("500 millis")
        })
      }).pipe(Effect.provide(Layer.provideMerge(databasePoolAt(url), log)))
    })
)
