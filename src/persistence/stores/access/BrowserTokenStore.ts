import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { BrowserRole } from "../../../domain/access/BrowserRole.ts"
import { actOnBehalfAs, browserTokenIdOf } from "../../../domain/access/Actor.ts"
import { ConnectionId, ConnectionState, finalStates } from "../../../domain/connection/Connection.ts"
import { Origin } from "../../../domain/names/Origin.ts"
import { ApiKeyId, ApplicationId, type Tenancy, TenantId } from "../../../domain/access/Tenancy.ts"
import { mapBatchErrors, mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { batchStatement } from "../../batchStatement.ts"
import { DatabasePool } from "../../postgres/databasePool.ts"
import { encodeAuditAction, writeAudit } from "../audit/auditTrail.ts"
import { ConnectionNotFound } from "../connections/ConnectionStore.ts"
import { StoredConnection } from "../connections/StoredConnection.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { decodeRows } from "../decodeRows.ts"
import { makeConnectionReader, shortDocSql } from "../connections/longDocuments.ts"

/** A token to be stored; `hash` is the SHA-256 of the token. */
interface NewBrowserToken {
  readonly hash: Uint8Array
  readonly connectionId: ConnectionId
  readonly apiKeyId: ApiKeyId
  readonly origin: Origin
  readonly role: BrowserRole
  readonly lifetimeSeconds: number
}

/** A token that is neither expired nor revoked, and its one connection, which may have ended. */
export interface BrowserTokenWithConnection {
  readonly tenancy: Tenancy
  readonly origin: Origin
  readonly role: BrowserRole
  /** The key that requested it. */
  readonly apiKeyId: ApiKeyId
  readonly connection: StoredConnection
}

/** The connection of a share code, and when the token expires that it was exchanged for. */
export interface RedeemedCode {
  readonly tenancy: Tenancy
  readonly connectionId: ConnectionId
  readonly role: BrowserRole
  readonly expiresAt: DateTime.Utc
}

/** The connection has ended, so that no command is possible and no further token can be issued for it. */
export class ConnectionEnded extends Schema.TaggedError<ConnectionEnded>()("ConnectionEnded", {
  code: Schema.Literal("connection_ended"),
  message: Schema.String
}) {}

/** Stores browser tokens under their hash. All times are the database's. */
export class BrowserTokenStore extends Context.Tag("persistence/BrowserTokenStore")<
  BrowserTokenStore,
  {
    readonly insert: (
      tenancy: Tenancy,
      token: NewBrowserToken
    ) => Effect.Effect<DateTime.Utc, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /** Finds a token that is neither expired nor revoked and whose key is valid, also after the connection ended. */
    readonly find: (hash: Uint8Array) => Effect.Effect<Option.Option<BrowserTokenWithConnection>, StoreUnavailable>
    /** Whether `find` would find the token of this hash, without reading its connection. */
    readonly isValid: (hash: Uint8Array) => Effect.Effect<boolean, StoreUnavailable>
    /** Exchanges a share code for a token that ends with the code; none if the code is not valid or nothing waits. */
    readonly redeemCode: (
      code: Uint8Array,
      token: Pick<NewBrowserToken, "hash" | "origin" | "lifetimeSeconds">
    ) => Effect.Effect<Option.Option<RedeemedCode>, StoreUnavailable>
    /** Revokes every token and share code, also uncommitted ones: it raises the generation that a valid token needs. */
    readonly revokeAll: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
    /** Revokes every share code of a connection, and with it the tokens that it was exchanged for. */
    readonly revokeCodes: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    BrowserTokenStore,
    Effect.map(Effect.all([SqlClient.SqlClient, DatabasePool]), ([sql, pool]) => {
      const insertTogether = batchStatement(pool, {
        text: `
          with requests as (
            select * from unnest(
              (select $1::bytea[]), (select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::text[]),
              (select $6::text[]), (select $7::text[]), (select $8::float8[]), (select $9::jsonb[])
            ) with ordinality as requests
              (hash, connection_id, application_id, tenant_id, api_key_id, origin, role, seconds, audit, nth)
          ), target as (
            select requests.*, c.state, c.token_generation from requests join connections c
              on c.id = connection_id and c.application_id = requests.application_id and c.tenant_id = requests.tenant_id
          ), issued as (
            insert into browser_tokens (hash, connection_id, token_generation, api_key_id, origin, role, expires_at)
            select hash, connection_id, token_generation, api_key_id, origin, role, now() + seconds * interval '1 second'
            from target where ${notEndedCondition}
            returning hash, expires_at
          ), granted as (
            select application_id, tenant_id, connection_id, audit from target join issued using (hash)
          ), ${writeAudit({ table: "granted", tenantId: "n.tenant_id", connectionId: "n.connection_id" })}
          select nth::int, target.state, issued.expires_at from target left join issued using (hash)`,
        row: InsertedTokenRow,
        toValues: ({
          apiKeyId,
          applicationId,
          audit,
          connectionId,
          hash,
          lifetimeSeconds,
          origin,
          role,
          tenantId
        }: NewBrowserToken & Tenancy & { readonly audit: string }) => [
          hash,
          connectionId,
          applicationId,
          tenantId,
          apiKeyId,
          origin,
          role,
          lifetimeSeconds,
          audit
        ]
      })
      const withConnection = addConnection(makeConnectionReader(sql))
      const findTogether = batchStatement(pool, {
        text: `
          select nth::int, c.application_id, c.tenant_id, t.origin, t.role, t.api_key_id, c.id, c.state,
            ${shortDocSql("c.doc")} as doc, c.version
          from unnest((select $1::bytea[])) with ordinality as requests (hash, nth) join browser_tokens t using (hash)
            ${joinValid}`,
        row: TokenWithConnectionRow,
        toValues: (hash: Uint8Array) => [hash]
      })

      return {
        insert: Effect.fnUntraced(function* (tenancy, token) {
          const audit = yield* auditGrant(token)
          const [row] = yield* insertTogether({ ...tenancy, ...token, audit })
          if (row === undefined) return yield* ConnectionNotFound.error
          return row.expires_at === null
            ? yield* makeConnectionEnded(row.state)
            : DateTime.unsafeFromDate(row.expires_at)
        }, mapBatchErrors),
        find: (hash) =>
          findTogether(hash).pipe(
            Effect.flatMap((rows) => Effect.transposeMapOption(Array.head(rows), withConnection)),
            Effect.map(Option.flatten),
            mapBatchErrors
          ),
        isValid: Effect.fnUntraced(function* (hash) {
          const rows = yield* sql`
            select 1 from browser_tokens t ${sql.literal(joinValid)} and t.hash = ${hash}`
          return rows.length > 0
        }, mapSqlErrors),
        redeemCode: Effect.fnUntraced(function* (code, token) {
          const details = { tokenId: browserTokenIdOf(token.hash), origin: token.origin }
          const audit = yield* encodeAuditAction("browser_token.redeemed", details).pipe(
            actOnBehalfAs({ type: "share_link", id: browserTokenIdOf(code) })
          )
          const rows = yield* sql`
          with redeemed as (
            select t.hash, t.connection_id, t.token_generation, t.api_key_id, t.role, c.application_id, c.tenant_id
            from browser_tokens t ${sql.literal(joinValid)}
              and t.hash = ${code} and t.origin = ${exchangeCodeOrigin} and c.state <> all(${statesWithoutLinks})
          ), issued as (
            insert into browser_tokens
              (hash, connection_id, token_generation, api_key_id, origin, role, opened_by, expires_at)
            select ${token.hash}::bytea, connection_id, token_generation, api_key_id, ${token.origin}, role, hash,
              now() + ${token.lifetimeSeconds} * interval '1 second'
            from redeemed returning connection_id, expires_at
          ), granted as (
            select application_id, tenant_id, connection_id, ${audit}::jsonb as audit
            from redeemed join issued using (connection_id)
          ), ${sql.literal(writeAudit({ table: "granted", tenantId: "n.tenant_id", connectionId: "n.connection_id" }))}
          select application_id, tenant_id, connection_id, role, expires_at from redeemed join issued using (connection_id)`
          return Option.map(Array.head(yield* decodeRedeemed(rows)), (row) => ({
            tenancy: { applicationId: row.application_id, tenantId: row.tenant_id },
            connectionId: row.connection_id,
            role: row.role,
            expiresAt: DateTime.unsafeFromDate(row.expires_at)
          }))
        }, mapSqlErrors),
        revokeAll: Effect.fnUntraced(
          function* (tenancy, connectionId) {
            const audit = yield* encodeAuditAction("browser_tokens.revoked")
            return yield* sql`
          with raised as (
            update connections set token_generation = token_generation + 1
            where id = ${connectionId} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}
            returning id, application_id, tenant_id, ${audit}::jsonb as audit
          ), ${sql.literal(writeAudit({ table: "raised", tenantId: "n.tenant_id", connectionId: "n.id" }))}
          update browser_tokens t set revoked_at = now() from raised
          where t.connection_id = raised.id and t.revoked_at is null`
          },
          mapSqlErrors,
          Effect.asVoid
        ),
        revokeCodes: Effect.fnUntraced(
          function* (tenancy, connectionId) {
            const audit = yield* encodeAuditAction("share_links.revoked")
            return yield* sql`
          with target as (
            select id, application_id, tenant_id, ${audit}::jsonb as audit from connections
            where id = ${connectionId} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}
          ), ${sql.literal(writeAudit({ table: "target", tenantId: "n.tenant_id", connectionId: "n.id" }))}
          update browser_tokens t set revoked_at = now() from target
          where t.connection_id = target.id and t.origin = ${exchangeCodeOrigin} and t.revoked_at is null`
          },
          mapSqlErrors,
          Effect.asVoid
        )
      }
    })
  )
}

/** Joins the connections `c` to the tokens `t`, and keeps the valid tokens; one that a link opened ends with the link. */
const joinValid = `
  join connections c on c.id = t.connection_id join api_keys k on k.id = t.api_key_id
  where t.revoked_at is null and t.expires_at > now() and t.token_generation = c.token_generation
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    and (t.opened_by is null
      or exists (select from browser_tokens link where link.hash = t.opened_by and link.revoked_at is null))`

/** A link opens a connection while somebody has something to do; not once it works or has ended. */
export const statesWithoutLinks: ReadonlyArray<ConnectionState> = [...finalStates, "active"]

const auditGrant = ({ hash, origin }: NewBrowserToken): Effect.Effect<string> => {
  const tokenId = browserTokenIdOf(hash)
  return origin === exchangeCodeOrigin
    ? encodeAuditAction("share_link.issued", { tokenId })
    : encodeAuditAction("browser_token.issued", { tokenId, origin })
}

/** The origin in the row of a share code; no browser ever sends it, so that the code is no token. */
export const exchangeCodeOrigin = Origin.make("")

export const makeConnectionEnded = (state: ConnectionState): ConnectionEnded =>
  new ConnectionEnded({
    code: "connection_ended",
    message: `the connection is ${state}, which is final: create a new connection of the domain, and use that one`
  })

/** `doc` is null where it is long. */
const TokenWithConnectionRow = Schema.Struct({
  ...StoredConnection.fields,
  doc: Schema.NullOr(Schema.String),
  application_id: ApplicationId,
  tenant_id: TenantId,
  origin: Origin,
  role: BrowserRole,
  api_key_id: ApiKeyId
})

/** Reads a token's connection if its document is long; none if it was deleted meanwhile. */
const addConnection =
  (readConnection: ReturnType<typeof makeConnectionReader>) =>
  ({
    api_key_id,
    application_id,
    doc,
    id,
    origin,
    role,
    state,
    tenant_id,
    version
  }: typeof TokenWithConnectionRow.Type): Effect.Effect<Option.Option<BrowserTokenWithConnection>, SqlError> =>
    Effect.map(
      doc === null ? readConnection(id) : Effect.succeedSome({ id, state, doc, version }),
      Option.map((connection) => ({
        tenancy: { applicationId: application_id, tenantId: tenant_id },
        origin,
        role,
        apiKeyId: api_key_id,
        connection
      }))
    )

const InsertedTokenRow = Schema.Struct({ state: ConnectionState, expires_at: Schema.NullOr(Schema.ValidDateFromSelf) })

const decodeRedeemed = decodeRows(
  Schema.Struct({
    application_id: ApplicationId,
    tenant_id: TenantId,
    connection_id: ConnectionId,
    role: BrowserRole,
    expires_at: Schema.ValidDateFromSelf
  })
)
