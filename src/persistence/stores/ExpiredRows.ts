import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { webhookEventBytes, writeUsage } from "./usageChanges.ts"
import { mapSqlErrors, type StoreUnavailable } from "../StoreUnavailable.ts"

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
  }
>() {
  static readonly layer = Layer.effect(
    ExpiredRows,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      deleteIdempotencyRecords: Effect.fn("ExpiredRows.deleteIdempotencyRecords")(function* (limit) {
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
      deleteBrowserTokens: Effect.fn("ExpiredRows.deleteBrowserTokens")(function* (limit) {
        const rows = yield* sql`
          with old as (
            select hash from browser_tokens where expires_at < now() - interval '1 day'
            order by expires_at limit ${limit} for update skip locked
          )
          delete from browser_tokens where hash in (select hash from old) returning 1 as deleted`
        return rows.length
      }, mapSqlErrors),
      deleteLeases: Effect.fn("ExpiredRows.deleteLeases")(function* (limit) {
        const rows = yield* sql`
          with old as (
            select key from leases where until < now() - interval '1 day'
            order by until limit ${limit} for update skip locked
          )
          delete from leases where key in (select key from old) returning 1 as deleted`
        return rows.length
      }, mapSqlErrors),
      deleteWebhookDeliveries: Effect.fn("ExpiredRows.deleteWebhookDeliveries")(function* (limit) {
        const rows = yield* sql`
          with old as (
            select endpoint_id, event_id from webhook_deliveries where created_at < now() - interval '30 days'
            order by created_at limit ${limit} for update skip locked
          )
          delete from webhook_deliveries as d using old
          where d.endpoint_id = old.endpoint_id and d.event_id = old.event_id returning 1 as deleted`
        return rows.length
      }, mapSqlErrors),
      deleteWebhookEvents: Effect.fn("ExpiredRows.deleteWebhookEvents")(function* (limit) {
        // Their deliveries are as old, and read no more.
        const rows = yield* sql`
          with old as (
            select id from webhook_events where created_at < now() - interval '30 days'
            order by created_at limit ${limit} for update skip locked
          ), deleted as (
            delete from webhook_events where id in (select id from old)
            returning application_id, tenant_id, -(${sql.literal(webhookEventBytes("webhook_events"))}) as bytes
          ), ${sql.literal(writeUsage("select * from deleted"))}
          select 1 from deleted`
        return rows.length
      }, mapSqlErrors)
    }))
  )
}
