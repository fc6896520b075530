import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { ConnectionInspections } from "../../../../src/persistence/stores/connections/ConnectionInspections.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { freshPool } from "../../freshDatabase.ts"

concurrentTest("the overview counts the failures of the last day by provider, and none that is older", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, provider_id, failure, doc, updated_at)
      select 'con_' || n, 'app', 'tenant', 'failed', case when n < 4 then 'acme-dns' end, 'provider_unavailable', '{}',
        now() - case when n % 2 = 0 then interval '25 hours' else interval '23 hours' end
      from generate_series(1, 6) as n`
    const { failures } = yield* (yield* ConnectionInspections).readOverview
    expect(failures).toEqual([
      { providerId: "acme-dns", failure: "provider_unavailable", count: 2 },
      { failure: "provider_unavailable", count: 1 }
    ])
  }).pipe(Effect.provide(Layer.provideMerge(ConnectionInspections.layer, freshPool)))
)

concurrentTest("what is stuck waits for a process, or is tried again and again without a new state", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into connections (id, application_id, tenant_id, domain, state, phase, doc, updated_at, due_at)
      select 'con_' || name, 'app', 'tenant', 'shop.example', state, phase, '{}', now() - changed * interval '1 second',
        now() + due * interval '1 second'
      from (values
        ('waits', 'active', 'verify', 7200, -3600),
        ('loops', 'applying', 'provision', 600, 5),
        ('begins', 'applying', 'provision', 10, 5),
        ('pauses', 'applying', 'provision', 600, 3000),
        ('rests', 'active', 'verify', 7200, 100)
      ) as rows (name, state, phase, changed, due)`
    const { list } = yield* ConnectionInspections
    const found = yield* list({ overdueSeconds: 60 }, { limit: 10 })
    expect(found.map(({ id, overdueSeconds }) => `${id} ${overdueSeconds > 60}`)).toEqual([
      "con_waits true",
      "con_loops false"
    ])
    const applying = yield* list({ overdueSeconds: 60, states: ["applying"] }, { limit: 10 })
    expect(applying.map(({ id }) => String(id))).toEqual(["con_loops"])
  }).pipe(Effect.provide(Layer.provideMerge(ConnectionInspections.layer, freshPool)))
)
