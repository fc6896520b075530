import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { ApplicationId, TenantId } from "../../../../src/domain/access/Tenancy.ts"
import { type AuditFilter, AuditStore } from "../../../../src/persistence/stores/audit/AuditStore.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { freshPool } from "../../freshDatabase.ts"

const applicationId = ApplicationId.make("app")

/** The pages of a filter, each with the number of its entries. */
const countByPage = (filter: AuditFilter) =>
  Effect.gen(function* () {
    const { list } = yield* AuditStore
    const counts: Array<number> = []
    let cursor = Option.none<string>()
    do {
      const page: { entries: ReadonlyArray<unknown>; readUpTo: Option.Option<string> } = yield* list(
        Option.some(applicationId),
        filter,
        { limit: 100, ...Option.match(cursor, { onNone: () => ({}), onSome: (after) => ({ after }) }) }
      )
      counts.push(page.entries.length)
      cursor = page.readUpTo
    } while (Option.isSome(cursor))
    return counts
  })

concurrentTest("a request reads 10,000 entries at most, whatever it filters, and the next one continues", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      insert into audit_entries (application_id, tenant_id, connection_id, actor_type, actor_id, action, details)
      select case when n % 2 = 0 then 'app' else 'other' end, 'tenant', 'con_' || n, 'api_key',
        case when n < 10 then 'key_rare' else 'key_1' end,
        case when n < 10 then 'credential.deleted' else 'connection.created' end, '{}'
      from generate_series(1, 50000) n`
    yield* sql`analyze audit_entries`
    const rare = { action: "credential.deleted" } as const
    expect(yield* countByPage(rare)).toEqual([0, 0, 4])
    expect(yield* countByPage({ ...rare, tenantId: TenantId.make("tenant") })).toEqual([0, 0, 4])
    expect(yield* countByPage({ actor: "key_rare" })).toEqual([4])
    expect(yield* countByPage({ actor: "verify" })).toEqual([0, 0, 0])
  }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(AuditStore.layer, freshPool))))
)
