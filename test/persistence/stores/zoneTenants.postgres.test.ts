import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { withLayer } from "../../support/effectTest.ts"
import { createConnection, ownTenancy } from "../connectionFixtures.ts"
import { freshPool } from "../freshDatabase.ts"

/** A connection with records at 50,000 names of one zone, and 5,000 connections elsewhere. */
const crowdedZone = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* createConnection()
  const columns = yield* sql<{ readonly name: string }>`
    select column_name as name from information_schema.columns
    where table_name = 'connections' and table_schema = current_schema()`
  const copies: Readonly<Record<string, string>> = {
    id: "'con_' || nth::text",
    intent_key: "null",
    external_key: "null"
  }
  yield* sql.unsafe(`
    insert into connections (${columns.map(({ name }) => name).join(", ")})
    select ${columns.map(({ name }) => copies[name] ?? name).join(", ")}
    from connections, generate_series(1, 5000) as nth where id = '${id}'`)
  yield* sql`
    insert into connection_hosts (reversed_name, connection_id)
    select reverse('host' || nth || '.crowded.com'), ${id} from generate_series(1, 50000) as nth
    union all select reverse('shop.elsewhere' || nth || '.com'), 'con_' || nth from generate_series(1, 5000) as nth`
  yield* sql`analyze connection_hosts, connections`
})

withLayer(
  "the zone tenants at one name of a zone with 50,000",
  Layer.effectDiscard(crowdedZone).pipe(
    Layer.provideMerge(Layer.mergeAll(ConnectionStore.layer, ConnectionViews.layer, Identifiers.layer)),
    Layer.provideMerge(freshPool)
  ),
  (live) => {
    live("are read by an index, without the rows of the other names and connections", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { listZoneTenants } = yield* ConnectionViews
        const reads = yield* sql.withTransaction(
          Effect.zipRight(
            listZoneTenants(ownTenancy, {
              at: [DomainName.make("host7.crowded.com")],
              below: [DomainName.make("host8.crowded.com")]
            }),
            sql<{ readonly scans: number; readonly scanned: number; readonly fetched: number }>`
              select idx_scan::int as scans, seq_tup_read::int as scanned, idx_tup_fetch::int as fetched
              from pg_stat_xact_user_tables where relname in ('connection_hosts', 'connections')`
          )
        )
        expect(reads).toHaveLength(2)
        for (const { fetched, scanned, scans } of reads) {
          expect(scans).toBeGreaterThan(0)
          expect(scanned).toBe(0)
          expect(fetched).toBeLessThan(10)
        }
      })
    )
  }
)
