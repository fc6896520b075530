import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Deferred, Effect, Schema } from "effect"
import { serviceInstance } from "../../src/runtime/serviceInstance.ts"
import { emptyDatabase, freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { freePort } from "../support/freePort.ts"
import { masterKey } from "../support/masterKeys.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { environmentOf, runCli } from "./commandLine.ts"

const DoctorOutput = Schema.parseJson(
  Schema.Struct({
    findings: Schema.Array(
      Schema.Struct({
        check: Schema.String,
        status: Schema.String,
        found: Schema.String,
        next: Schema.optional(Schema.String)
      })
    )
  })
)

/** What `doctor` finds: its exit code, and the findings by their checks. Whatever is not in order has a next step. */
const examine = (environment: Readonly<Record<string, string>>) =>
  Effect.map(runCli({ DNS_PUBLIC_RESOLVERS: "", ...environment }, "doctor", "--json"), ({ code, out }) => {
    const { findings } = Schema.decodeSync(DoctorOutput)(out)
    for (const { next, status } of findings) expect(next === undefined).toBe(status === "ok")
    return { code, findings: Object.fromEntries(findings.map((finding) => [finding.check, finding])) }
  })

const environmentWithKey = (database: TestDatabase, version = 1) => ({
  ...environmentOf(database),
  MASTER_KEY: masterKey(version)
})

concurrentTest(
  "doctor finds a running service, its database and its key in order, and a closed resolver with the next step",
  () =>
    Effect.gen(function* () {
      const environment = environmentWithKey(yield* freshDatabase)
      const { url } = yield* startCompiledService(environment)
      const { code, findings } = yield* examine({ ...environment, PUBLIC_URL: url, DNS_RESOLVERS: "127.0.0.1:9" })
      expect(findings).toMatchObject({
        settings: { status: "ok" },
        database: { status: "ok", found: expect.stringMatching(/^PostgreSQL \d+/) },
        tables: { status: "ok" },
        rights: { status: "ok" },
        writes: { status: "ok" },
        encryption: { status: "ok" },
        clock: { status: "ok" },
        locks: { status: "ok", found: "no session waits for another one" },
        "master key": { status: "ok", found: "MASTER_KEY fits the database" },
        processes: { status: "ok", found: `1 of version ${serviceInstance.version}` },
        DNS_PUBLIC_RESOLVERS: { status: "ok", found: "none is asked" },
        PUBLIC_URL: { status: "ok" },
        DNS_RESOLVERS: { status: "fail", found: expect.stringContaining("127.0.0.1:9") }
      })
      expect(code).toBe(1)
    })
)

concurrentTest("doctor prints each finding with its next step", () =>
  Effect.gen(function* () {
    const { code, out } = yield* runCli({ PORT: "many", DATABSE_URL: "postgresql://db.example" }, "doctor")
    expect([code, out]).toEqual([
      1,
      [
        "fail  settings: PORT must be a whole number from 0 to 65535",
        "      Correct it: docs/configuration.md.",
        "warn  settings: DATABSE_URL is no setting; DATABASE_URL may be meant",
        "      Rename it to DATABASE_URL, or remove it.",
        ""
      ].join("\n")
    ])
  })
)

concurrentTest("doctor finds a database without tables, and leaves it as it is", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const { findings } = yield* examine(environmentWithKey(database))
    expect(findings["tables"]).toMatchObject({ status: "warn", found: "there are none yet" })
    const tables = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select from pg_tables where schemaname = 'public'`)
    expect(yield* Effect.provide(tables, poolOn(database, 1))).toEqual([])
  })
)

concurrentTest("doctor finds a master key that does not fit the database, and registers none", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const register = Effect.flatMap(startCompiledService(environmentWithKey(database)), ({ end }) => end("SIGTERM"))
    yield* Effect.scoped(register)
    const { code, findings } = yield* examine(environmentWithKey(database, 2))
    expect(code).toBe(1)
    expect(findings["master key"]).toMatchObject({ status: "fail", found: expect.stringContaining("none of the keys") })
    expect(findings["processes"]).toMatchObject({ status: "ok", found: "none works on this database" })
    const versions = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select version from master_keys`)
    expect(yield* Effect.provide(versions, poolOn(database, 1))).toEqual([{ version: 1 }])
  })
)

concurrentTest("doctor finds a database that accepts no writes, and one that has too few connections left", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const limit = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.zipRight(
        sql.unsafe(`alter database ${database.database} set default_transaction_read_only = on`),
        sql.unsafe(`alter database ${database.database} connection limit 12`)
      )
    )
    yield* Effect.provide(limit, poolOn(database, 1))
    const { findings } = yield* examine(environmentWithKey(database))
    expect(findings["writes"]).toMatchObject({ status: "fail", found: "the database accepts no writes" })
    expect(findings["connections to the database"]).toMatchObject({
      status: "warn",
      found: expect.stringMatching(/^\d+ are free, and a new process uses up to 26$/)
    })
  })
)

concurrentTest("doctor names the session for which others wait", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const isLocked = yield* Deferred.make<void>()
    // A fiber of its own, since a transaction holds for all clients of a fiber.
    yield* Effect.forkScoped(
      Effect.zipRight(Deferred.await(isLocked), Effect.forever(Effect.ignore(readConnections))).pipe(
        Effect.provide(poolOn(database, 1))
      )
    )
    const { findings } = yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(
        sql`set local application_name = 'report'`.pipe(
          Effect.zipRight(sql`lock table connections in access exclusive mode`),
          Effect.zipRight(Deferred.succeed(isLocked, undefined)),
          Effect.zipRight(examine(environmentWithKey(database)))
        )
      )
    ).pipe(Effect.provide(poolOn(database, 1)))
    expect(findings["locks"]).toMatchObject({
      status: "warn",
      found: expect.stringMatching(/^sessions wait for report \(pid \d+, user app\), whose transaction began at 20/)
    })
  })
)

const readConnections = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select from connections`)

concurrentTest("doctor finds a process of another version", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const enter = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`insert into processes (id, version, seen_at) values ('other', '0.0.9', now() + interval '1 hour')`
    )
    yield* Effect.provide(enter, poolOn(database, 1))
    const { findings } = yield* examine(environmentWithKey(database))
    expect(findings["processes"]).toMatchObject({ status: "warn", found: "1 of version 0.0.9" })
  })
)

concurrentTest("doctor finds a database that cannot be reached, and another server at PUBLIC_URL", () =>
  Effect.gen(function* () {
    const other = yield* Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port: 0, fetch: () => new Response("welcome", { status: 404 }) })),
      (server) => Effect.promise(() => server.stop(true))
    )
    const { code, findings } = yield* examine({
      DATABASE_URL: "postgresql://me:hidden@127.0.0.1:9/service",
      PUBLIC_URL: `http://127.0.0.1:${other.port}`
    })
    expect(code).toBe(1)
    expect(findings["database"]).toMatchObject({ status: "fail", found: expect.stringContaining("cannot be reached") })
    expect(findings["PUBLIC_URL"]).toMatchObject({ status: "fail", found: expect.stringContaining("answers 404") })
    expect(JSON.stringify(findings)).not.toContain("hidden")
  })
)

concurrentTest("doctor finds that there is no database yet", () =>
  Effect.gen(function* () {
    const { findings } = yield* examine({ DATA_DIR: "/nowhere" })
    expect(findings["database"]).toMatchObject({ status: "warn", next: "Start the service once, or set DATABASE_URL." })
  })
)

concurrentTest("doctor finds a proxy that does not pass on the host that customers name", () =>
  Effect.gen(function* () {
    const port = freePort()
    const environment = { ...environmentWithKey(yield* freshDatabase), PUBLIC_URL: `http://127.0.0.1:${port}` }
    const { url } = yield* startCompiledService(environment)
    yield* Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port, fetch: (request) => fetch(`${url}${new URL(request.url).pathname}`) })),
      (server) => Effect.promise(() => server.stop(true))
    )
    const { findings } = yield* examine(environment)
    expect(findings["PUBLIC_URL"]).toMatchObject({
      status: "fail",
      found: `${environment.PUBLIC_URL}/connect answers 400, where customers get a page`,
      next: expect.stringContaining("Host")
    })
  })
)
