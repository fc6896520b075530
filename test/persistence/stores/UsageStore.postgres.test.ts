import { SqlClient, type Statement } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { countInDomainSql } from "../../../src/persistence/stores/UsageStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { freshPool } from "../freshDatabase.ts"
import { ownTenancy } from "../connectionFixtures.ts"

concurrentTest(
  "the connections of a tenant that have not ended are counted by their index, in all and in a domain",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
      insert into connections (id, application_id, tenant_id, state, domain, doc)
      select 'con_' || n, 'app', case when n % 4 = 0 then 'tenant' else 'other' end,
        case when n % 3 = 0 then 'canceled' else 'active' end, case when n % 2 = 0 then 'shop.example4.com' else 'example' || n || '.com' end, '{}'
      from generate_series(1, 40000) n`
      yield* sql`vacuum analyze connections`
      const planOf = (statement: Statement.Fragment) =>
        Effect.map(sql`explain (analyze, timing off) select ${statement}`, (rows) => JSON.stringify(rows))
      const inDomain = countInDomainSql(sql, ownTenancy, DomainName.make("example4.com"), 100)
      const plan = yield* planOf(inDomain)
      expect(plan).toContain("using connections_living")
      expect(plan).not.toContain("Rows Removed by Filter")
      const [row] = yield* sql`select ${inDomain} as count`
      expect(Number(row?.["count"])).toBe(100)
      const count = sql.literal(
        "(select count(*) from connections where application_id = 'app' and tenant_id = 'tenant' and state not in ('expired', 'canceled', 'disconnected'))"
      )
      expect(yield* planOf(count)).toContain("Index Only Scan using connections_living")
    }).pipe(Effect.provide(freshPool))
)
