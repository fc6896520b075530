import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Redacted } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { createPlannedConnection } from "../../prove/connectionSteps.ts"
import { runCli, startProgram } from "../cli/commandLine.ts"
import { emptyDatabase, freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { live } from "../support/effectTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { pgBouncerRefusal, startPgBouncer } from "../support/PgBouncer.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueKey, serviceUrl } from "../support/testApi.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { issueTestKey, requesterWith } from "../testmode/testModeService.ts"

const domain = "customer.com"

/** As in a PgBouncer that drops what clients give when they connect. */
const dropsOptions = { ignore_startup_parameters: "options,extra_float_digits", default_pool_size: "40" }

/** A live connection and one of test mode, of tenants with the same names, with a way to ask for both. */
const twoConnections = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const api = makeApiClient(yield* serviceUrl, key)
    const { id } = yield* createPlannedConnection(api, desiredShopOf(domain))
    const asLive = yield* requesterWith(key)
    const asTest = yield* requesterWith(yield* issueTestKey(url))
    const test = yield* asTest.connect("one-click.test")
    return { asLive, asTest, ids: { live: id, test: String(test.id) } }
  })

/** How many connections are in the live tables and in those of test mode, by state. */
const countRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    select 'live' as environment, domain, state from public.connections
    union all select 'test', domain, state from domain_connection_test.connections order by 1`
)

describeIfPossible("behind PgBouncer", pgBouncerRefusal, () => {
  live("a key of test mode neither reads nor disconnects a live connection, in session mode", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const { url } = yield* startPgBouncer(database, { pool_mode: "session", ...dropsOptions })
      const { layer } = yield* scriptedService(url, [domain])
      yield* Effect.gen(function* () {
        const { asLive, asTest, ids } = yield* twoConnections(url)
        const path = `/v1/connections/${ids.live}`
        const answers = yield* Effect.all([
          asTest.send("GET", path),
          asTest.send("GET", `${path}/events`),
          asTest.send("GET", `${path}/records`),
          asTest.command(ids.live, "disconnect"),
          asTest.command(ids.live, "cancel"),
          asLive.command(ids.test, "disconnect")
        ])
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
        const lists = yield* Effect.all([asLive.send("GET", "/v1/connections"), asTest.send("GET", "/v1/connections")])
        expect(lists.map(({ json }) => json.connections.map(({ id }: { id: string }) => id))).toEqual([
          [ids.live],
          [ids.test]
        ])
        yield* asTest.authorizeAndApprove(ids.test, "active")
        expect(yield* Effect.provide(countRows, poolOn(database, 1))).toEqual([
          { environment: "live", domain, state: "awaiting_authorization" },
          { environment: "test", domain: "one-click.test", state: "active" }
        ])
      }).pipe(Effect.provide(layer))
    })
  )

  live("nor does it if PgBouncer is changed to transaction mode while the service runs", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const { command, url } = yield* startPgBouncer(database, { pool_mode: "session", ...dropsOptions })
      const { layer } = yield* scriptedService(url, [domain])
      yield* Effect.gen(function* () {
        const { asLive, asTest, ids } = yield* twoConnections(url)
        yield* command("set pool_mode = 'transaction'")
        const statusesOf = ({ own, other, sender }: { own: string; other: string; sender: typeof asLive }) =>
          Effect.all([
            sender.sendOnce("GET", `/v1/connections/${other}`),
            sender.sendOnce("POST", `/v1/connections/${other}/disconnect`, {}),
            sender.sendOnce("GET", `/v1/connections/${own}`)
          ])
        const senders = [
          { own: ids.live, other: ids.test, sender: asLive },
          { own: ids.test, other: ids.live, sender: asTest }
        ]
        const rounds = yield* Effect.forEach(Array.range(1, 20), () =>
          Effect.forEach(Array.flatten(Array.replicate(senders, 5)), statusesOf, { concurrency: "unbounded" })
        )
        // A connection of the other environment is not there, or the database is refused.
        const statuses = rounds.flat().flatMap((answers) => answers.slice(0, 2).map(({ status }) => status))
        expect(statuses.filter((status) => status !== 404 && status !== 503)).toEqual([])
        expect(yield* Effect.provide(countRows, poolOn(database, 1))).toEqual([
          { environment: "live", domain, state: "awaiting_authorization" },
          { environment: "test", domain: "one-click.test", state: "awaiting_authorization" }
        ])
      }).pipe(Effect.provide(layer))
    })
  )

  for (const mode of ["transaction", "statement"]) {
    live(`the service and each command refuse ${mode} pooling by name, and change nothing`, () =>
      Effect.gen(function* () {
        const database = yield* emptyDatabase
        const { url } = yield* startPgBouncer(database, { pool_mode: mode, ...dropsOptions })
        const environment = { DATABASE_URL: Redacted.value(url) }
        const start = yield* startProgram(`${import.meta.dir}/../../src/main.ts`, [], {
          ...environment,
          DATA_DIR: temporaryDirectory(),
          MASTER_KEY: masterKey(1),
          LOG_LEVEL: "error",
          PORT: "0"
        })
        const results = [
          yield* start.result,
          yield* runCli(environment, "migrate"),
          yield* runCli(environment, "keys", "list"),
          yield* runCli(environment, "keys", "list", "--environment", "test")
        ]
        for (const { code, err } of results) {
          expect(code).toBe(1)
          expect(err).toContain("transaction or statement pooling: set pool_mode = session in PgBouncer")
        }
        const tables = Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`select nspname from pg_namespace where nspname = 'domain_connection_test'
            union all select tablename from pg_tables where schemaname = 'public'`
        )
        expect(yield* Effect.provide(tables, poolOn(database, 1))).toEqual([])
      })
    )
  }
})
