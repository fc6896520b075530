import type { SqlClient } from "@effect/sql"
import { Effect, Either, Schema } from "effect"
import { computeIntentKey } from "../../domain/connection/ConnectionKeys.ts"
import { Intent, resolveIntent } from "../../domain/connection/Intent.ts"
import { Metadata } from "../../domain/connection/PlatformFields.ts"
import { ApplicationId, type Tenancy, TenantId } from "../../domain/access/Tenancy.ts"
import { isInNextBatch, type Migration, MigrationStep } from "../postgres/MigrationStep.ts"
import { decodeRows } from "../stores/decodeRows.ts"
import { toPlatformKeys } from "../stores/access/platformKeys.ts"

/**
 * Adds names of API keys and keys of metadata, and computes the keys of intents anew, now without TTL, spelling and
 * repetition: of connections that become equal, all but the first count as allowed duplicates. What the version before
 * writes meanwhile keeps an old key until its intent changes, and has no metadata keys until its next transition.
 */
const migration: Migration = [
  MigrationStep.Change({ statements: (sql) => sql`alter table api_keys add column name text` }),
  MigrationStep.Change({ statements: (sql) => sql`alter table connections add column metadata_keys bytea[]` }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) =>
      Effect.gen(function* () {
        const rows = yield* decodeConnections(
          yield* sql`
            select id, application_id as "applicationId", tenant_id as "tenantId", json -> 'intent' as intent,
              json #> '{pendingIntent,intent}' as "pendingIntent", json -> 'metadata' as metadata
            from (
              select id, application_id, tenant_id, doc::jsonb as json from connections
              where ${isInNextBatch(sql, after, 100)} order by id for no key update
            ) as batch order by id`
        )
        yield* writeKeys(sql, rows)
        return [{ last: rows.at(-1)?.id ?? null }]
      })
  }),
  MigrationStep.CreateIndex({
    name: "connections_metadata",
    table: "connections",
    on: "using gin (metadata_keys) where metadata_keys is not null"
  })
]

export default migration

const KeyedConnection = Schema.Struct({
  id: Schema.String,
  applicationId: ApplicationId,
  tenantId: TenantId,
  intent: Intent,
  pendingIntent: Schema.NullOr(Intent),
  metadata: Schema.NullOr(Metadata)
})

const decodeConnections = decodeRows(KeyedConnection)

/** The states are those of `connections_intent_key`, without which each row would read the whole table. */
const writeKeys = (sql: SqlClient.SqlClient, rows: ReadonlyArray<typeof KeyedConnection.Type>) => {
  const keys = rows.map(({ id, intent, metadata, pendingIntent, ...tenancy }) => ({
    id,
    intent_key: keyOf(tenancy, pendingIntent ?? intent),
    counting_intent_key: pendingIntent === null ? null : keyOf(tenancy, intent),
    metadata_keys: toPlatformKeys(tenancy, metadata === null ? {} : { metadata }).metadata_keys
  }))
  return sql`
    with keys as (
      select c.id, k.metadata_keys::bytea[] as metadata_keys,
        case when c.intent_key is not null then coalesce(decode(k.intent_key, 'hex'), c.intent_key) end as intent_key,
        case when c.counting_intent_key is not null
          then coalesce(decode(k.counting_intent_key, 'hex'), c.counting_intent_key) end as counting_intent_key,
        c.intent_key is not null and k.intent_key is not null and row_number() over (
          partition by k.intent_key, c.intent_key is null order by c.allows_duplicate, c.id
        ) > 1 as follows_another
      from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        as k(id text, intent_key text, counting_intent_key text, metadata_keys text) join connections as c using (id)
    )
    update connections as c
    set intent_key = keys.intent_key, counting_intent_key = keys.counting_intent_key, metadata_keys = keys.metadata_keys,
      allows_duplicate = c.allows_duplicate or follows_another or exists (
        select from connections as o
        where o.intent_key = keys.intent_key and o.state not in ('expired', 'canceled', 'disconnected') and o.id <> c.id
      )
    from keys where c.id = keys.id`
}

/** The key as hex; null if today's rules refuse the intent, which then keeps its key. */
const keyOf = (tenancy: Tenancy, intent: Intent): string | null =>
  Either.match(resolveIntent(intent), {
    onLeft: () => null,
    onRight: ({ effectiveIntent }) => Buffer.from(computeIntentKey(tenancy, effectiveIntent)).toString("hex")
  })
