import { SqlClient } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId, ConnectionState, finalStates } from "../../domain/Connection.ts"
import { Origin } from "../../domain/Origin.ts"
import { type ApiKeyId, ApplicationId, type Tenancy, TenantId } from "../../domain/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../StoreUnavailable.ts"
import { ConnectionNotFound } from "./ConnectionStore.ts"
import { StoredConnection } from "./StoredConnection.ts"
import { decodeRows } from "./decodeRows.ts"

/** A token to be stored; `hash` is the SHA-256 of the token. */
interface NewBrowserToken {
  readonly hash: Uint8Array
  readonly connectionId: ConnectionId
  readonly apiKeyId: ApiKeyId
  readonly origin: Origin
  readonly lifetimeSeconds: number
}

/** A token that is neither expired nor revoked, and its one connection, which may have ended. */
export interface BrowserTokenWithConnection {
  readonly tenancy: Tenancy
  readonly origin: Origin
  readonly connection: StoredConnection
}

/** The connection of a share code, and when the token expires that it was exchanged for. */
export interface RedeemedCode {
  readonly tenancy: Tenancy
  readonly connectionId: ConnectionId
  readonly expiresAt: DateTime.Utc
}

/** The connection has ended, so that no further token can be issued for it. */
export class ConnectionEnded extends Schema.TaggedError<ConnectionEnded>()("ConnectionEnded", {
  code: Schema.Literal("connection_ended"),
  message: Schema.String
}) {}

/** Stores browser tokens under their hash. All times are the database's. */
export class BrowserTokenStore extends Context.Tag("persistence/BrowserTokenStore")<
  BrowserTokenStore,
  {
    /** Inserts a token and returns when it expires. */
    readonly insert: (
      tenancy: Tenancy,
      token: NewBrowserToken
    ) => Effect.Effect<DateTime.Utc, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /**
     * Finds the token of this hash if it is neither expired nor revoked and its API key is valid, also after the
     * connection ended.
     */
    readonly find: (hash: Uint8Array) => Effect.Effect<Option.Option<BrowserTokenWithConnection>, StoreUnavailable>
    /** Whether `find` would find the token of this hash, without reading its connection. */
    readonly isValid: (hash: Uint8Array) => Effect.Effect<boolean, StoreUnavailable>
    /** Exchanges a share code for a token, once; none if the code is not valid. */
    readonly redeemCode: (
      code: Uint8Array,
      token: Pick<NewBrowserToken, "hash" | "origin" | "lifetimeSeconds">
    ) => Effect.Effect<Option.Option<RedeemedCode>, StoreUnavailable>
    /**
     * Revokes every token and share code of a connection, also those whose insertion is not committed yet: it raises
     * the generation that tokens are issued under, and only tokens of the current generation are valid.
     */
    readonly revokeAll: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    BrowserTokenStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const fromValidTokens = (hash: Uint8Array) => sql`
        from browser_tokens t join connections c on c.id = t.connection_id join api_keys k on k.id = t.api_key_id
        where t.hash = ${hash} and t.revoked_at is null and t.expires_at > now()
          and t.token_generation = c.token_generation
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`

      return {
        insert: Effect.fnUntraced(function* (tenancy, token) {
          const rows = yield* sql`
          with target as (
            select id, state, token_generation from connections where id = ${token.connectionId}
              and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}
          ), issued as (
            insert into browser_tokens (hash, connection_id, token_generation, api_key_id, origin, expires_at)
            select ${token.hash}::bytea, id, token_generation, ${token.apiKeyId}, ${token.origin},
              now() + ${token.lifetimeSeconds} * interval '1 second'
            from target where state <> all(${finalStates})
            returning expires_at
          )
          select target.state, issued.expires_at from target left join issued on true`
          const row = yield* Effect.mapError(Array.head(yield* decodeIssued(rows)), () => ConnectionNotFound.error)
          return row.expires_at === null
            ? yield* makeConnectionEnded(row.state)
            : DateTime.unsafeFromDate(row.expires_at)
        }, mapSqlErrors),
        find: Effect.fnUntraced(function* (hash) {
          const rows = yield* sql`
          select c.application_id, c.tenant_id, t.origin, c.id, c.state, c.doc, c.version
          ${fromValidTokens(hash)}`
          return Option.map(Array.head(yield* decodeTokensWithConnection(rows)), toTokenWithConnection)
        }, mapSqlErrors),
        isValid: Effect.fnUntraced(function* (hash) {
          const rows = yield* sql`select 1 ${fromValidTokens(hash)}`
          return rows.length > 0
        }, mapSqlErrors),
        redeemCode: Effect.fnUntraced(function* (code, token) {
          const rows = yield* sql`
          with redeemed as (
            update browser_tokens t set revoked_at = now() from connections c, api_keys k
            where t.hash = ${code} and t.origin = ${exchangeCodeOrigin} and t.revoked_at is null and t.expires_at > now()
              and c.id = t.connection_id and c.state <> all(${finalStates}) and c.token_generation = t.token_generation
              and k.id = t.api_key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
            returning t.connection_id, t.token_generation, t.api_key_id, c.application_id, c.tenant_id
          ), issued as (
            insert into browser_tokens (hash, connection_id, token_generation, api_key_id, origin, expires_at)
            select ${token.hash}::bytea, connection_id, token_generation, api_key_id, ${token.origin},
              now() + ${token.lifetimeSeconds} * interval '1 second'
            from redeemed returning connection_id, expires_at
          )
          select application_id, tenant_id, connection_id, expires_at from redeemed join issued using (connection_id)`
          return Option.map(Array.head(yield* decodeRedeemed(rows)), (row) => ({
            tenancy: { applicationId: row.application_id, tenantId: row.tenant_id },
            connectionId: row.connection_id,
            expiresAt: DateTime.unsafeFromDate(row.expires_at)
          }))
        }, mapSqlErrors),
        revokeAll: Effect.fn("BrowserTokenStore.revokeAll")(
          (tenancy, connectionId) => sql`
          with raised as (
            update connections set token_generation = token_generation + 1
            where id = ${connectionId} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}
            returning id
          )
          update browser_tokens t set revoked_at = now() from raised
          where t.connection_id = raised.id and t.revoked_at is null`,
          mapSqlErrors,
          Effect.asVoid
        )
      }
    })
  )
}

/** The origin in the row of a share code; no browser ever sends it, so that the code is no token. */
export const exchangeCodeOrigin = Origin.make("")

/** The error for a connection in this final state. */
export const makeConnectionEnded = (state: ConnectionState): ConnectionEnded =>
  new ConnectionEnded({
    code: "connection_ended",
    message: `the connection is ${state}; no token can be issued for it`
  })

const TokenWithConnectionRow = Schema.Struct({
  ...StoredConnection.fields,
  application_id: ApplicationId,
  tenant_id: TenantId,
  origin: Origin
})

const toTokenWithConnection = ({
  application_id,
  origin,
  tenant_id,
  ...connection
}: typeof TokenWithConnectionRow.Type): BrowserTokenWithConnection => ({
  tenancy: { applicationId: application_id, tenantId: tenant_id },
  origin,
  connection
})

const decodeTokensWithConnection = decodeRows(TokenWithConnectionRow)

const decodeIssued = decodeRows(
  Schema.Struct({ state: ConnectionState, expires_at: Schema.NullOr(Schema.ValidDateFromSelf) })
)

const decodeRedeemed = decodeRows(
  Schema.Struct({
    application_id: ApplicationId,
    tenant_id: TenantId,
    connection_id: ConnectionId,
    expires_at: Schema.ValidDateFromSelf
  })
)
