import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Option, Record } from "effect"
import { type Connection, ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { computeIntentKey } from "../../../src/domain/connection/ConnectionKeys.ts"
import { migrations } from "../../../src/persistence/postgres/migrate.ts"
import { runMigrations } from "../../../src/persistence/postgres/runMigrations.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { sha256 } from "../../../src/security/secrets.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { connectionFor, firstTransition, ownTenancy } from "../connectionFixtures.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"

const shop = connectionFor("example.com", ["shop 300 CNAME shops.example.net"])

/** A row of the version before, whose key of the intent is that of its id, as with another rule. */
const insertOld = (id: string, fields: Partial<Connection> = {}, holds = true) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const doc = encodeConnection({ ...shop, ...ownTenancy, ...fields, id: ConnectionId.make(id) })
    const { applicationId, tenantId } = ownTenancy
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, domain, doc, intent_key)
      values (${id}, ${applicationId}, ${tenantId}, 'active', 'example.com', ${doc}, ${holds ? sha256(id) : null})`
  })

concurrentTest("an upgrade computes the keys of intents by the new rule, and those of metadata", () =>
  Effect.gen(function* () {
    const pool = poolOn(yield* emptyDatabase, 3)
    const before = Record.filter(migrations, (_, name) => name < "0038")
    const metadata = { plan: "pro" }
    const ids = Array.from({ length: 150 }, (_, nth) => `con_${String(nth).padStart(3, "0")}`)
    yield* Effect.provide(
      Effect.gen(function* () {
        yield* runMigrations(before)
        yield* insertOld("con_000", {}, false)
        for (const id of ids.slice(1)) yield* insertOld(id, { metadata })
      }),
      pool
    )
    yield* Effect.gen(function* () {
      yield* runMigrations(migrations)
      const sql = yield* SqlClient.SqlClient
      const key = Buffer.from(computeIntentKey(ownTenancy, shop.effectiveIntent))
      expect(
        yield* sql`select min(id) as first, count(*)::int, allows_duplicate, intent_key from connections
          group by 3, 4 order by first`
      ).toEqual([
        { first: "con_000", count: 1, allows_duplicate: false, intent_key: null },
        { first: "con_001", count: 1, allows_duplicate: false, intent_key: key },
        { first: "con_002", count: 148, allows_duplicate: true, intent_key: key }
      ])
      const { list } = yield* ConnectionViews
      const listed = yield* list(ownTenancy, { metadata }, { limit: 200, maxBytes: 1e9 })
      expect(listed.map(({ id }) => `${id}`)).toEqual(ids.slice(1))
      const { create } = yield* ConnectionStore
      const again = yield* firstTransition(ownTenancy, { effectiveIntent: shop.effectiveIntent })
      const refusal = yield* Effect.flip(create(ownTenancy, again, Option.none(), { refusesDuplicate: true }))
      expect(refusal).toMatchObject({ code: "connection_exists" })
    }).pipe(
      Effect.provide(
        Layer.mergeAll(ConnectionViews.layer, ConnectionStore.layer, sequentialIdentifiers).pipe(
          Layer.provideMerge(pool)
        )
      )
    )
  })
)
