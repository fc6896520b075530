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

/** A connection with records at 50,000 names of one zone. */
const crowdedZone = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* createConnection()
  yield* sql`
    insert into connection_hosts (reversed_name, connection_id)
    select reverse('host' || nth || '.crowded.com'), ${id} from generate_series(1, 50000) as nth`
  yield* sql`analyze connection_hosts`
})

withLayer(
  "the zone tenants at one name of a zone with 50,000",
  Layer.effectDiscard(crowdedZone).pipe(
    Layer.provideMerge(Layer.mergeAll(ConnectionStore.layer, ConnectionViews.layer, Identifiers.layer)),
    Layer.provideMerge(freshPool)
  ),
  (live) => {
    live("are read by an index, without the rows of the other names", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { listZoneTenants } = yield* ConnectionViews
        const [reads] = yield* sql.withTransaction(
          Effect.zipRight(
            listZoneTenants(ownTenancy, {
              at: [DomainName.make("host7.crowded.com")],
              below: [DomainName.make("host8.crowded.com")]
            }),
            sql<{ readonly scans: number; readonly scanned: number; readonly fetched: number }>`
              select idx_scan::int as scans, seq_tup_read::int as scanned, idx_tup_fetch::int as fetched
              from pg_stat_xact_user_tables where relname = 'connection_hosts'`
          )
        )
        expect(reads?.scans).toBeGreaterThan(0)
        expect(reads?.scanned).toBe(0)
        expect(reads?.fetched).toBeLessThan(10)
      })
    )
  }
)
