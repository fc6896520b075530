import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Array, Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { PageRequest } from "../../../domain/values/PageRequest.ts"
import { ApiKeyId, ApplicationId, KeyScope, type Tenancy, TenantId } from "../../../domain/access/Tenancy.ts"
import { mapBatchErrors, mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { batchStatement } from "../../batchStatement.ts"
import { DatabasePool } from "../../postgres/databasePool.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { StoredConnection } from "../connections/StoredConnection.ts"
import { decodeRows } from "../decodeRows.ts"
import { selectPage } from "../selectPage.ts"
import { makeConnectionReader, shortDocSql } from "../connections/longDocuments.ts"

/** An API key without its secret; `prefix` is the part of the key that may be shown. */
export const StoredApiKey = Schema.Struct({
  id: ApiKeyId,
  prefix: Schema.String,
  name: Schema.NullOr(Schema.String),
  applicationId: ApplicationId,
  tenantId: TenantId,
  scopes: Schema.Array(KeyScope),
  createdAt: Schema.ValidDateFromSelf,
  expiresAt: Schema.NullOr(Schema.ValidDateFromSelf),
  revokedAt: Schema.NullOr(Schema.ValidDateFromSelf),
  lastUsedAt: Schema.NullOr(Schema.ValidDateFromSelf)
})
export type StoredApiKey = typeof StoredApiKey.Type

/** An API key to be stored; `hash` is the SHA-256 of the whole key. */
export interface NewApiKey {
  readonly id: ApiKeyId
  readonly hash: Uint8Array
  readonly prefix: string
  readonly name?: string
  readonly tenancy: Tenancy
  readonly scopes: ReadonlyArray<KeyScope>
  readonly expiresAt?: DateTime.Utc
}

/** A valid key, and the requested connection if that belongs to the application and tenant of the key. */
export interface ApiKeyWithConnection {
  readonly id: ApiKeyId
  readonly tenancy: Tenancy
  readonly scopes: ReadonlyArray<KeyScope>
  readonly connection: Option.Option<StoredConnection>
}

/** The key of a request was revoked or has expired meanwhile, or its application was deleted. */
export class ApiKeyInvalid extends Data.TaggedError("ApiKeyInvalid") {}

/** Stores API keys under their hash. All times are the database's. */
export class ApiKeyStore extends Context.Tag("persistence/ApiKeyStore")<
  ApiKeyStore,
  {
    readonly insert: (key: NewApiKey) => Effect.Effect<void, StoreUnavailable>
    /** Finds the key of this hash if it is neither revoked nor expired; joins a connection, to save a round trip. */
    readonly find: (
      hash: Uint8Array,
      connectionId: Option.Option<ConnectionId>
    ) => Effect.Effect<Option.Option<ApiKeyWithConnection>, StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<StoredApiKey>, StoreUnavailable>
    /** Keys of an application, or of one tenant of it, the oldest first unless the page says otherwise. */
    readonly listOf: (
      applicationId: ApplicationId,
      page: PageRequest & { readonly tenantId?: TenantId }
    ) => Effect.Effect<ReadonlyArray<StoredApiKey>, StoreUnavailable>
    readonly findOf: (
      applicationId: ApplicationId,
      id: ApiKeyId
    ) => Effect.Effect<Option.Option<StoredApiKey>, StoreUnavailable>
    /** Revokes every valid key of a tenant, or of an application, for good, and returns how many there were. */
    readonly revokeAll: (
      scope: Pick<Tenancy, "applicationId"> & Partial<Tenancy>
    ) => Effect.Effect<number, StoreUnavailable>
    /** Inserts `successor` for a valid key, which expires after `overlapSeconds`. Limited lifetimes are inherited. */
    readonly rotate: (
      id: ApiKeyId,
      successor: Pick<NewApiKey, "id" | "hash" | "prefix">,
      overlapSeconds: number
    ) => Effect.Effect<Option.Option<StoredApiKey>, StoreUnavailable>
    /** Revokes a key for good; false if no key has this id. */
    readonly revoke: (id: ApiKeyId) => Effect.Effect<boolean, StoreUnavailable>
    /** Sets the time of last use of these keys to now. */
    readonly recordUse: (ids: ReadonlyArray<ApiKeyId>) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ApiKeyStore,
    Effect.map(Effect.all([SqlClient.SqlClient, DatabasePool]), ([sql, pool]) => {
      const columns = sql.literal(
        `id, prefix, name, application_id as "applicationId", tenant_id as "tenantId", scopes, created_at as "createdAt",
         expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`
      )
      const isValid = sql.literal(validKeyCondition)
      const writeKeyAudit = (table: string) => sql.literal(writeAudit({ table, tenantId: "n.tenant_id" }))
      const withConnection = addConnection(makeConnectionReader(sql))
      const findTogether = batchStatement(pool, {
        text: `
          select requests.nth::int, k.id, k.application_id, k.tenant_id, to_json(k.scopes) as scopes,
            c.id as connection_id, c.state, ${shortDocSql("c.doc")} as doc, c.version
          from unnest((select $1::bytea[]), (select $2::text[])) with ordinality as requests (hash, connection_id, nth)
            join api_keys k using (hash) left join connections c
              on c.id = requests.connection_id and c.application_id = k.application_id and c.tenant_id = k.tenant_id
          where ${validKeyCondition}`,
        toValues: ({ connectionId, hash }: KeySearch) => [hash, Option.getOrNull(connectionId)],
        row: Schema.Union(KeyRow, KeyWithConnectionRow)
      })

      return {
        insert: Effect.fnUntraced(
          function* (key) {
            const audit = yield* encodeAuditAction("api_key.created", { keyId: key.id, scopes: key.scopes })
            const auditOfApplication = yield* encodeAuditAction("application.created")
            const end = key.expiresAt === undefined ? null : DateTime.toDateUtc(key.expiresAt)
            return yield* sql`
            with application as (
              insert into applications (id, settings) values (${key.tenancy.applicationId}, '{}') on conflict do nothing
              returning id as application_id, null::text as tenant_id, ${auditOfApplication}::jsonb as audit
            ), created as (
              insert into api_keys (id, hash, prefix, name, application_id, tenant_id, scopes, expires_at, lifetime)
              values (${key.id}, ${key.hash}, ${key.prefix}, ${key.name ?? null}, ${key.tenancy.applicationId}, ${key.tenancy.tenantId},
                ${key.scopes}, ${end}::timestamptz, ${end}::timestamptz - now())
              returning application_id, tenant_id, ${audit}::jsonb as audit
            ), changes as (
              select * from application union all select application_id, tenant_id, audit from created
            ), ${writeKeyAudit("changes")} select from created`
          },
          mapSqlErrors,
          Effect.asVoid
        ),
        find: (hash, connectionId) =>
          findTogether({ hash, connectionId }).pipe(
            Effect.flatMap((rows) => Effect.transposeMapOption(Array.head(rows), withConnection)),
            mapBatchErrors
          ),
        list: Effect.flatMap(sql`select ${columns} from api_keys order by id`, decodeKeys).pipe(mapSqlErrors),
        listOf: Effect.fnUntraced(function* (applicationId, { limit, tenantId, ...window }) {
          const { orderBy, where } = selectPage(sql, window)
          const rows = yield* sql`
            select ${columns} from api_keys where ${sql.and([
              sql`application_id = ${applicationId}`,
              where,
              ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`])
            ])} order by ${orderBy} limit ${limit}`
          return yield* decodeKeys(rows)
        }, mapSqlErrors),
        findOf: Effect.fnUntraced(function* (applicationId, id) {
          const rows =
            yield* sql`select ${columns} from api_keys where id = ${id} and application_id = ${applicationId}`
          return Array.head(yield* decodeKeys(rows))
        }, mapSqlErrors),
        revokeAll: Effect.fnUntraced(function* ({ applicationId, tenantId }) {
          const audit = yield* encodeAuditAction("api_key.revoked")
          const rows = yield* sql`
            with valid as (
              select id from api_keys
              where application_id = ${applicationId} and tenant_id = coalesce(${tenantId ?? null}, tenant_id) and ${isValid}
              order by id for update
            ), revoked as (
              update api_keys as k set revoked_at = now() from valid where k.id = valid.id
              returning k.id, application_id, tenant_id,
                jsonb_set(${audit}::jsonb, '{0,details,keyId}', to_jsonb(k.id)) as audit
            ), ${writeKeyAudit("revoked")} select id from revoked`
          return rows.length
        }, mapSqlErrors),
        rotate: Effect.fnUntraced(function* (id, successor, overlapSeconds) {
          const audit = yield* encodeAuditAction("api_key.rotated", { keyId: id, successorId: successor.id })
          const rows = yield* sql`
            with old as (
              update api_keys set expires_at = least(expires_at, now() + ${overlapSeconds} * interval '1 second')
              where id = ${id} and ${isValid}
              returning application_id, tenant_id, scopes, name, lifetime
            )
            , inserted as (
              insert into api_keys (id, hash, prefix, name, application_id, tenant_id, scopes, expires_at, lifetime)
              select ${successor.id}, ${successor.hash}::bytea, ${successor.prefix}, name, application_id, tenant_id, scopes,
                now() + lifetime, lifetime
              from old
              returning *, ${audit}::jsonb as audit
            ), ${writeKeyAudit("inserted")} select ${columns} from inserted`
          return Array.head(yield* decodeKeys(rows))
        }, mapSqlErrors),
        revoke: Effect.fnUntraced(function* (id) {
          const audit = yield* encodeAuditAction("api_key.revoked", { keyId: id })
          const rows = yield* sql`
            with revoked as (
              update api_keys set revoked_at = now() where id = ${id} and revoked_at is null
              returning application_id, tenant_id, ${audit}::jsonb as audit
            ), ${writeKeyAudit("revoked")} select id from api_keys where id = ${id}`
          return rows.length > 0
        }, mapSqlErrors),
        recordUse: (ids) =>
          sql`
            with used as (select id from api_keys where id = any(${ids}) order by id for no key update)
            update api_keys as k set last_used_at = now() from used where k.id = used.id`.pipe(
            mapSqlErrors,
            Effect.asVoid
          )
      }
    })
  )
}

interface KeySearch {
  readonly hash: Uint8Array
  readonly connectionId: Option.Option<ConnectionId>
}

/**
 * The condition that a row of `api_keys` meets while its key is valid. A creation locks the row `for key share`: the
 * revocation of all keys before an erasure waits for that, and noting their use does not.
 */
export const validKeyCondition = "revoked_at is null and (expires_at is null or expires_at > now())"

const KeyRow = Schema.Struct({
  id: ApiKeyId,
  application_id: ApplicationId,
  tenant_id: TenantId,
  scopes: Schema.Array(KeyScope),
  connection_id: Schema.Null
})

/** `doc` is null where it is long. */
const KeyWithConnectionRow = Schema.Struct({
  ...StoredConnection.fields,
  doc: Schema.NullOr(Schema.String),
  ...KeyRow.fields,
  connection_id: ConnectionId
})

/** Makes the function that adds the connection to a key, which it reads by itself if its document is long. */
const addConnection =
  (readConnection: ReturnType<typeof makeConnectionReader>) =>
  (row: typeof KeyRow.Type | typeof KeyWithConnectionRow.Type): Effect.Effect<ApiKeyWithConnection, SqlError> => {
    const key = {
      id: row.id,
      tenancy: { applicationId: row.application_id, tenantId: row.tenant_id },
      scopes: row.scopes
    }
    if (!("doc" in row)) return Effect.succeed({ ...key, connection: Option.none() })
    const { connection_id: id, doc, state, version } = row
    return doc === null
      ? Effect.map(readConnection(id), (connection) => ({ ...key, connection }))
      : Effect.succeed({ ...key, connection: Option.some({ id, state, doc, version }) })
  }

const decodeKeys = decodeRows(StoredApiKey)
