import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { randomKey, toStoredKey } from "../src/security/secrets.ts"
import { createBenchDatabase, insertDiscoveredConnections, runOnDatabase } from "./BenchDatabase.ts"
import type { TestDatabase } from "../test/support/TestPostgres.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report } from "./Report.ts"
import { generateLoad } from "./generateLoad.ts"
import type { RequestSet } from "./httpRequests.ts"

/** Measures how long a web server waits for the answer whether it may get a certificate for a host. */
export const allowedDomains: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    const secret = randomKey("dcas_")
    yield* insertActiveConnections(database, secret)
    const service = yield* startBenchSubject("httpApi", database)
    const hosts = Array.from({ length: 5_000 }, () => 1 + Math.floor(Math.random() * connections))
    const sets: ReadonlyArray<readonly [name: string, set: RequestSet]> = [
      [
        "a host of a connection",
        { status: 200, requests: hosts.map((n) => rawQuestion(secret, `shop.shop-${n}.example`)) }
      ],
      ["a host of nobody", { status: 404, requests: hosts.map((n) => rawQuestion(secret, `x${n}.shop-${n}.example`)) }]
    ]
    yield* generateLoad(
      service,
      { status: 200, requests: [rawQuestion(secret, "shop.shop-1.example")] },
      warmUpMillis,
      1
    )
    const results = yield* Effect.forEach(sets, ([name, set]) =>
      Effect.map(generateLoad(service, set, roundMillis, 1), (load) => ({ name, ...load }))
    )
    return {
      title: `Allowed domains: one question after the other, among ${connections.toLocaleString("en")} active connections`,
      lines: formatTable([
        ["question", "", "requests/s", "p50 ms", "p99 ms"],
        ...results.map(({ name, p50, p99, perSecond }) => [
          name,
          "",
          perSecond.toFixed(0),
          p50.toFixed(2),
          p99.toFixed(2)
        ])
      ]),
      figures: results,
      targets: results.map(({ name, p50 }) => ({
        kind: "aim",
        what: `median milliseconds for ${name}`,
        value: p50,
        atMost: 2
      }))
    }
  })
)

const connections = 20_000
const roundMillis = 3_000
const warmUpMillis = 3_000

/** Makes active connections of the typical intent, each of a domain of its own, and the secret to ask for their hosts. */
const insertActiveConnections = (database: TestDatabase, secret: string) =>
  Effect.zipRight(
    insertDiscoveredConnections(database, 1, 1),
    runOnDatabase(
      database,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { hash, prefix } = toStoredKey(secret)
        yield* sql`
          insert into ask_secrets (id, hash, prefix, application_id)
          select 'ask_1', ${hash}::bytea, ${prefix}, application_id from connections`
        yield* sql`
          insert into connections (id, application_id, tenant_id, state, domain, doc)
          select 'con_active_' || n, application_id, tenant_id, 'active', 'shop-' || n || '.example',
            replace(doc, '"example.com"', '"shop-' || n || '.example"')
          from generate_series(1, ${connections}::int) n, connections`
        yield* sql`
          insert into connection_hosts (reversed_name, connection_id)
          select reverse(host || domain), id
          from connections, unnest(array['shop.', 'mail.', '_dmarc.mail.']) as host where state = 'active'`
        yield* sql`vacuum analyze connections`
        yield* sql`vacuum analyze connection_hosts`
      })
    )
  )

const rawQuestion = (secret: string, host: string): Uint8Array =>
  Buffer.from(`GET /v1/domains/allowed/${secret}?domain=${host} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
