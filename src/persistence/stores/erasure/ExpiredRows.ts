import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { billedTenantOf } from "../webhooks/webhookOutbox.ts"
import { testZoneBytes, webhookEventBytes, writeUsage } from "../usage/usageChanges.ts"

/** Deletes up to `limit` rows and returns their number; it skips rows that another process is deleting. */
type Deletion = (limit: number) => Effect.Effect<number, StoreUnavailable>

/** Deletes rows that are no longer needed. */
export class ExpiredRows extends Context.Tag("persistence/ExpiredRows")<
  ExpiredRows,
  {
    /** A day after the request. */
    readonly deleteIdempotencyRecords: Deletion
    /** A day after they expired; a revoked one expires within the hour. */
    readonly deleteBrowserTokens: Deletion
    /** A day after they expired. */
    readonly deleteLeases: Deletion
    /** 30 days after the event. */
    readonly deleteWebhookDeliveries: Deletion
    /** 30 days after the event. */
    readonly deleteWebhookEvents: Deletion
    /** Deletes test zones unused for a day; one is checked hourly, so its last use may look an hour older. */
    readonly deleteTestZones: Deletion
    /** Once a tenant stores nothing, and has neither a connection nor an API key. */
    readonly deleteTenantUsage: Deletion
  }
>() {
  static readonly layer = Layer.effect(
    ExpiredRows,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      deleteIdempotencyRecords: Effect.fnUntraced(function* (limit) {
        const rows = yield* sql`
          with old as (
            select application_id, tenant_id, route, key from idempotency_keys
            where created_at < now() - interval '24 hours'
            order by created_at limit ${limit} for update skip locked
          )
          delete from idempotency_keys as k using old
          where (k.application_id, k.tenant_id, k.route, k.key) = (old.application_id, old.tenant_id, old.route, old.key)
          returning k.key`
        return rows.length
      }, mapSqlErrors),
      deleteBrowserTokens: Effect.fnUntraced(function* (limit) {
        const rows = yield* sql`
          with old as (
            select hash from browser_tokens where expires_at < now() - interval '1 day'
            order by expires_at limit ${limit} for update skip locked
          )
          delete from browser_tokens where hash in (select hash from old) returning 1 as deleted`
        return rows.length
      }, mapSqlErrors),
      deleteLeases: Effect.fnUntraced(function* (limit) {
        const rows = yield* sql`
          with old as (
            select key from leases where until < now() - interval '1 day'
            order by until limit ${limit} for update skip locked
          )
          delete from leases where key in (select key from old) returning 1 as deleted`
        return rows.length
      }, mapSqlErrors),
      deleteWebhookDeliveries: Effect.fnUntraced(function* (limit) {
        const rows = yield* sql`
          with old as (
            select endpoint_id, event_id from webhook_deliveries where created_at < now() - interval '30 days'
            order by created_at limit ${limit} for update skip locked
          )
          delete from webhook_deliveries as d using old
          where d.endpoint_id = old.endpoint_id and d.event_id = old.event_id returning 1 as deleted`
        return rows.length
      }, mapSqlErrors),
      deleteWebhookEvents: Effect.fnUntraced(function* (limit) {
        // Their deliveries are as old, and read no more.
        const rows = yield* sql`
          with old as (
            select id from webhook_events where created_at < now() - interval '30 days'
            order by created_at limit ${limit} for update skip locked
          ), deleted as (
            delete from webhook_events where id in (select id from old)
            returning application_id, ${sql.literal(billedTenantOf("webhook_events"))} as tenant_id,
              -(${sql.literal(webhookEventBytes("webhook_events"))}) as bytes
          ), ${sql.literal(writeUsage("select * from deleted"))}
          select 1 from deleted`
        return rows.length
      }, mapSqlErrors),
      deleteTestZones: Effect.fnUntraced(function* (limit) {
        // The condition on the domain is written like the expression of its index.
        const rows = yield* sql`
          with due as (
            select application_id, tenant_id, zone, used_at < now() - interval '25 hours' as is_old from test_zones
            where checked_at < now() - interval '1 hour'
            order by checked_at limit ${limit} for update skip locked
          ), checked as (
            select *, exists (
              select from connections as c
              where c.application_id || '/' || c.tenant_id || '/' || c.registered_domain
                  = due.application_id || '/' || due.tenant_id || '/' || due.zone
                and c.${sql.literal(notEndedCondition)}
            ) as is_used
            from due
          ), kept as (
            update test_zones as z set checked_at = now(), used_at = case when is_used then now() else used_at end
            from checked as k
            where (z.application_id, z.tenant_id, z.zone) = (k.application_id, k.tenant_id, k.zone)
              and (is_used or not is_old)
          ), deleted as (
            delete from test_zones as z using checked as k
            where (z.application_id, z.tenant_id, z.zone) = (k.application_id, k.tenant_id, k.zone)
              and is_old and not is_used
            returning z.application_id, z.tenant_id, -(${sql.literal(testZoneBytes("z"))}) as bytes
          ), ${sql.literal(writeUsage("select * from deleted"))}
          select 1 from deleted`
        return rows.length
      }, mapSqlErrors),
      deleteTenantUsage: Effect.fnUntraced(function* (limit) {
        // `offset 0` looks for each of the few, where a join would read every connection.
        const isUnused = sql.and(
          ["connections", "api_keys", "usage_changes"].map(
            (table) => sql`not exists (
              select from ${sql(table)} where application_id = u.application_id and tenant_id = u.tenant_id offset 0
            )`
          )
        )
        const rows = yield* sql`
          with unused as (
            select application_id, tenant_id from tenant_usage as u
            where ended_bytes <= 0 and history_bytes <= 0 and ${isUnused}
            limit ${limit} for update skip locked
          )
          delete from tenant_usage as u using unused
          where (u.application_id, u.tenant_id) = (unused.application_id, unused.tenant_id) returning 1 as deleted`
        return rows.length
      }, mapSqlErrors)
    }))
  )
}
