import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { type ConnectionState, finalStates } from "../../../domain/connection/Connection.ts"
import type { QuotaAmounts, TenantQuota } from "../../../domain/access/Quota.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { decodeRows } from "../decodeRows.ts"

/** Counts how much a tenant has used of its quotas. */
export class UsageStore extends Context.Tag("persistence/UsageStore")<
  UsageStore,
  {
    /** Counts these quotas; the time that it takes grows with the connections that have not ended, and the stored keys. */
    readonly count: (
      tenancy: Tenancy,
      quotas: Array.NonEmptyReadonlyArray<TenantQuota>
    ) => Effect.Effect<QuotaAmounts, StoreUnavailable>
    /** Sums up to `limit` of the changes that statements have noted, so that `count` includes them; returns their number. */
    readonly sumUpChanges: (limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    UsageStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const ownedBy = ({ applicationId, tenantId }: Tenancy) =>
        sql`application_id = ${applicationId} and tenant_id = ${tenantId}`

      const countSql = (tenancy: Tenancy, quota: TenantQuota) => {
        switch (quota) {
          case "connections":
            return sql`(select count(*) from connections where ${ownedBy(tenancy)} and ${isNotEnded(sql)})`
          case "openDiscoveries":
            return sql`(select count(*) from connections where ${ownedBy(tenancy)} and state = 'requested' and ${isNotEnded(sql)})`
          case "storageBytes":
            return sql`(
              select coalesce(sum(octet_length(doc)), 0) from connections where ${ownedBy(tenancy)} and ${isNotEnded(sql)}
            ) + coalesce((select ended_bytes + greatest(0, history_bytes) from tenant_usage where ${ownedBy(tenancy)}), 0)`
          case "idempotencyBytes":
            return sql`(select coalesce(sum(octet_length(doc)), 0) from idempotency_keys where ${ownedBy(tenancy)})`
        }
      }

      return {
        count: Effect.fnUntraced(function* (tenancy, quotas) {
          const columns = quotas.map((quota) => sql`(${countSql(tenancy, quota)})::float8 as ${sql(quota)}`)
          const rows = yield* decodeUsage(yield* sql`select ${sql.csv(columns)}`)
          return Option.getOrElse(Array.head(rows), () => ({}))
        }, mapSqlErrors),
        sumUpChanges: Effect.fnUntraced(function* (limit) {
          const rows = yield* sql`
            with taken as (
              delete from usage_changes
              where ctid = any(array(select ctid from usage_changes limit ${limit} for update skip locked))
              returning application_id, tenant_id, bytes
            ), summed as (
              insert into tenant_usage as u (application_id, tenant_id, ended_bytes, history_bytes)
              select application_id, tenant_id, 0, sum(bytes) from taken group by 1, 2 order by 1, 2
              on conflict (application_id, tenant_id) do update set history_bytes = u.history_bytes + excluded.history_bytes
            )
            select count(*)::int as count from taken`
          return Array.head(yield* decodeChanges(rows)).pipe(
            Option.match({ onNone: () => 0, onSome: ({ count }) => count })
          )
        }, mapSqlErrors)
      }
    })
  )
}

const OptionalCount = Schema.optionalWith(Schema.Number, { exact: true })

const decodeUsage = decodeRows(
  Schema.Struct({
    connections: OptionalCount,
    openDiscoveries: OptionalCount,
    storageBytes: OptionalCount,
    idempotencyBytes: OptionalCount
  })
)

const decodeChanges = decodeRows(Schema.Struct({ count: Schema.Int }))

const quoteLiterals = (states: ReadonlyArray<ConnectionState>): string => states.map((state) => `'${state}'`).join(", ")

/** Written out, because the index on these connections serves no statement that takes the states as parameters. */
export const notEndedCondition = `state not in (${quoteLiterals(finalStates)})`

const isNotEnded = (sql: SqlClient.SqlClient) => sql.literal(notEndedCondition)
