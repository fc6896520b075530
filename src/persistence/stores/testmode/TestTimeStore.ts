import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../../domain/connection/ConnectionRecord.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { isWritten } from "../decodeRows.ts"
import {
  decodeConnectionRecords,
  encodeConnection,
  encodeProgress,
  type VersionedConnectionRecord
} from "../connections/StoredConnection.ts"

/** Moves the time of single connections of test mode on. */
export class TestTimeStore extends Context.Tag("persistence/TestTimeStore")<
  TestTimeStore,
  {
    readonly find: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<Option.Option<VersionedConnectionRecord>, StoreUnavailable>
    /**
     * Makes every time of a connection so much older: phase, credential, tokens, OAuth session, journal, webhook retries, test
     * zone. `aged` is its record then. False, and nothing is written, if it changed since it was read.
     */
    readonly age: (
      read: VersionedConnectionRecord,
      aged: ConnectionRecord,
      by: { readonly seconds: number; readonly zone: string | undefined }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Whether no phase of a connection is due or runs. */
    readonly isIdle: (tenancy: Tenancy, id: ConnectionId) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    TestTimeStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      find: Effect.fnUntraced(function* ({ applicationId, tenantId }, id) {
        const rows = yield* sql`
          select doc as connection, progress, version from connections
          where id = ${id} and application_id = ${applicationId} and tenant_id = ${tenantId}`
        return Array.head(yield* decodeVersioned(rows))
      }, mapSqlErrors),
      age: Effect.fnUntraced(function* ({ connection: { id }, version }, aged, { seconds, zone }) {
        const audit = yield* encodeAuditAction("test_time.advanced", { seconds })
        const earlier = sql`${seconds} * interval '1 second'`
        // A delivery with an odd claim is under way: its `due_at` is a lease, and without it the event would be sent twice.
        const rows = yield* sql`
          with aged as (
            update connections
            set doc = ${encodeConnection(aged.connection)}, progress = ${encodeProgress(aged.progress)},
              due_at = due_at - ${earlier}, version = version + 1
            where id = ${id} and version = ${version}
            returning id, application_id, tenant_id, ${audit}::jsonb as audit
          ), ${sql.literal(writeAudit({ table: "aged", tenantId: "n.tenant_id", connectionId: "n.id" }))}, zone as (
            update test_zones set written_at = written_at - ${earlier} from aged
            where test_zones.application_id = aged.application_id and test_zones.tenant_id = aged.tenant_id
              and test_zones.zone = ${zone ?? null}
          ), credential as (
            update credentials set expires_at = expires_at - ${earlier} where connection_id in (select id from aged)
          ), tokens as (
            update browser_tokens set expires_at = expires_at - ${earlier} where connection_id in (select id from aged)
          ), session as (
            update oauth_sessions set expires_at = expires_at - ${earlier} where connection_id in (select id from aged)
          ), written as (
            update journal set planned_at = planned_at - ${earlier}, settled_at = settled_at - ${earlier}
            where connection_id in (select id from aged)
          ), deliveries as (
            update webhook_deliveries set due_at = due_at - ${earlier}
            where status = 'pending' and claim % 2 = 0
              and event_id in (select event.id from webhook_events as event join aged on aged.id = event.connection_id)
          )
          select true as written from aged`
        return yield* isWritten(rows)
      }, mapSqlErrors),
      isIdle: Effect.fnUntraced(function* ({ applicationId, tenantId }, id) {
        const rows = yield* sql`
          select from connections
          where id = ${id} and application_id = ${applicationId} and tenant_id = ${tenantId}
            and (taken_by is not null or due_at <= now())`
        return rows.length === 0
      }, mapSqlErrors)
    }))
  )
}

const decodeVersioned = decodeConnectionRecords(Schema.Struct({ version: Schema.Int }))
