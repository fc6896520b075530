import { Clock, DateTime, Effect, Layer, Option, Schema } from "effect"
import {
  type ConnectionRecord,
  desiredNamesOf,
  makeInitialProgress,
  Progress
} from "../../../src/domain/connection/ConnectionRecord.ts"
import { type Connection, finalStates } from "../../../src/domain/connection/Connection.ts"
import { computeIntentKey } from "../../../src/domain/connection/ConnectionKeys.ts"
import { isAtOrBelow, registeredDomainOf } from "../../../src/domain/names/DomainName.ts"
import type { IdempotentRequest } from "../../../src/domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import type { Transition } from "../../../src/domain/connection/Transition.ts"
import type { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyInvalid } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import {
  CommitResult,
  ConnectionExists,
  ConnectionNotFound,
  ConnectionStore,
  DomainLimitReached
} from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { isRetryOf } from "../../../src/persistence/stores/connections/isRetryOf.ts"
import {
  decodeConnection,
  encodeConnection,
  type StoredConnection,
  type VersionedConnectionRecord
} from "../../../src/persistence/stores/connections/StoredConnection.ts"
import {
  type ConnectionRow,
  hex,
  isSameTenancy,
  isUsableKey,
  rememberHosts,
  storedConnectionOf,
  Tables
} from "./Tables.ts"
import { writeAuditRows } from "./auditStoreInMemory.ts"
import { writeOutbox } from "./webhookOutboxInMemory.ts"
import { canWrite, dueFrom, findSameIntent, timelineRows, writeTransition } from "./writeTransition.ts"

const day = 24 * 60 * 60 * 1_000

/** Stores connections in maps, with the same guarantees as the tables of PostgreSQL. */
export const connectionStoreInMemory = Layer.effect(
  ConnectionStore,
  Effect.map(Tables, (tables) => {
    const { connections, idempotency } = tables

    const findEarlier = (tenancy: Tenancy, request: IdempotentRequest, now: number) =>
      Option.fromNullable(idempotency.get(keyOf(tenancy, request))).pipe(
        Option.filter(({ createdAt }) => createdAt > now - day),
        Option.map(({ connectionId: id, doc, fingerprint, state, version }) =>
          Effect.map(isRetryOf(request, fingerprint), (isRetry) =>
            isRetry ? CommitResult.Replayed({ stored: { id, state, doc, version } }) : CommitResult.KeyReused()
          )
        )
      )

    /** Writes once for an idempotency key: a repeated request gets the result of the first. */
    const once = (tenancy: Tenancy, request: Option.Option<IdempotentRequest>, write: (now: number) => CommitResult) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<CommitResult, StoreUnavailable> => {
        const before = Option.flatMap(request, (key) => findEarlier(tenancy, key, now))
        if (Option.isSome(before)) return before.value
        const commit = write(now)
        if (Option.isSome(request) && commit._tag === "Done") {
          const { id: connectionId, ...stored } = commit.stored
          const [fingerprint] = request.value.fingerprints
          idempotency.set(keyOf(tenancy, request.value), { ...stored, connectionId, fingerprint, createdAt: now })
        }
        return Effect.succeed(commit)
      })

    /** Another connection with the same external id. */
    const findNamesake = (tenancy: Tenancy, { externalId, id }: Connection) =>
      Option.fromNullable(
        [...connections.values()].find(
          (row) =>
            isSameTenancy(row.tenancy, tenancy) &&
            !finalStates.includes(row.state) &&
            row.id !== id &&
            externalId !== undefined &&
            row.externalId === externalId
        )
      ).pipe(Option.map((row) => ConnectionExists.ofExternalId(row.id)))

    /** The connection that opposes another one with the same external id or intent. */
    const findExisting = (tenancy: Tenancy, { after: { connection } }: Transition, refusesDuplicate: boolean) => {
      const namesake = findNamesake(tenancy, connection)
      if (Option.isSome(namesake)) return namesake
      const same = refusesDuplicate ? findSameIntent(tables, intentKeyOf(tenancy, connection)) : undefined
      return Option.map(Option.fromNullable(same), ({ id }) => ConnectionExists.ofIntent(id))
    }

    const isFull = (tenancy: Tenancy, registeredDomain: string, limit: number) =>
      [...connections.values()].filter(
        ({ domain, state, tenancy: owner }) =>
          isSameTenancy(owner, tenancy) && !finalStates.includes(state) && isAtOrBelow(domain, registeredDomain)
      ).length >= limit

    const rowOf = (tenancy: Tenancy, id: StoredConnection["id"]) =>
      Effect.suspend(() => Option.fromNullable(connections.get(id))).pipe(
        Effect.filterOrFail((row) => isSameTenancy(row.tenancy, tenancy)),
        Effect.mapError(() => ConnectionNotFound.error)
      )

    const unchangedRow = (tenancy: Tenancy, { connection: { id }, version }: VersionedConnectionRecord) =>
      Option.filter(
        Option.fromNullable(connections.get(id)),
        (row) => isSameTenancy(row.tenancy, tenancy) && row.version === version
      )

    return {
      create: (tenancy, first, request, { apiKeyId, domainLimit = Option.none(), refusesDuplicate = false } = {}) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const key = [...tables.keys.values()].find(({ id }) => id === apiKeyId)
          if (apiKeyId !== undefined && !isUsableKey(key, now)) return yield* new ApiKeyInvalid()
          const isReplay = Option.exists(request, (key) => Option.isSome(findEarlier(tenancy, key, now)))
          const existing = isReplay ? Option.none() : findExisting(tenancy, first, refusesDuplicate)
          if (Option.isSome(existing)) return yield* existing.value
          const registeredDomain = registeredDomainOf(first.after.connection.effectiveIntent.domain)
          if (!isReplay && Option.isSome(domainLimit) && isFull(tenancy, registeredDomain, domainLimit.value))
            return yield* new DomainLimitReached({ limit: domainLimit.value })
          return yield* once(tenancy, request, (now) => {
            const row = firstRow(tenancy, first, now)
            connections.set(row.id, row)
            rememberHosts(tables, tenancy, desiredNamesOf(first.after.connection))
            writeOutbox(tables, row, first.events, now)
            writeAuditRows(tables, { ...tenancy, connectionId: row.id }, first.audit, now)
            return CommitResult.Done({ stored: storedConnectionOf(row) })
          })
        }),
      findReplay: (tenancy, request) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.transposeOption(findEarlier(tenancy, request, now))),
      find: (tenancy, id) => Effect.map(rowOf(tenancy, id), storedConnectionOf),
      findRecord: (tenancy, id) =>
        Effect.map(rowOf(tenancy, id), (row) => ({ ...connectionRecordOf(row), version: row.version })),
      update: (tenancy, read, transition, request) =>
        once(tenancy, request, (now) => {
          const { duplicates, newIntent } = transition
          const duplicate =
            newIntent === undefined || duplicates !== "refused"
              ? undefined
              : findSameIntent(tables, hex(computeIntentKey(tenancy, newIntent)), read.connection.id)
          const existing = Option.orElse(findNamesake(tenancy, transition.after.connection), () =>
            Option.map(Option.fromNullable(duplicate), ({ id }) => ConnectionExists.ofIntent(id))
          )
          if (Option.isSome(existing)) return CommitResult.Duplicate({ existing: existing.value })
          return Option.match(
            Option.filter(unchangedRow(tenancy, read), (row) => canWrite(tables, row, transition)),
            {
              onNone: CommitResult.Stale,
              onSome: (row) => {
                writeTransition(tables, row, transition, now)
                return CommitResult.Done({ stored: storedConnectionOf(row) })
              }
            }
          )
        }),
      keepAnswer: (tenancy, read, request) =>
        once(tenancy, Option.some(request), () =>
          Option.match(unchangedRow(tenancy, read), {
            onNone: CommitResult.Stale,
            onSome: (row) => CommitResult.Done({ stored: storedConnectionOf(row) })
          })
        )
    }
  })
)

/** The current record of the connection in a row, decoded once for all who read the row until it is written again. */
export const connectionRecordOf = (row: ConnectionRow): ConnectionRecord => {
  const { doc, progress } = row
  const decoded = decodedRows.get(row)
  if (decoded?.doc === doc && decoded.progress === progress) return decoded.record
  const record = decodeRecord(doc, progress)
  decodedRows.set(row, { doc, progress, record })
  return record
}

const decodedRows = new WeakMap<
  ConnectionRow,
  { readonly doc: string; readonly progress: string | undefined; readonly record: ConnectionRecord }
>()

const decodeRecord = (doc: string, progress: string | undefined): ConnectionRecord => {
  const connection = decodeConnection(doc)
  return { connection, progress: progress === undefined ? makeInitialProgress(connection) : decodeProgress(progress) }
}

const decodeProgress = Schema.decodeSync(Schema.parseJson(Progress))

const firstRow = (
  tenancy: Tenancy,
  { events, next, after: { connection } }: Transition,
  now: number
): ConnectionRow => ({
  tenancy,
  id: connection.id,
  domain: connection.effectiveIntent.domain,
  createdAt: DateTime.toEpochMillis(connection.createdAt),
  ...(connection.externalId === undefined ? {} : { externalId: connection.externalId }),
  intentKey: intentKeyOf(tenancy, connection),
  state: connection.state,
  doc: encodeConnection(connection),
  version: 1,
  phase: Option.map(next, ({ phase }) => phase),
  dueAt: dueFrom(next, now),
  attempt: 0,
  isTaken: false,
  claim: 0,
  events: [...timelineRows(now, events)]
})

const intentKeyOf = (tenancy: Tenancy, { effectiveIntent }: Connection): string =>
  hex(computeIntentKey(tenancy, effectiveIntent))

const keyOf = (tenancy: Tenancy, { key, route }: IdempotentRequest) =>
  JSON.stringify([tenancy.applicationId, tenancy.tenantId, route, key])
