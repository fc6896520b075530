import { SqlClient } from "@effect/sql"
import { expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { readdirSync } from "node:fs"
import { migrations, migrationsLayer } from "../../../src/persistence/postgres/migrate.ts"
import { live } from "../../support/effectTest.ts"
import { databaseLineOf, environmentOf, exitResult, runCli, startProgram } from "../../cli/commandLine.ts"
import { emptyDatabase, freshDatabase, poolOn } from "../freshDatabase.ts"

test("every file of migrations/ is registered under its name, in order", () => {
  const files = readdirSync(`${import.meta.dir}/../../../src/persistence/migrations`)
  expect(Object.keys(migrations)).toEqual(files.map((file) => file.replace(/\.ts$/, "")).toSorted())
})

live("processes that start concurrently on an empty database create every table once", () =>
  Effect.gen(function* () {
    const pool = poolOn(yield* emptyDatabase, 5)
    const start = Layer.build(Layer.provide(migrationsLayer, Layer.fresh(pool)))
    yield* Effect.all(
      Array.from({ length: 6 }, () => start),
      { concurrency: "unbounded" }
    )
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const applied = yield* sql`select migration_id, name from migrations order by migration_id`
      expect(applied).toEqual(
        Object.keys(migrations).map((name) => ({ migration_id: idOf(name), name: wordsOf(name) }))
      )
      const tables = yield* sql`select table_name from information_schema.tables where table_schema = 'public'`
      expect(tables.map(({ table_name }) => table_name)).toEqual(
        expect.arrayContaining([
          "api_keys",
          "browser_tokens",
          "connection_events",
          "connections",
          "credentials",
          "idempotency_keys",
          "journal",
          "leases",
          "observations",
          "processes"
        ])
      )
    }).pipe(Effect.provide(pool))
  })
)

live("a program that is older than the schema names both versions, changes nothing, and exits with 3", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const newest = Object.keys(migrations).at(-1) ?? ""
    const unknown = `${String(idOf(newest) + 2).padStart(4, "0")}_of_tomorrow`
    const schema = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql`select migration_id, name from migrations order by migration_id`
    }).pipe(Effect.provide(poolOn(database, 1)))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into migrations (migration_id, name) values (${idOf(newest) + 1}, 'of_today'),
          (${idOf(unknown)}, ${wordsOf(unknown)})`
    }).pipe(Effect.provide(poolOn(database, 1)))
    const before = yield* schema

    const message =
      `the database has the schema ${unknown} of a newer version of this program, which knows schemas up to ${newest}: ` +
      "start the newer version, or restore the backup from before its start (docs/operations.md)\n"
    const service = yield* startProgram(`${import.meta.dir}/../../../src/main.ts`, [], {
      ...environmentOf(database),
      PORT: "0",
      LOG_LEVEL: "error"
    })
    const ended = yield* Effect.all(
      [service.result, runCli(environmentOf(database), "keys", "list"), runCli(environmentOf(database), "migrate")],
      { concurrency: 2 }
    )
    const [ofService, ...ofCommands] = ended
    expect(ofService).toEqual(exitResult(3, "", message))
    for (const result of ofCommands) expect(result).toEqual(exitResult(3, "", databaseLineOf(database) + message))
    expect(yield* schema).toEqual(before)
  })
)

const idOf = (name: string) => Number.parseInt(name, 10)
const wordsOf = (name: string) => name.replace(/^\d+_/, "")
