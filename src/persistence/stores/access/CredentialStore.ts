import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Option } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import { SealedSecret, type StoredSecret } from "../../../domain/access/SealedSecret.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows, decodeStoredSecrets } from "../decodeRows.ts"

/** At most one sealed credential for a connection, not found once expired. All times are the database's. */
export class CredentialStore extends Context.Tag("persistence/CredentialStore")<
  CredentialStore,
  {
    readonly find: (
      tenancy: Tenancy,
      connectionId: ConnectionId
    ) => Effect.Effect<Option.Option<SealedSecret>, StoreUnavailable>
    /** Up to `limit` credentials of all owners under other keys than `keyVersion`, by connection, after `after`. */
    readonly findUnderOtherKeys: (
      keyVersion: number,
      limit: number,
      after: Option.Option<ConnectionId>
    ) => Effect.Effect<ReadonlyArray<StoredSecret>, StoreUnavailable>
    /** Replaces a credential that was read; false if it has changed or gone since. */
    readonly replace: (read: StoredSecret, sealed: SealedSecret) => Effect.Effect<boolean, StoreUnavailable>
    readonly deleteExpired: Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    CredentialStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      find: Effect.fnUntraced(function* (tenancy, connectionId) {
        const rows = yield* sql`
          select key_version as "keyVersion", nonce, ciphertext from credentials
          where connection_id = ${connectionId} and application_id = ${tenancy.applicationId}
            and tenant_id = ${tenancy.tenantId} and expires_at > now()`
        return Array.head(yield* decodeSealed(rows))
      }, mapSqlErrors),
      findUnderOtherKeys: Effect.fnUntraced(function* (keyVersion, limit, after) {
        const rows = yield* sql`
          select connection_id as "connectionId", application_id as "applicationId", tenant_id as "tenantId",
            key_version as "keyVersion", nonce, ciphertext
          from credentials
          where key_version <> ${keyVersion} and expires_at > now()
            and connection_id > ${Option.getOrElse(after, () => "")}
          order by connection_id limit ${limit}`
        return yield* decodeStoredSecrets(rows)
      }, mapSqlErrors),
      replace: Effect.fnUntraced(function* ({ owner, sealed: read }, sealed) {
        const rows = yield* sql`
          update credentials set key_version = ${sealed.keyVersion}, nonce = ${sealed.nonce},
            ciphertext = ${sealed.ciphertext}
          where connection_id = ${owner.connectionId} and application_id = ${owner.applicationId}
            and tenant_id = ${owner.tenantId} and key_version = ${read.keyVersion} and nonce = ${read.nonce}
          returning connection_id`
        return rows.length > 0
      }, mapSqlErrors),
      deleteExpired: encodeAuditAction("credential.deleted")
        .pipe(
          Effect.flatMap(
            (audit) => sql`
            with expired as (
              delete from credentials where expires_at <= now()
              returning connection_id, application_id, tenant_id, ${audit}::jsonb as audit
            ), ${sql.literal(writeAudit({ table: "expired", tenantId: "n.tenant_id", connectionId: "n.connection_id" }))}
            select connection_id from expired`
          ),
          Effect.map((rows) => rows.length)
        )
        .pipe(mapSqlErrors, Effect.withSpan("CredentialStore.deleteExpired"))
    }))
  )
}

const decodeSealed = decodeRows(SealedSecret)
