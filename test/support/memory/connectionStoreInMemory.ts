import { Clock, DateTime, Effect, Layer, Option, Schema } from "effect"
import { type Idempotency, mayRepeat } from "../../../src/domain/Idempotency.ts"
import { noProgress, Progress } from "../../../src/domain/Progress.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { type Advanced, connectionOf, docOf } from "../../../src/persistence/Advanced.ts"
import {
  Commit,
  ConnectionNotFound,
  ConnectionStore,
  type StoredConnection
} from "../../../src/persistence/ConnectionStore.ts"
import { type ConnectionRow, sameTenancy, storedIn, Tables } from "./Tables.ts"
import { dueFrom, entriesAt, writeStep } from "./writeStep.ts"

const day = 24 * 60 * 60 * 1_000

/** Connections in maps, with the same promises as the tables of PostgreSQL. */
export const connectionStoreInMemory = Layer.effect(
  ConnectionStore,
  Effect.map(Tables, (tables) => {
    const { connections, idempotency } = tables

    const earlier = (tenancy: Tenancy, known: Idempotency, now: number) =>
      Option.fromNullable(idempotency.get(keyOf(tenancy, known))).pipe(
        Option.filter(({ createdAt }) => createdAt > now - day),
        Option.map(({ connectionId: id, doc, fingerprint, state, version }) =>
          mayRepeat(known, fingerprint) ? Commit.Replayed({ stored: { id, state, doc, version } }) : Commit.KeyReused()
        )
      )

    /** The effect of a request, or what an earlier one under its key was answered, at one moment. */
    const once = (tenancy: Tenancy, known: Option.Option<Idempotency>, write: (now: number) => Commit) =>
      Effect.map(Clock.currentTimeMillis, (now): Commit => {
        const before = Option.flatMap(known, (key) => earlier(tenancy, key, now))
        if (Option.isSome(before)) return before.value
        const commit = write(now)
        if (Option.isSome(known) && commit._tag === "Done") {
          const { id: connectionId, ...stored } = commit.stored
          const [fingerprint] = known.value.fingerprints
          idempotency.set(keyOf(tenancy, known.value), { ...stored, connectionId, fingerprint, createdAt: now })
        }
        return commit
      })

    const rowOf = (tenancy: Tenancy, id: StoredConnection["id"]) =>
      Effect.suspend(() => Option.fromNullable(connections.get(id))).pipe(
        Effect.filterOrFail((row) => sameTenancy(row.tenancy, tenancy)),
        Effect.mapError(() => ConnectionNotFound.error)
      )

    return {
      create: (tenancy, first, known) =>
        once(tenancy, known, (now) => {
          const row = firstRow(tenancy, first, now)
          connections.set(row.id, row)
          return Commit.Done({ stored: storedIn(row) })
        }),
      replay: (tenancy, known) => Effect.map(Clock.currentTimeMillis, (now) => earlier(tenancy, known, now)),
      find: (tenancy, id) => Effect.map(rowOf(tenancy, id), storedIn),
      standing: (tenancy, id) =>
        Effect.map(rowOf(tenancy, id), (row) => ({ ...standingIn(row), version: row.version })),
      change: (tenancy, { connection: { id }, version }, advanced, known) =>
        once(tenancy, known, (now) => {
          const row = connections.get(id)
          if (row === undefined || !sameTenancy(row.tenancy, tenancy) || row.version !== version) return Commit.Stale()
          writeStep(tables, row, advanced, now)
          return Commit.Done({ stored: storedIn(row) })
        })
    }
  })
)

/** Where the connection of a row stands. */
export const standingIn = ({ doc, progress }: ConnectionRow) => {
  const connection = connectionOf(doc)
  return { connection, progress: progress === undefined ? noProgress(connection) : decodeProgress(progress) }
}

const decodeProgress = Schema.decodeSync(Schema.parseJson(Progress))

const firstRow = (
  tenancy: Tenancy,
  { events, next, standing: { connection } }: Advanced,
  now: number
): ConnectionRow => ({
  tenancy,
  id: connection.id,
  domain: connection.effectiveIntent.domain,
  createdAt: DateTime.toEpochMillis(connection.createdAt),
  state: connection.state,
  doc: docOf(connection),
  version: 1,
  phase: Option.map(next, ({ phase }) => phase),
  dueAt: dueFrom(next, now),
  attempt: 0,
  claim: 0,
  events: [...entriesAt(now, events)]
})

const keyOf = (tenancy: Tenancy, { key, route }: Idempotency) =>
  JSON.stringify([tenancy.applicationId, tenancy.tenantId, route, key])
