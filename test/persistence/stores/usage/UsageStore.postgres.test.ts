import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { countInDomain } from "../../../../src/persistence/stores/connections/insertConnections.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { freshPool } from "../../freshDatabase.ts"

concurrentTest("the living connections of a tenant are counted by their index, and those in a domain by theirs", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const planOf = (statement: string) =>
      Effect.map(sql.unsafe(`explain (analyze, timing off) ${statement}`), (rows) => JSON.stringify(rows))
    const inDomain = `
      select ${countInDomain} as count
      from unnest('{app}'::text[], '{tenant}'::text[], '{example4.com}'::text[], '{100}'::int[])
        as requests (application_id, tenant_id, registered_domain, domain_limit)`
    yield* sql`alter table connections set (autovacuum_enabled = off)`
    yield* sql`
      insert into connections (id, application_id, tenant_id, state, domain, registered_domain, doc)
      select 'con_' || n, 'app', case when n % 4 = 0 then 'tenant' else 'other' end,
        case when n % 3 = 0 then 'canceled' else 'active' end, 'shop.example',
        case when n % 2 = 0 then 'example4.com' else 'example' || n || '.com' end, '{}'
      from generate_series(1, 40000) n`
    for (const learn of [sql`select 1`, sql`vacuum analyze connections`]) {
      yield* learn
      const plan = yield* planOf(inDomain)
      expect(plan).toContain("connections_in_domain")
      expect(plan).not.toContain("Rows Removed by Filter")
    }
    const [row] = yield* sql.unsafe<{ readonly count: string }>(inDomain)
    expect(Number(row?.count)).toBe(100)
    const count = `
      select count(*) from connections where application_id = 'app' and tenant_id = 'tenant'
        and state not in ('expired', 'canceled', 'disconnected')`
    expect(yield* planOf(count)).toContain("Index Only Scan using connections_living")
  }).pipe(Effect.provide(freshPool))
)
