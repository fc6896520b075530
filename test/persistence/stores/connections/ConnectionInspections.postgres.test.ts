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
