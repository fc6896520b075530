import { SqlClient, type Statement } from "@effect/sql"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { Identifiers } from "../../../domain/values/Identifiers.ts"
import type { ApplicationId, Tenancy, TenantId } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { validKeyCondition } from "../access/ApiKeyStore.ts"
import { anyOf } from "../anyOf.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows, isWritten } from "../decodeRows.ts"
import { belongingsUsage, eraseBelongings, eraseConnectionsSql, releaseJournalsSql } from "./erasureStatements.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"

/** Whose rows are erased: those of one tenant, or of all tenants of an application. */
export interface ErasureScope {
  readonly applicationId: ApplicationId
  readonly tenantId?: TenantId
}

const ErasureCount = Schema.Struct({
  liveConnections: Schema.Int,
  endedConnections: Schema.Int,
  apiKeys: Schema.Int
})
export type ErasureCount = typeof ErasureCount.Type

/**
 * Erases ended connections, with everything but their audit entries, and then what is left of their tenants. An erased
 * connection has an audit entry and a webhook event, without any of its data.
 *
 * Two facts stay while others rely on them: which tenants asked for a host, as a digest, and the journal of a connection
 * whose zone another one shares, since its restore must not bring back what the erased one wrote.
 */
export class ErasureStore extends Context.Tag("persistence/ErasureStore")<
  ErasureStore,
  {
    /** Erases a connection of the tenant that has ended; false without such a connection. */
    readonly eraseConnection: (tenancy: Tenancy, id: ConnectionId) => Effect.Effect<boolean, StoreUnavailable>
    /** Erases up to `limit` connections that ended longer ago; returns their number. */
    readonly eraseOld: (age: Duration.Duration, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Erases up to `limit` connections of a scope that have ended; returns their number. */
    readonly eraseConnections: (scope: ErasureScope, limit: number) => Effect.Effect<number, StoreUnavailable>
    readonly count: (scope: ErasureScope) => Effect.Effect<ErasureCount, StoreUnavailable>
    /** Counts the deliveries of `connection.erased` that are pending for endpoints of an application that are not paused. */
    readonly countPendingDeliveries: (applicationId: ApplicationId) => Effect.Effect<number, StoreUnavailable>
    /**
     * Erases everything of a tenant without connections: API keys, kept answers and test zones. Its id leaves the
     * filters of webhook endpoints, and the hosts that it asked for. Returns false, and erases nothing, while the
     * tenant has any connection. A tenant that had nothing leaves no audit entry.
     */
    readonly eraseTenant: (tenancy: Tenancy) => Effect.Effect<boolean, StoreUnavailable>
    /** Deletes the kept journals that nobody needs any more, of up to `limit` that are due for a check; returns how many were. */
    readonly releaseJournals: (limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ErasureStore,
    Effect.map(Effect.all([SqlClient.SqlClient, Identifiers]), ([sql, { next }]) => {
      const isEnded = sql.literal(`not (${notEndedCondition})`)

      const isIn = ({ applicationId, tenantId }: ErasureScope) =>
        sql.and([
          sql`application_id = ${applicationId}`,
          ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`])
        ])

      /** Erases the connections that a statement locks, with all rows that came while it waited for the locks. */
      const erase = Effect.fnUntraced(function* (lock: Statement.Statement<unknown>) {
        const ids = (yield* decodeIds(yield* lock)).map(({ id }) => id)
        if (ids.length === 0) return 0
        const eventIds = yield* Effect.forEach(ids, () => next("evt"))
        const audit = yield* encodeAuditAction("connection.erased")
        yield* sql`
          with requests as (
            select * from unnest((select ${ids}::text[]), (select ${eventIds}::text[])) as r (id, event_id)
          ), target as (
            select c.*, r.event_id, jsonb_set(${audit}::jsonb, '{0,details,eventId}', to_jsonb(r.event_id)) as audit
            from requests as r join connections as c using (id)
          ), ${sql.literal(eraseConnectionsSql)}
          select 1 from target`
        yield* sql`
          with due as (
            select * from kept_journals where connection_id = ${anyOf(sql, ids)}
          ), ${sql.literal(releaseJournalsSql)}
          select 1 from due`
        return ids.length
      }, sql.withTransaction)

      return {
        eraseConnection: (tenancy, id) =>
          Effect.map(
            erase(sql`select id from connections where id = ${id} and ${isIn(tenancy)} and ${isEnded} for update`),
            (erased) => erased > 0
          ).pipe(mapSqlErrors),
        eraseOld: (age, limit) =>
          erase(sql`
              select id from connections
              where ${isEnded} and updated_at < now() - ${Duration.toSeconds(age)} * interval '1 second'
              order by updated_at limit ${limit} for update skip locked`).pipe(mapSqlErrors),
        eraseConnections: (scope, limit) =>
          erase(sql`
              select id from connections where ${isIn(scope)} and ${isEnded}
              order by tenant_id, id limit ${limit} for update skip locked`).pipe(mapSqlErrors),
        count: Effect.fnUntraced(function* (scope) {
          const rows = yield* sql`
            select count(*) filter (where not ${isEnded})::int as "liveConnections",
              count(*) filter (where ${isEnded})::int as "endedConnections",
              (select count(*) from api_keys where ${isIn(scope)} and ${sql.literal(validKeyCondition)})::int as "apiKeys"
            from connections where ${isIn(scope)}`
          const [counts = nothing] = yield* decodeCounts(rows)
          return counts
        }, mapSqlErrors),
        countPendingDeliveries: Effect.fnUntraced(function* (applicationId) {
          const rows = yield* sql`
            select count(*)::int as pending from webhook_endpoints as w
              join webhook_deliveries as d on d.endpoint_id = w.id join webhook_events as e on e.id = d.event_id
            where w.application_id = ${applicationId} and w.pause_reason is null
              and d.status = 'pending' and e.type = 'connection.erased'`
          const [{ pending } = { pending: 0 }] = yield* decodePending(rows)
          return pending
        }, mapSqlErrors),
        eraseTenant: Effect.fnUntraced(function* (tenancy) {
          const audit = yield* encodeAuditAction("tenant.erased")
          const { applicationId, tenantId } = tenancy
          const rows = yield* sql`
            with target as (
              select ${applicationId} as application_id, ${tenantId} as tenant_id, ${audit}::jsonb as audit
              where not exists (select from connections where ${isIn(tenancy)})
            ), ${eraseBelongings(sql, isIn(tenancy))}, nameless as (
              insert into requested_hosts (application_id, host_digest, tenant_id)
              select application_id, host_digest, '' from requested order by host_digest on conflict do nothing
            ), endpoints as (
              update webhook_endpoints
              set tenant_ids = array_remove(tenant_ids, tenant_id), version = version + 1, updated_at = now()
              from target where webhook_endpoints.application_id = target.application_id and tenant_id = any(tenant_ids)
              returning id
            ), ${sql.literal(
              writeAudit({
                table: "target",
                tenantId: "n.tenant_id",
                where: "exists (select from traces) or exists (select from endpoints)",
                alsoStored: belongingsUsage
              })
            )}
            select true as written from target`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        releaseJournals: Effect.fnUntraced(function* (limit) {
          const rows = yield* sql`
            with due as (
              select * from kept_journals where checked_at < now() - interval '10 minutes'
              order by checked_at limit ${limit} for update skip locked
            ), ${sql.literal(releaseJournalsSql)}
            select 1 from due`
          return rows.length
        }, mapSqlErrors)
      }
    })
  ).pipe(Layer.provide(Identifiers.layer))
}

const decodeIds = decodeRows(Schema.Struct({ id: ConnectionId }))

const decodePending = decodeRows(Schema.Struct({ pending: Schema.Int }))

const decodeCounts = decodeRows(ErasureCount)

const nothing: ErasureCount = { liveConnections: 0, endedConnections: 0, apiKeys: 0 }
