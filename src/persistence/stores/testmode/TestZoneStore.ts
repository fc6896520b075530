import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { TestRecordSet, type TestZone } from "../../../domain/testmode/TestZone.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows, isWritten } from "../decodeRows.ts"
import { testZoneBytes } from "../usage/usageChanges.ts"

/** The content of a zone of test mode after a write. */
interface TestZoneWrite extends Pick<TestZone, "sets" | "former" | "calls"> {
  /** The version that the write was made from; 0 where the zone had no row. */
  readonly version: number
  /** The call of test mode that writes, which gets an audit entry; calls of a provider have those of their phase. */
  readonly call?: TestZoneAudit
}

export interface TestZoneAudit {
  readonly action: "test_zone.records_entered" | "test_zone.records_changed"
  readonly connectionId: ConnectionId
}

/** Stores the zones of test mode, each for one tenant: no tenant sees the writes of another. */
export class TestZoneStore extends Context.Tag("persistence/TestZoneStore")<
  TestZoneStore,
  {
    /** The zone as it was written last; none if nobody has written to it. */
    readonly find: (tenancy: Tenancy, zone: string) => Effect.Effect<Option.Option<TestZone>, StoreUnavailable>
    /** Writes a zone, in use from now on, and adds its growth to the usage; false if it has another version. */
    readonly save: (tenancy: Tenancy, zone: string, write: TestZoneWrite) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    TestZoneStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      find: Effect.fnUntraced(function* ({ applicationId, tenantId }, zone) {
        const rows = yield* sql`
          select sets, former, calls, version,
            extract(epoch from now() - written_at)::float8 as "secondsSinceWrite"
          from test_zones
          where application_id = ${applicationId} and tenant_id = ${tenantId} and zone = ${zone}`
        return Array.head(yield* decodeZones(rows))
      }, mapSqlErrors),
      save: Effect.fnUntraced(function* ({ applicationId, tenantId }, zone, { call, calls, former, sets, version }) {
        const audit = call === undefined ? "[]" : yield* encodeAuditAction(call.action)
        // The lock makes sure that the row is written as it was measured, and not deleted in between.
        const rows = yield* sql`
          with before as (
            select ${sql.literal(testZoneBytes("test_zones"))} as bytes from test_zones
            where application_id = ${applicationId} and tenant_id = ${tenantId} and zone = ${zone}
              and version = ${version}
            for update
          ), saved as (
            insert into test_zones (application_id, tenant_id, zone, sets, former, calls)
            select ${applicationId}, ${tenantId}, ${zone}, ${encodeSets(sets)}, ${encodeSets(former)}, ${calls}
            where ${version} = 0 or exists (select from before)
            on conflict (application_id, tenant_id, zone) do update
              set sets = excluded.sets, former = excluded.former, calls = excluded.calls,
                version = test_zones.version + 1, written_at = now(), used_at = now()
              where test_zones.version = ${version}
            returning application_id, tenant_id, ${sql.literal(testZoneBytes("test_zones"))} as bytes,
              ${audit}::jsonb as audit, ${call?.connectionId ?? null}::text as connection_id
          ), ${sql.literal(
            writeAudit({
              table: "saved",
              tenantId: "n.tenant_id",
              connectionId: "n.connection_id",
              alsoStored: [
                "select application_id, tenant_id, bytes - coalesce((select bytes from before), 0) as bytes from saved"
              ]
            })
          )}
          select true as written from saved`
        return yield* isWritten(rows)
      }, mapSqlErrors)
    }))
  )
}

const SetsJson = Schema.parseJson(Schema.Array(TestRecordSet))

const encodeSets = Schema.encodeSync(SetsJson)

const decodeZones = decodeRows(
  Schema.Struct({
    sets: SetsJson,
    former: SetsJson,
    calls: Schema.Int,
    version: Schema.Int,
    secondsSinceWrite: Schema.Number
  })
)
