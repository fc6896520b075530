import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import { DomainConnectKey, type DomainConnectKeyId } from "../../../domain/access/DomainConnectKey.ts"
import { SealedSecret } from "../../../domain/access/SealedSecret.ts"
import type { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { decodeRows, isWritten } from "../decodeRows.ts"

/** A key with its sealed private half. */
export interface StoredDomainConnectKey {
  readonly key: DomainConnectKey
  readonly sealed: SealedSecret
}

/** Stores the keys with which links of Domain Connect are signed. */
export class DomainConnectKeyStore extends Context.Tag("persistence/DomainConnectKeyStore")<
  DomainConnectKeyStore,
  {
    /** False if the application has a key of this label already. */
    readonly insert: (stored: StoredDomainConnectKey) => Effect.Effect<boolean, StoreUnavailable>
    /** The keys of an application, the newest first. */
    readonly list: (applicationId: ApplicationId) => Effect.Effect<ReadonlyArray<DomainConnectKey>, StoreUnavailable>
    readonly find: (id: DomainConnectKeyId) => Effect.Effect<Option.Option<StoredDomainConnectKey>, StoreUnavailable>
    /** False if there is no such key. */
    readonly remove: (id: DomainConnectKeyId) => Effect.Effect<boolean, StoreUnavailable>
    readonly findUnderOtherKeys: (
      keyVersion: number
    ) => Effect.Effect<ReadonlyArray<StoredDomainConnectKey>, StoreUnavailable>
    /** Replaces the sealed half of a key; false if it was sealed again, or removed, since it was read. */
    readonly replace: (read: StoredDomainConnectKey, sealed: SealedSecret) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    DomainConnectKeyStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(`application_id as "applicationId", domain, label, public_key as "publicKey"`)
      const withSecret = sql.literal(`key_version as "keyVersion", nonce, ciphertext`)
      const isKey = ({ applicationId, domain, label }: DomainConnectKeyId) =>
        sql`(application_id, domain, label) = (${applicationId}, ${domain}, ${label})`
      const auditRows = (table: string) => sql.literal(writeAudit({ table }))

      return {
        insert: Effect.fnUntraced(function* ({ key, sealed }) {
          const audit = yield* encodeAuditAction("domain_connect_key.created", { keyId: nameOf(key) })
          const rows = yield* sql`
            with created as (
              insert into domain_connect_keys
                (application_id, domain, label, public_key, key_version, nonce, ciphertext)
              values (${key.applicationId}, ${key.domain}, ${key.label}, ${key.publicKey},
                ${sealed.keyVersion}, ${sealed.nonce}, ${sealed.ciphertext})
              on conflict do nothing returning *, ${audit}::jsonb as audit
            ), ${auditRows("created")} select true as written from created`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        list: Effect.fnUntraced(function* (applicationId) {
          return yield* decodeKeys(
            yield* sql`select ${columns} from domain_connect_keys
              where application_id = ${applicationId} order by created_at desc, domain, label`
          )
        }, mapSqlErrors),
        find: Effect.fnUntraced(function* (id) {
          const rows = yield* sql`select ${columns}, ${withSecret} from domain_connect_keys where ${isKey(id)}`
          return Array.head(yield* decodeStored(rows))
        }, mapSqlErrors),
        remove: Effect.fnUntraced(function* (id) {
          const audit = yield* encodeAuditAction("domain_connect_key.deleted", { keyId: nameOf(id) })
          const rows = yield* sql`
            with gone as (
              delete from domain_connect_keys where ${isKey(id)} returning *, ${audit}::jsonb as audit
            ), ${auditRows("gone")} select true as written from gone`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        findUnderOtherKeys: Effect.fnUntraced(function* (keyVersion) {
          return yield* decodeStored(
            yield* sql`select ${columns}, ${withSecret} from domain_connect_keys where key_version <> ${keyVersion}`
          )
        }, mapSqlErrors),
        replace: Effect.fnUntraced(function* (read, sealed) {
          const rows = yield* sql`
            with replaced as (
              update domain_connect_keys set key_version = ${sealed.keyVersion}, nonce = ${sealed.nonce},
                ciphertext = ${sealed.ciphertext}
              where ${isKey(read.key)} and nonce = ${read.sealed.nonce} returning label
            )
            select true as written from replaced`
          return yield* isWritten(rows)
        }, mapSqlErrors)
      }
    })
  )
}

const nameOf = ({ domain, label }: Pick<DomainConnectKeyId, "domain" | "label">): string => `${label}.${domain}`

const decodeKeys = decodeRows(DomainConnectKey)

const decodeRowsWithSecret = decodeRows(Schema.Struct({ ...DomainConnectKey.fields, ...SealedSecret.fields }))

const decodeStored = (rows: unknown): Effect.Effect<ReadonlyArray<StoredDomainConnectKey>> =>
  Effect.map(
    decodeRowsWithSecret(rows),
    Array.map(({ ciphertext, keyVersion, nonce, ...key }) => ({ key, sealed: { keyVersion, nonce, ciphertext } }))
  )
