import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, type Option } from "effect"
import type { SealedSecret, SecretOwner, StoredSecret } from "../../../domain/access/SealedSecret.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { decodeStoredSecrets, isWritten } from "../decodeRows.ts"

/** The SHA-256 of the `state` that the provider returns, and of the secret in the cookie of the browser. */
interface OAuthCallbackHashes {
  readonly stateHash: Uint8Array
  readonly browserHash: Uint8Array
}

/** Stores open OAuth sessions. All times are the database's; an expired session is not found. */
export class OAuthSessionStore extends Context.Tag("persistence/OAuthSessionStore")<
  OAuthSessionStore,
  {
    readonly find: (owner: SecretOwner) => Effect.Effect<Option.Option<StoredSecret>, StoreUnavailable>
    readonly findByTicket: (ticketHash: Uint8Array) => Effect.Effect<Option.Option<StoredSecret>, StoreUnavailable>
    /** Sets the callback of a session when the customer leaves for the provider; an earlier callback stops working. */
    readonly setCallback: (
      ticketHash: Uint8Array,
      callback: OAuthCallbackHashes,
      sealed: SealedSecret
    ) => Effect.Effect<boolean, StoreUnavailable>
    readonly findByState: (stateHash: Uint8Array) => Effect.Effect<Option.Option<StoredSecret>, StoreUnavailable>
    readonly findByCallback: (
      callback: OAuthCallbackHashes
    ) => Effect.Effect<Option.Option<StoredSecret>, StoreUnavailable>
    /** Deletes the session of this callback and returns it, to one caller only. */
    readonly consume: (callback: OAuthCallbackHashes) => Effect.Effect<Option.Option<StoredSecret>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    OAuthSessionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql`
        connection_id as "connectionId", application_id as "applicationId", tenant_id as "tenantId",
        key_version as "keyVersion", nonce, ciphertext`
      return {
        find: Effect.fnUntraced(function* ({ applicationId, connectionId, tenantId }) {
          const rows = yield* sql`
            select ${columns} from oauth_sessions
            where connection_id = ${connectionId} and application_id = ${applicationId} and tenant_id = ${tenantId}
              and expires_at > now()`
          return Array.head(yield* decodeStoredSecrets(rows))
        }, mapSqlErrors),
        findByTicket: Effect.fnUntraced(function* (ticketHash) {
          const rows = yield* sql`
            select ${columns} from oauth_sessions where ticket_hash = ${ticketHash} and expires_at > now()`
          return Array.head(yield* decodeStoredSecrets(rows))
        }, mapSqlErrors),
        setCallback: Effect.fnUntraced(function* (ticketHash, callback, sealed) {
          const rows = yield* sql`
            with started as (
              update oauth_sessions set state_hash = ${callback.stateHash}, browser_hash = ${callback.browserHash},
                key_version = ${sealed.keyVersion}, nonce = ${sealed.nonce}, ciphertext = ${sealed.ciphertext}
              where ticket_hash = ${ticketHash} and expires_at > now()
              returning connection_id
            )
            select count(*) = 1 as written from started`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        findByState: Effect.fnUntraced(function* (stateHash) {
          const rows = yield* sql`
            select ${columns} from oauth_sessions where state_hash = ${stateHash} and expires_at > now()`
          return Array.head(yield* decodeStoredSecrets(rows))
        }, mapSqlErrors),
        findByCallback: Effect.fnUntraced(function* ({ browserHash, stateHash }) {
          const rows = yield* sql`
            select ${columns} from oauth_sessions
            where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > now()`
          return Array.head(yield* decodeStoredSecrets(rows))
        }, mapSqlErrors),
        consume: Effect.fnUntraced(function* ({ browserHash, stateHash }) {
          const rows = yield* sql`
            delete from oauth_sessions
            where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > now()
            returning ${columns}`
          return Array.head(yield* decodeStoredSecrets(rows))
        }, mapSqlErrors)
      }
    })
  )
}
