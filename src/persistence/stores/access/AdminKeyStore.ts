import { SqlClient } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { AdminKeyId, AdminScope } from "../../../domain/access/AdminKey.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows } from "../decodeRows.ts"
import { validKeyCondition } from "./ApiKeyStore.ts"

/** An admin key without its secret; `prefix` is the part of the key that may be shown. */
export const StoredAdminKey = Schema.Struct({
  id: AdminKeyId,
  prefix: Schema.String,
  name: Schema.NullOr(Schema.String),
  scopes: Schema.Array(AdminScope),
  createdAt: Schema.ValidDateFromSelf,
  expiresAt: Schema.NullOr(Schema.ValidDateFromSelf),
  revokedAt: Schema.NullOr(Schema.ValidDateFromSelf),
  lastUsedAt: Schema.NullOr(Schema.ValidDateFromSelf)
})
export type StoredAdminKey = typeof StoredAdminKey.Type

/** An admin key to be stored; `hash` is the SHA-256 of the whole key. */
interface NewAdminKey {
  readonly id: AdminKeyId
  readonly hash: Uint8Array
  readonly prefix: string
  readonly name: Option.Option<string>
  readonly scopes: ReadonlyArray<AdminScope>
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** A valid admin key, and what it may do. */
export interface ValidAdminKey {
  readonly id: AdminKeyId
  readonly scopes: ReadonlyArray<AdminScope>
}

/** Stores the keys of administrators under their hash. All times are the database's. */
export class AdminKeyStore extends Context.Tag("persistence/AdminKeyStore")<
  AdminKeyStore,
  {
    readonly insert: (key: NewAdminKey) => Effect.Effect<void, StoreUnavailable>
    /** Finds the key of this hash unless it is revoked or expired, and records its use, to the minute. */
    readonly find: (hash: Uint8Array) => Effect.Effect<Option.Option<ValidAdminKey>, StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<StoredAdminKey>, StoreUnavailable>
    /** Revokes a key for good; false if no key has this id. */
    readonly revoke: (id: AdminKeyId) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AdminKeyStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      insert: Effect.fnUntraced(
        function* ({ expiresAt, hash, id, name, prefix, scopes }) {
          const audit = yield* encodeAuditAction("admin_key.created", { keyId: id, scopes })
          return yield* sql`
            with created as (
              insert into admin_keys (id, hash, prefix, name, scopes, expires_at)
              values (${id}, ${hash}, ${prefix}, ${Option.getOrNull(name)}, ${scopes},
                ${Option.getOrNull(Option.map(expiresAt, DateTime.toDateUtc))})
              returning null as application_id, ${audit}::jsonb as audit
            ), ${sql.literal(writeAudit({ table: "created" }))} select from created`
        },
        mapSqlErrors,
        Effect.asVoid
      ),
      find: Effect.fnUntraced(function* (hash) {
        const rows = yield* sql`
          with found as (
            select id, scopes from admin_keys where hash = ${hash} and ${sql.literal(validKeyCondition)}
          ), used as (
            update admin_keys as k set last_used_at = now() from found
            where k.id = found.id and (last_used_at is null or last_used_at < now() - interval '1 minute')
          )
          select id, scopes from found`
        return Array.head(yield* decodeValid(rows))
      }, mapSqlErrors),
      list: sql`
        select id, prefix, name, scopes, created_at as "createdAt", expires_at as "expiresAt",
          revoked_at as "revokedAt", last_used_at as "lastUsedAt"
        from admin_keys order by id`.pipe(Effect.flatMap(decodeKeys), mapSqlErrors),
      revoke: Effect.fnUntraced(function* (id) {
        const audit = yield* encodeAuditAction("admin_key.revoked", { keyId: id })
        const rows = yield* sql`
          with revoked as (
            update admin_keys set revoked_at = now() where id = ${id} and revoked_at is null
            returning null as application_id, ${audit}::jsonb as audit
          ), ${sql.literal(writeAudit({ table: "revoked" }))}
          select id from admin_keys where id = ${id}`
        return rows.length > 0
      }, mapSqlErrors)
    }))
  )
}

const decodeValid = decodeRows(Schema.Struct({ id: AdminKeyId, scopes: Schema.Array(AdminScope) }))

const decodeKeys = decodeRows(StoredAdminKey)
