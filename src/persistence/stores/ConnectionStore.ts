import { SqlClient, type SqlError, type Statement } from "@effect/sql"
import { Array, Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId, ConnectionState } from "../../domain/Connection.ts"
import { canBeRetryOf, type IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { Transition } from "../../domain/Transition.ts"
import { orUnavailable, sqlState, type StoreUnavailable } from "../StoreUnavailable.ts"
import {
  decodeConnectionRecords,
  encodeConnection,
  StoredConnection,
  type VersionedConnectionRecord
} from "./StoredConnection.ts"
import { decodeRows, isWritten } from "./decodeRows.ts"
import { dueAtSql, transitionSql } from "./transitionSql.ts"

/** There is no such connection, or it belongs to somebody else: from outside these are the same. */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("ConnectionNotFound", {
  code: Schema.Literal("not_found"),
  message: Schema.String
}) {
  static readonly error = new ConnectionNotFound({ code: "not_found", message: "there is no such connection" })
}

/** What became of a write: done now, done earlier under the same key, refused for the use of its key, or come too late. */
export type CommitResult = Data.TaggedEnum<{
  Done: { readonly stored: StoredConnection }
  Replayed: { readonly stored: StoredConnection }
  KeyReused: {}
  InProgress: {}
  /** Somebody else has written the connection since it was read. */
  Stale: {}
}>
export const CommitResult = Data.taggedEnum<CommitResult>()

/** The connections, as servers and browsers make, read and command them. Every write is one statement. */
export class ConnectionStore extends Context.Tag("persistence/ConnectionStore")<
  ConnectionStore,
  {
    /** Writes the connection, its first event, its due phase and its idempotency record, all or none. */
    readonly create: (
      tenancy: Tenancy,
      first: Transition,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<CommitResult, StoreUnavailable>
    /** What an earlier request under this key made, if there was one. */
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
    /** Writes what a command did to the connection as it was read, with its idempotency record, all or none. */
    readonly update: (
      tenancy: Tenancy,
      read: VersionedConnectionRecord,
      advanced: Transition,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<CommitResult, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const inserted = (tenancy: Tenancy, first: Transition, source: Statement.Fragment) => {
        const { connection } = first.after
        return sql`
          created as (
            insert into connections (id, application_id, tenant_id, state, domain, phase, due_at, doc, created_at)
            select ${connection.id}, ${tenancy.applicationId}, ${tenancy.tenantId}, ${connection.state},
              ${connection.effectiveIntent.domain}, ${Option.getOrNull(Option.map(first.next, ({ phase }) => phase))}::text,
              ${dueAtSql(sql, first.next)}, source.doc, ${DateTime.toDateUtc(connection.createdAt)}::timestamptz
            from ${source} as source
            returning id
          ), event as (
            insert into connection_events (id, connection_id, to_state)
            select e.id, created.id, e."to" from created, jsonb_to_recordset(${JSON.stringify(first.events)}::jsonb)
              as e(id text, "to" text)
          )
          select count(*) = 1 as written from created`
      }

      /** The idempotency record of an effect, unless there is one of the last 24 hours already. */
      const claimed = (
        tenancy: Tenancy,
        { fingerprints, key, route }: IdempotentRequest,
        stored: StoredConnection
      ) => sql`
        insert into idempotency_keys as k
          (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
        select ${tenancy.applicationId}, ${tenancy.tenantId}, ${route}, ${key}, ${fingerprints[0]}, ${stored.id},
          ${stored.state}, ${stored.doc}, ${stored.version}`

      const unlessClaimed = sql`
        on conflict (application_id, tenant_id, route, key) do update
          set fingerprint = excluded.fingerprint, connection_id = excluded.connection_id, state = excluded.state,
            doc = excluded.doc, version = excluded.version, created_at = now()
          where k.created_at <= now() - interval '24 hours'
        returning doc`

      const createPlainly = (tenancy: Tenancy, first: Transition) => {
        const stored = storedAs(first, 1)
        const write = sql`with ${inserted(tenancy, first, sql`(select ${stored.doc}::text as doc)`)}`
        return Effect.as(write, CommitResult.Done({ stored }))
      }

      const createOnce = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        first: Transition,
        idempotency: IdempotentRequest
      ) {
        const stored = storedAs(first, 1)
        const rows = yield* sql`
          with claimed as (${claimed(tenancy, idempotency, stored)} ${unlessClaimed}),
          ${inserted(tenancy, first, sql`claimed`)}`
        if (yield* isWritten(rows)) return CommitResult.Done({ stored })
        return Option.getOrElse(yield* replay(tenancy, idempotency), () => CommitResult.InProgress())
      })

      const ofTenant = (tenancy: Tenancy, id: ConnectionId) =>
        sql`id = ${id} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}`

      const changePlainly = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { connection, version }: VersionedConnectionRecord,
        advanced: Transition
      ) {
        const target = sql`${ofTenant(tenancy, connection.id)} and version = ${version}`
        const rows = yield* sql`with ${transitionSql(sql, advanced, target)} select count(*) = 1 as written from saved`
        return (yield* isWritten(rows))
          ? CommitResult.Done({ stored: storedAs(advanced, version + 1) })
          : CommitResult.Stale()
      })

      const changeOnce = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { connection, version }: VersionedConnectionRecord,
        advanced: Transition,
        idempotency: IdempotentRequest
      ) {
        const stored = storedAs(advanced, version + 1)
        const rows = yield* sql`
          with target as (
            select id from connections where ${ofTenant(tenancy, connection.id)} and version = ${version} for update
          ), claimed as (
            ${claimed(tenancy, idempotency, stored)} from target ${unlessClaimed}
          ), ${transitionSql(sql, advanced, sql`id in (select target.id from target, claimed)`)}
          select count(*) = 1 as written from saved`
        if (yield* isWritten(rows)) return CommitResult.Done({ stored })
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
        create: (tenancy, first, idempotency) =>
          Option.match(idempotency, {
            onNone: () => createPlainly(tenancy, first),
            onSome: (known) =>
              Effect.catchIf(createOnce(tenancy, first, known), isLockTimeout, () =>
                Effect.succeed(CommitResult.InProgress())
              )
          }).pipe(orUnavailable),
        findReplay: Effect.fn("ConnectionStore.findReplay")(replay, orUnavailable),
        find: Effect.fnUntraced(function* (tenancy, id) {
          const rows = yield* sql`
            select id, state, doc, version from connections where ${ofTenant(tenancy, id)}`
          return yield* Effect.mapError(Array.head(yield* decodeStored(rows)), () => ConnectionNotFound.error)
        }, orUnavailable),
        findRecord: Effect.fn("ConnectionStore.findRecord")(function* (tenancy, id) {
          const rows = yield* sql`
            select doc as connection, progress, version from connections where ${ofTenant(tenancy, id)}`
          return yield* Effect.mapError(Array.head(yield* decodeVersionedRecords(rows)), () => ConnectionNotFound.error)
        }, orUnavailable),
        update: (tenancy, read, advanced, idempotency) =>
          Option.match(idempotency, {
            onNone: () => changePlainly(tenancy, read, advanced),
            onSome: (known) =>
              Effect.catchIf(changeOnce(tenancy, read, advanced, known), isLockTimeout, () =>
                Effect.succeed(CommitResult.InProgress())
              )
          }).pipe(orUnavailable)
      }
    })
  )
}

const storedAs = ({ after: { connection } }: Transition, version: number): StoredConnection => ({
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

const decodeVersionedRecords = decodeConnectionRecords(Schema.Struct({ version: Schema.Int }))

/** `lock_not_available`: the first request under this key has held it for longer than `lock_timeout`. */
const isLockTimeout = (error: SqlError.SqlError): boolean => Option.contains(sqlState(error), "55P03")
