import { SqlClient } from "@effect/sql"
import { expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { readdirSync } from "node:fs"
import { migrations, migrationsLayer } from "../../../src/persistence/postgres/migrate.ts"
import { live } from "../../support/effectTest.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"

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
          "cluster_messages",
          "cluster_replies",
          "connection_events",
          "connections",
          "credentials",
          "idempotency_keys",
          "journal",
          "leases",
          "observations"
        ])
      )
    }).pipe(Effect.provide(pool))
  })
)

const idOf = (name: string) => Number.parseInt(name, 10)
const wordsOf = (name: string) => name.replace(/^\d+_/, "")
