import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Record, Redacted } from "effect"
import { databasePoolAt } from "../../src/persistence/postgres/databasePool.ts"
import { migrations, testSchema, testSchemaLayer } from "../../src/persistence/postgres/migrate.ts"
import { isSupported } from "../../src/persistence/postgres/postgresVersion.ts"
import { runMigrations } from "../../src/persistence/postgres/runMigrations.ts"
import { emptyDatabase, freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { oldPostgresRefusal, startOldPostgres } from "../support/oldPostgres.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { databaseLineOf, environmentOf, exitResult, runCliHere, startProgram } from "./commandLine.ts"

const names = Object.keys(migrations)

/** A database as a version left it that knew the migrations up to this number. */
const databaseOf = (newest: number) =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const known = Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= newest)
    yield* Effect.provide(runMigrations(known), poolOn(database, 3))
    return database
  })

const check = (database: TestDatabase, ...options: ReadonlyArray<string>) =>
  runCliHere(environmentOf(database), "migrate", "--check", ...options)

concurrentTest("migrate --check finds nothing pending in a database that is up to date", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    expect(yield* check(database)).toEqual(
      exitResult(
        0,
        `The database has the schema ${names.at(-1)}.\nNothing is pending.\nA rolling upgrade is safe.\n`,
        databaseLineOf(database)
      )
    )
  })
)

concurrentTest("migrate --check lists what is pending, and leaves the database as it is", () =>
  Effect.gen(function* () {
    const database = yield* databaseOf(27)
    const { code, err, out } = yield* check(database)
    expect([code, err]).toEqual([4, databaseLineOf(database)])
    const [schema, heading, ...lines] = out.split("\n")
    expect([schema, heading]).toEqual(["The database has the schema 0027_former_hosts.", "Pending:"])
    expect(lines.slice(0, -2).map((line) => line.trim().replace(/:.*/, ""))).toEqual(names.slice(27))
    expect(JSON.parse((yield* check(database, "--json")).out)).toEqual({
      schema: "0027_former_hosts",
      pending: names.slice(27),
      testMode: null,
      isRollingUpgradeSafe: false,
      longTransactions: []
    })
  })
)

concurrentTest(
  "migrate --check lists what is pending for test mode too, once somebody has used it; migrate does that",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const inTestMode = databasePoolAt(urlOf(database), 3, testSchema)
      const known = Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= 22)
      yield* Effect.provide(runMigrations(known), Layer.provideMerge(testSchemaLayer, inTestMode))
      const { code, out } = yield* check(database)
      expect(code).toBe(4)
      const [live, nothing, test, ...lines] = out.split("\n")
      expect([live, nothing, test]).toEqual([
        `The database has the schema ${names.at(-1)}.`,
        "Nothing is pending.",
        `Test mode has the schema ${names[21]}.`
      ])
      expect(lines).toContain("A rolling upgrade is not safe: stop every process of the running version first.")
      expect(JSON.parse((yield* check(database, "--json")).out)).toMatchObject({
        pending: [],
        testMode: { schema: names[21], pending: names.slice(22) },
        isRollingUpgradeSafe: false
      })
      expect((yield* besideLongTransaction(database, check(database))).out).toContain("In the way: pg_dump")
      yield* runCliHere(environmentOf(database), "migrate")
      const after = yield* check(database, "--json")
      expect([after.code, JSON.parse(after.out)]).toMatchObject([
        0,
        { testMode: { schema: names.at(-1), pending: [] } }
      ])
    })
)

concurrentTest("migrate --check exits with 4 where the running version must be stopped first, and says why", () =>
  Effect.gen(function* () {
    const database = yield* databaseOf(22)
    const { code, out } = yield* check(database)
    expect(code).toBe(4)
    expect(out).toContain("  0023_host_claims: older versions take hosts without numbering the claim")
    expect(out).toEndWith("A rolling upgrade is not safe: stop every process of the running version first.\n")
  })
)

for (const [newest, name, reason] of [
  [39, "0040_share_links", "older versions ignore the role of a browser token"],
  [48, "0049_key_scopes", "older versions ignore the scopes and the end of an admin key"]
] as const)
  concurrentTest(`migrate --check exits with 4 before ${name}, which older processes would not obey`, () =>
    Effect.gen(function* () {
      const { code, out } = yield* check(yield* databaseOf(newest))
      expect([code, out]).toEqual([4, expect.stringContaining(`  ${name}: ${reason}`)])
    })
  )

concurrentTest("migrate --check names a session whose transaction would delay the migrations", () =>
  Effect.gen(function* () {
    const database = yield* databaseOf(27)
    const found = yield* besideLongTransaction(database, check(database))
    expect(found.out).toMatch(/In the way: pg_dump \(pid \d+, user app\), whose transaction began at \d{4}-\S+Z\.\n/)
  })
)

concurrentTest("migrate --check also names one of another role, whose age the role of the service may not see", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const ofService = { ...database, username: `service_${database.database}`, password: Redacted.make("secret") }
    yield* Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.unsafe(`
          create role ${ofService.username} login password 'secret';
          grant create, usage on schema public to ${ofService.username}`)
      ),
      poolOn(database, 1)
    )
    const idle = yield* Effect.provide(check(ofService), poolOn(database, 1))
    expect(idle.out).not.toContain("In the way")
    const found = yield* besideLongTransaction(database, check(ofService))
    expect(found.out).toMatch(/In the way: pg_dump \(pid \d+, user app\), whose transaction .+ pg_read_all_stats.*\.\n/)
  })
)

/** Runs an effect while another session has a transaction that is older than five seconds. */
const besideLongTransaction = <A, E, R>(database: TestDatabase, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const session = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
    yield* session.executeRaw("begin; set local application_name = pg_dump; select now()", [])
    yield* session.executeRaw("do $$ begin perform pg_sleep_until(now() + interval '5.1 seconds'); end $$", [])
    return yield* effect
  }).pipe(Effect.scoped, Effect.provide(poolOn(database, 3)))

concurrentTest("migrate --check finds every migration pending in a database without tables", () =>
  Effect.gen(function* () {
    const { code, out } = yield* check(yield* emptyDatabase)
    expect(code).toBe(0)
    expect(out).toBe(
      [
        "The database has no tables.",
        "Pending:",
        ...names.map((name) => `  ${name}`),
        "A rolling upgrade is safe.",
        ""
      ].join("\n")
    )
  })
)

concurrentTest("PostgreSQL 15 is the oldest that is supported", () =>
  Effect.sync(() => {
    expect([140_023, 149_999, 150_000, 180_004].map((number) => isSupported({ number }))).toEqual([
      false,
      false,
      true,
      true
    ])
  })
)

describeIfPossible("PostgreSQL 14", oldPostgresRefusal, () => {
  concurrentTest("is refused by name at the start and by every command, and nothing is made in it", () =>
    Effect.gen(function* () {
      const database = yield* startOldPostgres
      const message =
        "the database is PostgreSQL 14.23, and the service needs 15 or later: upgrade the server, or set DATABASE_URL to another one\n"
      const service = yield* startProgram(`${import.meta.dir}/../../src/main.ts`, [], {
        ...environmentOf(database),
        PORT: "0",
        LOG_LEVEL: "error"
      })
      expect(yield* service.result).toEqual(exitResult(1, "", message))
      for (const command of [
        ["migrate"],
        ["migrate", "--check"],
        ["keys", "list"],
        ["keys", "list", "--environment", "test"]
      ]) {
        expect(yield* runCliHere(environmentOf(database), ...command)).toEqual(
          exitResult(1, "", databaseLineOf(database) + message)
        )
      }
      const found = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          select nspname, relname from pg_namespace left join pg_class on relnamespace = pg_namespace.oid
          where nspname not like 'pg\\_%' and nspname <> 'information_schema'`
      )
      expect(yield* Effect.provide(found, poolOn(database, 1))).toEqual([{ nspname: "public", relname: null }])
    })
  )
})
