import { SqlClient, type SqlError } from "@effect/sql"
import { Array, Context, Data, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId, ConnectionState } from "../../../domain/connection/Connection.ts"
import { computeIntentKey } from "../../../domain/connection/ConnectionKeys.ts"
import type { IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import type { Transition } from "../../../domain/connection/Transition.ts"
import { DatabasePool } from "../../postgres/databasePool.ts"
import { mapSqlErrors, readSqlState, type StoreUnavailable } from "../../StoreUnavailable.ts"
import {
  decodeConnectionRecords,
  encodeConnection,
  StoredConnection,
  type VersionedConnectionRecord
} from "./StoredConnection.ts"
import { decodeRows } from "../decodeRows.ts"
import { findSameIntent } from "./findSameIntent.ts"
import { type CreationRules, prepareInsertConnections, unlessKeyInUse } from "./insertConnections.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { ApiKeyInvalid } from "../access/ApiKeyStore.ts"
import { toPlatformKeys } from "../access/platformKeys.ts"
import { isRetryOf } from "./isRetryOf.ts"
import { encodeDueTrace } from "../phases/DueTrace.ts"
import { makeTransitionLogger } from "./makeTransitionLogger.ts"
import { prepareWriteTransitions } from "./prepareWriteTransitions.ts"

/** No such connection exists, or it belongs to another tenant: a caller cannot tell these apart. */
export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("ConnectionNotFound", {
  code: Schema.Literal("not_found"),
  message: Schema.String
}) {
  static readonly error = new ConnectionNotFound({
    code: "not_found",
    message: "there is no such connection: a key finds those of its own tenant and environment"
  })
}

/** The outcome of a write with or without an idempotency key. */
export type CommitResult = Data.TaggedEnum<{
  /** This call wrote the connection. */
  Done: { readonly stored: StoredConnection }
  /** An earlier request under the same key wrote it; this was its result. */
  Replayed: { readonly stored: StoredConnection }
  /** The key was used with another body. */
  KeyReused: {}
  /** An earlier request under the same key has not finished. */
  InProgress: {}
  /** Another write has changed the connection since it was read. */
  Stale: {}
  /** Another connection of the tenant has the new intent, and the transition refuses duplicates, or the external id. */
  Duplicate: { readonly existing: ConnectionExists }
}>
export const CommitResult = Data.taggedEnum<CommitResult>()

/** The tenant has as many connections in this registered domain as it may. */
export class DomainLimitReached extends Data.TaggedError("DomainLimitReached")<{
  readonly limit: number
}> {}

/** The tenant has a connection with the same external id, or one with the same intent. */
export class ConnectionExists extends Schema.TaggedError<ConnectionExists>()("ConnectionExists", {
  code: Schema.Literal("connection_exists", "external_id_taken"),
  message: Schema.String,
  connectionId: ConnectionId
}) {
  static readonly ofIntent = (connectionId: ConnectionId): ConnectionExists =>
    new ConnectionExists({
      code: "connection_exists",
      message: `the connection ${connectionId} has this domain and these records, or changes to them; use it, or send allowDuplicate`,
      connectionId
    })
  static readonly ofExternalId = (connectionId: ConnectionId): ConnectionExists =>
    new ConnectionExists({
      code: "external_id_taken",
      message: `the connection ${connectionId} has this externalId and has not ended`,
      connectionId
    })
}

/** Creates, reads and updates connections for commands. Every write is one statement. */
export class ConnectionStore extends Context.Tag("persistence/ConnectionStore")<
  ConnectionStore,
  {
    /**
     * Inserts a connection with its first event, due phase and idempotency record, all or none. Concurrent creations may
     * exceed a domain's limit by their number, but of two that exclude each other one is written.
     */
    readonly create: (
      tenancy: Tenancy,
      first: Transition,
      idempotency: Option.Option<IdempotentRequest>,
      rules?: CreationRules
    ) => Effect.Effect<CommitResult, ApiKeyInvalid | DomainLimitReached | ConnectionExists | StoreUnavailable>
    /** Finds the result of an earlier request under this key. */
    readonly findReplay: (
      tenancy: Tenancy,
      idempotency: IdempotentRequest
    ) => Effect.Effect<Option.Option<CommitResult>, StoreUnavailable>
    /** The document of a connection. */
    readonly find: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    /** The record of a connection with the version that `update` expects. */
    readonly findRecord: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<VersionedConnectionRecord, ConnectionNotFound | StoreUnavailable>
    /** Writes a transition and its idempotency record, all or none, at the version that was read. */
    readonly update: (
      tenancy: Tenancy,
      read: VersionedConnectionRecord,
      transition: Transition,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<CommitResult, StoreUnavailable>
    /** Writes the idempotency record of a request that changes nothing, if the version is still that of the read. */
    readonly keepAnswer: (
      tenancy: Tenancy,
      read: VersionedConnectionRecord,
      idempotency: IdempotentRequest
    ) => Effect.Effect<CommitResult, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionStore,
    Effect.map(Effect.all([SqlClient.SqlClient, DatabasePool, makeTransitionLogger]), ([sql, pool, logTransition]) => {
      const insertTogether = prepareInsertConnections(pool)
      const writeTogether = prepareWriteTransitions(pool)

      const create = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        first: Transition,
        idempotency: Option.Option<IdempotentRequest>,
        rules: CreationRules
      ) {
        const stored = toStored(first, 1)
        const trace = yield* encodeDueTrace
        const insert = insertTogether({ tenancy, first, doc: stored.doc, idempotency, rules, trace })
        const [inserted] = yield* Effect.catchIf(insert, isUniqueViolation, () =>
          Effect.retry(insert, { while: isUniqueViolation, times: 2 })
        )
        if (inserted?.written === true) {
          yield* logTransition(first)
          return CommitResult.Done({ stored })
        }
        if (inserted?.hasKey === false) return yield* new ApiKeyInvalid()
        const earlier = Option.isSome(idempotency) ? yield* replay(tenancy, idempotency.value) : Option.none()
        if (Option.isSome(earlier)) return earlier.value
        const { hasRoom = true, sameExternalId = null, sameIntent = null } = inserted ?? {}
        if (sameExternalId !== null) return yield* ConnectionExists.ofExternalId(sameExternalId)
        if (sameIntent !== null) return yield* ConnectionExists.ofIntent(sameIntent)
        return !hasRoom && rules.domainLimit !== undefined && Option.isSome(rules.domainLimit)
          ? yield* new DomainLimitReached({ limit: rules.domainLimit.value })
          : CommitResult.InProgress()
      })

      const matchesId = (tenancy: Tenancy, id: ConnectionId) =>
        sql`id = ${id} and application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}`

      const update = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { version }: VersionedConnectionRecord,
        transition: Transition,
        idempotency: Option.Option<IdempotentRequest>
      ) {
        const stored = toStored(transition, version + 1)
        const trace = yield* encodeDueTrace
        const write = writeTogether({ tenancy, version, transition, doc: stored.doc, idempotency, trace })
        const rows = yield* Effect.catchIf(write, isUniqueViolation, () =>
          Effect.retry(write, { while: isUniqueViolation, times: 2 })
        )
        if (rows.length > 0) {
          yield* logTransition(transition)
          return CommitResult.Done({ stored })
        }
        const earlier = Option.isSome(idempotency) ? yield* replay(tenancy, idempotency.value) : Option.none()
        return Option.isSome(earlier) ? earlier.value : yield* findDuplicate(tenancy, transition)
      })

      /** The connection for whose sake a transition was not written. */
      const findDuplicate = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        { after, duplicates, newIntent }: Transition
      ) {
        const { external_key: externalKey } = toPlatformKeys(tenancy, after.connection)
        const [namesake] =
          externalKey === null
            ? []
            : yield* decodeIds(
                yield* sql`
                  select id from connections as c
                  where external_key = ${externalKey} and id <> ${after.connection.id}
                    and c.${sql.literal(notEndedCondition)}`
              )
        if (namesake !== undefined)
          return CommitResult.Duplicate({ existing: ConnectionExists.ofExternalId(namesake.id) })
        if (newIntent === undefined || duplicates !== "refused") return CommitResult.Stale()
        const key = computeIntentKey(tenancy, newIntent)
        const rows = yield* sql`
          select id from (select ${sql.literal(findSameIntent("requests.key", "requests.id"))} as id
          from (select ${key}::bytea as key, ${after.connection.id}::text as id) as requests) as found where id is not null`
        const [found] = yield* decodeIds(rows)
        return found === undefined
          ? CommitResult.Stale()
          : CommitResult.Duplicate({ existing: ConnectionExists.ofIntent(found.id) })
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
            for share
          ), claimed as (
            insert into idempotency_keys as k
              (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
            select ${tenancy.applicationId}, ${tenancy.tenantId}, ${idempotency.route}, ${idempotency.key},
              ${idempotency.fingerprints[0]}, target.id, target.state, target.doc, target.version
            from target ${sql.literal(unlessKeyInUse)} returning doc
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
        return yield* Effect.transposeMapOption(Array.head(yield* decodeReplays(rows)), (row) =>
          Effect.map(isRetryOf(idempotency, row.fingerprint), (isRetry) =>
            isRetry
              ? CommitResult.Replayed({
                  stored: { id: row.connection_id, state: row.state, doc: row.doc, version: row.version }
                })
              : CommitResult.KeyReused()
          )
        )
      })

      return {
        create: (tenancy, first, idempotency, rules = {}) =>
          create(tenancy, first, idempotency, rules).pipe(
            Effect.catchIf(
              (error) => Option.isSome(idempotency) && isLockTimeout(error),
              () => Effect.succeed(CommitResult.InProgress())
            ),
            mapSqlErrors
          ),
        findReplay: (tenancy, idempotency) => mapSqlErrors(replay(tenancy, idempotency)),
        find: Effect.fnUntraced(function* (tenancy, id) {
          const rows = yield* sql`
            select id, state, doc, version from connections where ${matchesId(tenancy, id)}`
          return yield* Effect.mapError(Array.head(yield* decodeStored(rows)), () => ConnectionNotFound.error)
        }, mapSqlErrors),
        findRecord: Effect.fnUntraced(function* (tenancy, id) {
          const rows = yield* sql`
            select doc as connection, progress, version from connections where ${matchesId(tenancy, id)}`
          return yield* Effect.mapError(Array.head(yield* decodeVersionedRecords(rows)), () => ConnectionNotFound.error)
        }, mapSqlErrors),
        update: (tenancy, read, transition, idempotency) =>
          update(tenancy, read, transition, idempotency).pipe(
            Effect.catchIf(
              (error) => Option.isSome(idempotency) && isLockTimeout(error),
              () => Effect.succeed(CommitResult.InProgress())
            ),
            mapSqlErrors
          ),
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

const decodeIds = decodeRows(Schema.Struct({ id: ConnectionId }))

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

/** `lock_not_available`: the first request under this key has held its lock for longer than `lock_timeout`. */
const isLockTimeout = (
  error: SqlError.SqlError | ApiKeyInvalid | DomainLimitReached | ConnectionExists | StoreUnavailable
): error is SqlError.SqlError => error._tag === "SqlError" && Option.contains(readSqlState(error), "55P03")

/** Another statement has just written a connection that excludes this one; the next attempt finds it. */
const isUniqueViolation = (error: SqlError.SqlError): boolean => Option.contains(readSqlState(error), "23505")
