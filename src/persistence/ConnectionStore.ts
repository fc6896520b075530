import { SqlClient, type SqlError, type Statement } from "@effect/sql"
import { Array, Context, Data, Effect, Layer, Option, Schema } from "effect"
import { Connection, ConnectionId, ConnectionState } from "../domain/Connection.ts"
import type { Idempotency } from "../domain/Idempotency.ts"
import type { Tenancy } from "../domain/Tenancy.ts"
import type { TimelineEvent } from "../domain/TimelineEvent.ts"
import { decodeRows } from "./rows.ts"
import { orUnavailable, sqlState, type StoreUnavailable } from "./StoreUnavailable.ts"

/** There is no such connection, or it belongs to somebody else: from outside these are the same. */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("ConnectionNotFound", {
  code: Schema.Literal("not_found"),
  message: Schema.String
}) {
  static readonly error = new ConnectionNotFound({ code: "not_found", message: "there is no such connection" })
}

/** A connection as it is kept: `doc` is its JSON in wire form, `version` counts its writes from 1. */
export interface StoredConnection {
  readonly id: ConnectionId
  readonly state: ConnectionState
  readonly doc: string
  readonly version: number
}

/** What became of a creation: made now, made earlier under the same key, or refused for the use of its key. */
export type Creation = Data.TaggedEnum<{
  Created: { readonly stored: StoredConnection }
  Replayed: { readonly stored: StoredConnection }
  KeyReused: {}
  InProgress: {}
}>
export const Creation = Data.taggedEnum<Creation>()

/** The work that the lifecycle does on its own. */
export type Phase = "discover"

/** A connection whose phase is to be run now. */
export interface DuePhase {
  readonly connectionId: ConnectionId
  readonly phase: Phase
  readonly attempt: number
}

/** The right of one run to write one connection, until another run claims it or anybody else writes. */
export interface Claim {
  readonly connection: Connection
  readonly attempt: number
  readonly claim: number
  readonly version: number
}

/** A connection after one step, as `advance` returned it, with the phase that is to follow. */
export interface Advanced {
  readonly connection: Connection
  readonly event: TimelineEvent
  readonly phase: Option.Option<Phase>
}

/** The connections and all that is written together with them. Every write is one statement. */
export class ConnectionStore extends Context.Tag("persistence/ConnectionStore")<
  ConnectionStore,
  {
    /** Writes the connection, its first event, its due phase and its idempotency record, all or none. */
    readonly create: (
      tenancy: Tenancy,
      first: Advanced,
      idempotency: Option.Option<Idempotency>
    ) => Effect.Effect<Creation, StoreUnavailable>
    /** What an earlier request under this key made, if there was one. */
    readonly replay: (
      tenancy: Tenancy,
      idempotency: Idempotency
    ) => Effect.Effect<Option.Option<Creation>, StoreUnavailable>
    readonly find: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    /** Takes up to `limit` due phases, each under a new attempt; one that does not move is due again in `againSeconds`. */
    readonly takeDue: (limit: number, againSeconds: number) => Effect.Effect<ReadonlyArray<DuePhase>, StoreUnavailable>
    /** Claims a connection for one run of a phase; none if the attempt is no longer the one that is wanted. */
    readonly claim: (due: DuePhase) => Effect.Effect<Option.Option<Claim>, StoreUnavailable>
    /** Writes a step; false if the claim is no longer good, in which case nothing is written. */
    readonly save: (claim: Claim, advanced: Advanced) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const inserted = (tenancy: Tenancy, { connection, event, phase }: Advanced, source: Statement.Fragment) => sql`
        created as (
          insert into connections (id, application_id, tenant_id, state, phase, due_at, doc)
          select ${connection.id}, ${tenancy.applicationId}, ${tenancy.tenantId}, ${connection.state},
            ${Option.getOrNull(phase)}::text, ${dueNow(phase)}, source.doc
          from ${source} as source
          returning id
        ), event as (
          insert into connection_events (id, connection_id, to_state, failure)
          select ${event.id}, id, ${event.to}, ${event.failure ?? null}::text from created
        )
        select count(*)::int as written from created`

      const dueNow = (phase: Option.Option<Phase>) => (Option.isSome(phase) ? sql`now()` : sql`null::timestamptz`)

      const createPlainly = (tenancy: Tenancy, first: Advanced) => {
        const stored = storedFirst(first.connection)
        const write = sql`with ${inserted(tenancy, first, sql`(select ${stored.doc}::text as doc)`)}`
        return Effect.as(write, Creation.Created({ stored }))
      }

      const createOnce = Effect.fnUntraced(function* (tenancy: Tenancy, first: Advanced, idempotency: Idempotency) {
        const stored = storedFirst(first.connection)
        const rows = yield* sql`
          with claimed as (
            insert into idempotency_keys as k
              (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc)
            values (${tenancy.applicationId}, ${tenancy.tenantId}, ${idempotency.route}, ${idempotency.key},
              ${idempotency.fingerprint}, ${stored.id}, ${stored.state}, ${stored.doc})
            on conflict (application_id, tenant_id, route, key) do update
              set fingerprint = excluded.fingerprint, connection_id = excluded.connection_id,
                state = excluded.state, doc = excluded.doc, created_at = now()
              where k.created_at <= now() - interval '24 hours'
            returning doc
          ), ${inserted(tenancy, first, sql`claimed`)}`
        if (yield* wasWritten(rows)) return Creation.Created({ stored })
        return Option.getOrElse(yield* replay(tenancy, idempotency), () => Creation.InProgress())
      })

      const replay = Effect.fnUntraced(function* (tenancy: Tenancy, idempotency: Idempotency) {
        const rows = yield* sql`
          select fingerprint, connection_id, state, doc from idempotency_keys
          where application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}
            and route = ${idempotency.route} and key = ${idempotency.key}
            and created_at > now() - interval '24 hours'`
        return Option.map(Array.head(yield* decodeReplays(rows)), (row) =>
          row.fingerprint === idempotency.fingerprint
            ? Creation.Replayed({ stored: { id: row.connection_id, state: row.state, doc: row.doc, version: 1 } })
            : Creation.KeyReused()
        )
      })

      return {
        create: (tenancy, first, idempotency) =>
          Option.match(idempotency, {
            onNone: () => createPlainly(tenancy, first),
            onSome: (known) =>
              Effect.catchIf(createOnce(tenancy, first, known), isLockTimeout, () =>
                Effect.succeed(Creation.InProgress())
              )
          }).pipe(orUnavailable),
        replay: Effect.fn("ConnectionStore.replay")(replay, orUnavailable),
        find: Effect.fnUntraced(function* (tenancy, id) {
          const rows = yield* sql`
            select id, state, doc, version from connections
            where id = ${id} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}`
          return yield* Effect.mapError(Array.head(yield* decodeStored(rows)), () => ConnectionNotFound.error)
        }, orUnavailable),
        takeDue: Effect.fn("ConnectionStore.takeDue")(function* (limit, againSeconds) {
          const rows = yield* sql`
            update connections set attempt = attempt + 1, due_at = now() + ${againSeconds} * interval '1 second'
            where id in (
              select id from connections where due_at <= now() order by due_at limit ${limit} for update skip locked
            )
            returning id as "connectionId", phase, attempt`
          return yield* decodeDue(rows)
        }, orUnavailable),
        claim: Effect.fn("ConnectionStore.claim")(function* (due) {
          const rows = yield* sql`
            update connections set claim = claim + 1
            where id = ${due.connectionId} and phase = ${due.phase} and attempt = ${due.attempt}
            returning doc as connection, attempt, claim, version`
          return Array.head(yield* decodeClaims(rows))
        }, orUnavailable),
        save: Effect.fn("ConnectionStore.save")(function* (claim, { connection, event, phase }) {
          const rows = yield* sql`
            with saved as (
              update connections set state = ${connection.state}, doc = ${docOf(connection)}, version = version + 1,
                phase = ${Option.getOrNull(phase)}::text, due_at = ${dueNow(phase)}, updated_at = now()
              where id = ${connection.id} and attempt = ${claim.attempt} and claim = ${claim.claim}
                and version = ${claim.version}
              returning id
            ), event as (
              insert into connection_events (id, connection_id, from_state, to_state, failure)
              select ${event.id}, id, ${event.from ?? null}::text, ${event.to}, ${event.failure ?? null}::text from saved
            )
            select count(*)::int as written from saved`
          return yield* wasWritten(rows)
        }, orUnavailable)
      }
    })
  )
}

/** The wire form of a connection, as it is kept and answered. */
export const docOf = Schema.encodeSync(Schema.parseJson(Connection))

/** Reads a kept connection back. */
export const connectionOf = Schema.decodeSync(Schema.parseJson(Connection))

const storedFirst = (connection: Connection): StoredConnection => ({
  id: connection.id,
  state: connection.state,
  doc: docOf(connection),
  version: 1
})

/** The columns of a stored connection. */
export const StoredConnectionRow = Schema.Struct({
  id: ConnectionId,
  state: ConnectionState,
  doc: Schema.String,
  version: Schema.Int
})

const decodeStored = decodeRows(StoredConnectionRow)

const decodeReplays = decodeRows(
  Schema.Struct({
    fingerprint: Schema.String,
    connection_id: ConnectionId,
    state: ConnectionState,
    doc: Schema.String
  })
)

const decodeDue = decodeRows(
  Schema.Struct({ connectionId: ConnectionId, phase: Schema.Literal("discover"), attempt: Schema.Int })
)

const decodeClaims = decodeRows(
  Schema.Struct({
    connection: Schema.parseJson(Connection),
    attempt: Schema.Int,
    claim: Schema.Int,
    version: Schema.Int
  })
)

const decodeWritten = decodeRows(Schema.Struct({ written: Schema.Int }))

const wasWritten = (rows: unknown): Effect.Effect<boolean> =>
  Effect.map(decodeWritten(rows), (counts) => counts.some(({ written }) => written === 1))

/** `lock_not_available`: the first request under this key has held it for longer than `lock_timeout`. */
const isLockTimeout = (error: SqlError.SqlError): boolean => Option.contains(sqlState(error), "55P03")
