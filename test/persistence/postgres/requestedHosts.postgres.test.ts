import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Record } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { migrations } from "../../../src/persistence/postgres/migrate.ts"
import { runMigrations } from "../../../src/persistence/postgres/runMigrations.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { connectionFor, connectionInState } from "../connectionFixtures.ts"
import { emptyDatabase, poolOn } from "../freshDatabase.ts"

const domain = "example.com"

/** What the version before knew: connections that ended before their first plan, former hosts and two holders. */
const fillOldTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const canceled = connectionInState(
    connectionFor(domain, ["canceled 300 A 192.0.2.1", "@ 300 A 192.0.2.1"]),
    "canceled"
  )
  yield* sql`
    insert into connections (id, application_id, tenant_id, state, domain, doc)
    select 'con_' || n, 'app', 'first', 'canceled', 'n' || n || '.' || ${domain}, ${encodeConnection(canceled)}
    from generate_series(1, 1200) n`
  yield* sql`
    insert into former_hosts (application_id, reversed_name, tenant_id)
    select 'app', reverse('former' || n || '.' || ${domain}), 'first' from generate_series(1, 1200) n`
  yield* sql`
    insert into host_holders (application_id, reversed_name, tenant_id, connection_id, taken_number)
    values ('app', reverse('held.' || ${domain}), 'first', 'con_2', null),
      ('app', reverse('taken.' || ${domain}), 'first', 'con_2', 1)`
})

concurrentTest(
  "an upgrade remembers every host that connections, holders and former hosts of the version before name",
  () =>
    Effect.gen(function* () {
      const pool = poolOn(yield* emptyDatabase, 3)
      const before = Record.filter(migrations, (_, name) => name < "0035")
      yield* Effect.provide(Effect.zipRight(runMigrations(before), fillOldTables), pool)
      yield* Effect.gen(function* () {
        yield* runMigrations(migrations)
        const { isRequestedByAnother } = yield* HostHolderStore
        const sql = yield* SqlClient.SqlClient
        const isRequested = (tenant: string, host: string) =>
          isRequestedByAnother(tenancyOf("app", tenant), [DomainName.make(`${host}${domain}`)])
        for (const host of ["canceled.n1.", "n1.", "canceled.n1200.", "former1.", "former1200.", "held.", "taken."])
          expect([host, yield* isRequested("second", host)]).toEqual([host, true])
        expect(yield* isRequested("second", "nobody.")).toBe(false)
        // What a tenant asked for itself is no reason for a challenge, unless it has taken the host from another one.
        expect([yield* isRequested("first", "held."), yield* isRequested("first", "taken.")]).toEqual([false, true])
        expect(yield* sql`select 1 from former_hosts`).toEqual([])
      }).pipe(Effect.provide(Layer.provideMerge(HostHolderStore.layer, pool)))
    })
)
