import { SqlClient, type SqlError, type Statement } from "@effect/sql"
import { Array, Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId, ConnectionState } from "../../domain/Connection.ts"
import { canBeRetryOf, type IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import { type DomainName, registeredDomainOf } from "../../domain/DomainName.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { Transition } from "../../domain/Transition.ts"
import { mapSqlErrors, readSqlState, type StoreUnavailable } from "../StoreUnavailable.ts"
import {
  decodeConnectionRecords,
  encodeConnection,
  StoredConnection,
  type VersionedConnectionRecord
} from "./StoredConnection.ts"
import { countInDomainSql } from "./UsageStore.ts"
import { decodeRows, isWritten } from "./decodeRows.ts"
import { buildDueAtSql, buildTransitionSql } from "./buildTransitionSql.ts"

/** No such connection exists, or it belongs to another tenant: a caller cannot tell these apart. */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("ConnectionNotFound", {
  code: Schema.Literal("not_found"),
  message: Schema.String
}) {
  static readonly error = new ConnectionNotFound({ code: "not_found", message: "there is no such connection" })
}

/** The outcome of a write with or without an idempotency key. */
export type CommitResult = Data.TaggedEnum<{
  /** This call wrote the connection. */
  Done: { readonly stored: StoredConnection }
  /** An earlier request under the same key wrote it; this was its result. */
  Replayed: { readonly stored: StoredConnection }
  /** The key belongs to a different request. */
  KeyReused: {}
  /** An earlier request under the same key has not finished. */
  InProgress: {}
  /** Another write has changed the connection since it was read. */
  Stale: {}
}>
export const CommitResult = Data.taggedEnum<CommitResult>()

/** The tenant has as many connections in this registered domain as it may. */
export class DomainLimitReached extends Data.TaggedError("DomainLimitReached")<DomainLimit> {}

/** How many connections that have not ended a tenant may have in a registered domain. */
export interface DomainLimit {
  readonly registeredDomain: DomainName
  readonly limit: number
}

/** Creates, reads and updates connections for commands. Every write is one statement. */
export class ConnectionStore extends Context.Tag("persistence/ConnectionStore")<
  ConnectionStore,
  {
    /**
     * Inserts a connection with its first event, its due phase and its idempotency record, all or none. Creations at the
     * same moment may exceed `domainLimit` by as many as they are.
     */
    readonly create: (
      tenancy: Tenancy,
      first: Transition,
      idempotency: Option.Option<IdempotentRequest>,
      domainLimit?: Option.Option<DomainLimit>
    ) => Effect.Effect<CommitResult, DomainLimitReached | StoreUnavailable>
    /** Finds the result of an earlier request under this key. */
    readonly findReplay: (
      tenancy: Tenancy,
      idempotency: IdempotentRequest
    ) => Effect.Effect<Option.Option<CommitResult>, StoreUnavailable>
    readonly find: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    readonly findRecord: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<VersionedConnectionRecord, ConnectionNotFound | StoreUnavailable>
    /**
     * Writes a transition and its idempotency record, all or none, if the connection is still at the version that was
     * read.
     */
    readonly update: (
      tenancy: Tenancy,
      read: VersionedConnectionRecord,
      transition: Transition,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<CommitResult, StoreUnavailable>
    /**
     * Writes only the idempotency record of a request that changes nothing, with the connection as its answer, if the
     * connection is still at the version that was read.
     */
    readonly keepAnswer: (
      tenancy: Tenancy,
      read: VersionedConnectionRecord,
      idempotency: IdempotentRequest
    ) => Effect.Effect<CommitResult, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insertSql = (tenancy: Tenancy, first: Transition, source: Statement.Fragment) => {
        const { connection } = first.after
        return sql`
          created as (
            insert into connections
              (id, application_id, tenant_id, state, domain, registered_domain, phase, due_at, doc, created_at)
            select ${connection.id}, ${tenancy.applicationId}, ${tenancy.tenantId}, ${connection.state},
              ${connection.effectiveIntent.domain}, ${registeredDomainOf(connection.effectiveIntent.domain)},
              ${Option.getOrNull(Option.map(first.next, ({ phase }) => phase))}::text,
              ${buildDueAtSql(sql, first.next)}, source.doc, ${DateTime.toDateUtc(connection.createdAt)}::timestamptz
            from ${source} as source
            returning id
          ), event as (
            insert into connection_events (id, connection_id, to_state)
            select e.id, created.id, e."to" from created, jsonb_to_recordset(${JSON.stringify(first.events)}::jsonb)
              as e(id text, "to" text)
          )
          select count(*) = 1 as written, exists (select from room) as "hasRoom" from created`
      }

      /** Inserts the idempotency record of a write; to be followed by `unlessKeyInUse`. */
      const insertKeySql = (
        tenancy: Tenancy,
        { fingerprints, key, route }: IdempotentRequest,
        stored: StoredConnection
      ) => sql`
        insert into idempotency_keys as k
          (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
        select ${tenancy.applicationId}, ${tenancy.tenantId}, ${route}, ${key}, ${fingerprints[0]}, ${stored.id},
          ${stored.state}, ${stored.doc}, ${stored.version}`

      /** Keeps a record of the last 24 hours, replaces an older one, and returns a row if the new one was written. */
      const unlessKeyInUse = sql`
        on conflict (application_id, tenant_id, route, key) do update
          set fingerprint = excluded.fingerprint, connection_id = excluded.connection_id, state = excluded.state,
            doc = excluded.doc, version = excluded.version, created_at = now()
          where k.created_at <= now() - interval '24 hours'
        returning doc`

      /** The common table expression `room`, which has a row unless the limit is reached. */
      const roomSql = (tenancy: Tenancy, domainLimit: Option.Option<DomainLimit>) =>
        Option.match(domainLimit, {
          onNone: () => sql`room as (select 1)`,
          onSome: ({ limit, registeredDomain }) =>
            sql`room as (select 1 where ${countInDomainSql(sql, tenancy, registeredDomain, limit)} < ${limit})`
        })

      const createWithoutKey = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        first: Transition,
        domainLimit: Option.Option<DomainLimit>
      ) {
        const stored = toStored(first, 1)
        const rows = yield* sql`
          with ${roomSql(tenancy, domainLimit)}, ${insertSql(tenancy, first, sql`(select ${stored.doc}::text as doc from room)`)}`
        yield* requireRoom(rows, domainLimit)
        return CommitResult.Done({ stored })
      })

      const createWithKey = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        first: Transition,
        idempotency: IdempotentRequest,
        domainLimit: Option.Option<DomainLimit>
      ) {
        const stored = toStored(first, 1)
        const rows = yield* sql`
          with ${roomSql(tenancy, domainLimit)},
          claimed as (${insertKeySql(tenancy, idempotency, stored)} from room ${unlessKeyInUse}),
          ${insertSql(tenancy, first, sql`claimed`)}`
        if (yield* isWritten(rows)) return CommitResult.Done({ stored })
        const earlier = yield* replay(tenancy, idempotency)
        if (Option.isSome(earlier)) return earlier.value
        yield* requireRoom(rows, domainLimit)
        return CommitResult.InProgress()
      })

      const matchesId = (tenancy: Tenancy, id: ConnectionId) =>
        sql`id = ${id} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}`

      const updateWithoutKey = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { connection, version }: VersionedConnectionRecord,
        transition: Transition
      ) {
        const target = sql`${matchesId(tenancy, connection.id)} and version = ${version}`
        const rows =
          yield* sql`with ${buildTransitionSql(sql, transition, target)} select count(*) = 1 as written from saved`
        return (yield* isWritten(rows))
          ? CommitResult.Done({ stored: toStored(transition, version + 1) })
          : CommitResult.Stale()
      })

      const updateWithKey = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { connection, version }: VersionedConnectionRecord,
        transition: Transition,
        idempotency: IdempotentRequest
      ) {
        const stored = toStored(transition, version + 1)
        const rows = yield* sql`
          with target as (
            select id from connections where ${matchesId(tenancy, connection.id)} and version = ${version} for update
          ), claimed as (
            ${insertKeySql(tenancy, idempotency, stored)} from target ${unlessKeyInUse}
          ), ${buildTransitionSql(sql, transition, sql`id in (select target.id from target, claimed)`)}
          select count(*) = 1 as written from saved`
        if (yield* isWritten(rows)) return CommitResult.Done({ stored })
        return Option.getOrElse(yield* replay(tenancy, idempotency), () => CommitResult.Stale())
      })

      const insertKeyOnly = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { connection, version }: VersionedConnectionRecord,
        idempotency: IdempotentRequest
      ) {
        const rows = yield* sql`
          with target as (
            select id, state, doc, version from connections
            where ${matchesId(tenancy, connection.id)} and version = ${version}
          ), claimed as (
            insert into idempotency_keys as k
              (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
            select ${tenancy.applicationId}, ${tenancy.tenantId}, ${idempotency.route}, ${idempotency.key},
              ${idempotency.fingerprints[0]}, target.id, target.state, target.doc, target.version
            from target ${unlessKeyInUse}
          )
          select target.id, target.state, target.doc, target.version from target, claimed`
        const [stored] = yield* decodeStored(rows)
        if (stored !== undefined) return CommitResult.Done({ stored })
        return Option.getOrElse(yield* replay(tenancy, idempotency), () => CommitResult.Stale())
      })

      const replay = Effect.fnUntraced(function* (tenancy: Tenancy, idempotency: IdempotentRequest) {
        const rows = yield* sql`
          select fingerprint, connection_id, state, doc, version from idempotency_keys
          where application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}
            and route = ${idempotency.route} and key = ${idempotency.key}
            and created_at > now() - interval '24 hours'`
        return Option.map(Array.head(yield* decodeReplays(rows)), (row) =>
          canBeRetryOf(idempotency, row.fingerprint)
            ? CommitResult.Replayed({
                stored: { id: row.connection_id, state: row.state, doc: row.doc, version: row.version }
              })
            : CommitResult.KeyReused()
        )
      })

      return {
        create: (tenancy, first, idempotency, domainLimit = Option.none()) =>
          Option.match(idempotency, {
            onNone: () => createWithoutKey(tenancy, first, domainLimit),
            onSome: (request) =>
              Effect.catchIf(createWithKey(tenancy, first, request, domainLimit), isLockTimeout, () =>
                Effect.succeed(CommitResult.InProgress())
              )
          }).pipe(mapSqlErrors),
        findReplay: Effect.fn("ConnectionStore.findReplay")(replay, mapSqlErrors),
        find: Effect.fnUntraced(function* (tenancy, id) {
          const rows = yield* sql`
            select id, state, doc, version from connections where ${matchesId(tenancy, id)}`
          return yield* Effect.mapError(Array.head(yield* decodeStored(rows)), () => ConnectionNotFound.error)
        }, mapSqlErrors),
        findRecord: Effect.fn("ConnectionStore.findRecord")(function* (tenancy, id) {
          const rows = yield* sql`
            select doc as connection, progress, version from connections where ${matchesId(tenancy, id)}`
          return yield* Effect.mapError(Array.head(yield* decodeVersionedRecords(rows)), () => ConnectionNotFound.error)
        }, mapSqlErrors),
        update: (tenancy, read, transition, idempotency) =>
          Option.match(idempotency, {
            onNone: () => updateWithoutKey(tenancy, read, transition),
            onSome: (request) =>
              Effect.catchIf(updateWithKey(tenancy, read, transition, request), isLockTimeout, () =>
                Effect.succeed(CommitResult.InProgress())
              )
          }).pipe(mapSqlErrors),
        keepAnswer: (tenancy, read, idempotency) =>
          insertKeyOnly(tenancy, read, idempotency).pipe(
            Effect.catchIf(isLockTimeout, () => Effect.succeed(CommitResult.InProgress())),
            mapSqlErrors
          )
      }
    })
  )
}

const toStored = ({ after: { connection } }: Transition, version: number): StoredConnection => ({
  id: connection.id,
  state: connection.state,
  doc: encodeConnection(connection),
  version
})

const decodeStored = decodeRows(StoredConnection)

const decodeReplays = decodeRows(
  Schema.Struct({
    fingerprint: Schema.String,
    connection_id: ConnectionId,
    state: ConnectionState,
    doc: Schema.String,
    version: Schema.Int
  })
)

const requireRoom = (rows: unknown, domainLimit: Option.Option<DomainLimit>) =>
  Effect.flatMap(decodeRoom(rows), (decoded) =>
    Option.isSome(domainLimit) && decoded.some(({ hasRoom }) => !hasRoom)
      ? new DomainLimitReached(domainLimit.value)
      : Effect.void
  )

const decodeRoom = decodeRows(Schema.Struct({ hasRoom: Schema.Boolean }))

const decodeVersionedRecords = decodeConnectionRecords(Schema.Struct({ version: Schema.Int }))

/** `lock_not_available`: the first request under this key has held its lock for longer than `lock_timeout`. */
const isLockTimeout = (error: SqlError.SqlError | DomainLimitReached): error is SqlError.SqlError =>
  error._tag === "SqlError" && Option.contains(readSqlState(error), "55P03")
