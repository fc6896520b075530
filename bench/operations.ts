import { SqlClient } from "@effect/sql"
import { Array, Effect } from "effect"
import { issueAdminKeyFor } from "./issueAdminKeyFor.ts"
import { connectionIdOf, createBenchDatabase, insertDiscoveredConnections, runOnDatabase } from "./BenchDatabase.ts"
import type { TestDatabase } from "../test/support/TestPostgres.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report } from "./Report.ts"
import { generateLoad } from "./generateLoad.ts"

/** Measures how long an operator waits for a list or a connection among a million. */
export const operations: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    yield* Effect.forEach(Array.range(0, connections / batch - 1), (nth) =>
      insertDiscoveredConnections(database, nth * batch + 1, (nth + 1) * batch)
    )
    yield* distinguish(database)
    const key = yield* issueAdminKeyFor(database)
    const service = yield* startBenchSubject("httpApi", database)
    const ask = (path: string) => ({
      status: 200,
      requests: [
        Buffer.from(`GET /v1/admin/connections${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-admin-key: ${key}\r\n\r\n`)
      ]
    })
    const questions = [
      ["stuck", "?stuckSeconds=60", 500],
      ["one failure", "?failure=provider_unavailable", 500],
      ["one provider", "?provider=rare", 500],
      ["one state", "?state=failed", 500],
      ["one domain", "?domain=shop-4711.example", 500],
      ["a connection", `/${connectionIdOf(4_711)}`, 100]
    ] as const
    yield* generateLoad(service, ask(""), roundMillis, 1)
    const results = yield* Effect.forEach(questions, ([name, path, atMost]) =>
      Effect.map(generateLoad(service, ask(path), roundMillis, 1), (load) => ({ name, atMost, ...load }))
    )
    return {
      title: `Operations: one question after the other, among ${connections.toLocaleString("en")} connections`,
      lines: formatTable([
        ["question", "p50 ms", "p99 ms"],
        ...Array.map(results, ({ name, p50, p99 }) => [name, p50.toFixed(1), p99.toFixed(1)])
      ]),
      figures: results,
      targets: results.map(({ atMost, name, p99 }) => ({
        kind: "gate" as const,
        what: `milliseconds for ${name}, 99 of 100`,
        value: p99,
        atMost
      }))
    }
  })
)

const connections = 1_000_000
const batch = 20_000
const roundMillis = 2_000

/** Each connection gets a domain of its own; one of 20,000 is overdue, has failed, or is at a rare provider. */
const distinguish = (database: TestDatabase) =>
  runOnDatabase(
    database,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A statement without parameters may take as long as it takes.
      yield* sql.unsafe(`
        update connections set domain = 'shop-' || n || '.example', phase = 'verify', state = case
            when n % 20000 = 1 then 'failed' else 'active' end,
          failure = case when n % 20000 = 1 then 'provider_unavailable' end,
          provider_id = case when n % 20000 = 2 then 'rare' else 'cloudflare' end,
          due_at = case when n % 20000 = 3 then now() - n * interval '1 second' else now() + interval '1 hour' end
        from (select id as this, substring(id from 5)::int as n from connections) as numbered where id = this`)
      yield* sql.unsafe("vacuum analyze connections")
    })
  )
