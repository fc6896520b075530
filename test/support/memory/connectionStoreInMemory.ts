import { Clock, Effect, Layer, Option } from "effect"
import {
  ConnectionNotFound,
  ConnectionStore,
  connectionOf,
  Creation,
  docOf
} from "../../../src/persistence/ConnectionStore.ts"
import type { Idempotency } from "../../../src/domain/Idempotency.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { type ConnectionRow, sameTenancy, Tables } from "./Tables.ts"

const day = 24 * 60 * 60 * 1_000

/** Connections in maps, with the same promises as the tables of PostgreSQL. */
export const connectionStoreInMemory = Layer.effect(
  ConnectionStore,
  Effect.map(Tables, ({ connections, idempotency }) => {
    const earlier = (tenancy: Tenancy, known: Idempotency, now: number) =>
      Option.fromNullable(idempotency.get(keyOf(tenancy, known))).pipe(
        Option.filter(({ createdAt }) => createdAt > now - day),
        Option.map(({ connectionId: id, doc, fingerprint, state }) =>
          fingerprint === known.fingerprint
            ? Creation.Replayed({ stored: { id, state, doc, version: 1 } })
            : Creation.KeyReused()
        )
      )

    return {
      create: (tenancy, { connection, event, phase }, known) =>
        Effect.map(Clock.currentTimeMillis, (now): Creation => {
          const before = Option.flatMap(known, (key) => earlier(tenancy, key, now))
          if (Option.isSome(before)) return before.value
          const { id, state } = connection
          const doc = docOf(connection)
          const dueAt = dueFrom(phase, now)
          connections.set(id, {
            tenancy,
            id,
            state,
            doc,
            version: 1,
            phase,
            dueAt,
            attempt: 0,
            claim: 0,
            events: [event]
          })
          if (Option.isSome(known)) {
            const { fingerprint } = known.value
            idempotency.set(keyOf(tenancy, known.value), { fingerprint, connectionId: id, state, doc, createdAt: now })
          }
          return Creation.Created({ stored: { id, state, doc, version: 1 } })
        }),
      replay: (tenancy, known) => Effect.map(Clock.currentTimeMillis, (now) => earlier(tenancy, known, now)),
      find: (tenancy, id) =>
        Effect.suspend(() => Option.fromNullable(connections.get(id))).pipe(
          Effect.filterOrFail((row) => sameTenancy(row.tenancy, tenancy)),
          Effect.map(({ doc, state, version }) => ({ id, state, doc, version })),
          Effect.mapError(() => ConnectionNotFound.error)
        ),
      takeDue: (limit, againSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          [...connections.values()]
            .filter(({ dueAt }) => Option.exists(dueAt, (at) => at <= now))
            .toSorted((one, other) => Option.getOrElse(one.dueAt, () => 0) - Option.getOrElse(other.dueAt, () => 0))
            .slice(0, limit)
            .flatMap((row) => {
              row.attempt += 1
              row.dueAt = Option.some(now + againSeconds * 1_000)
              return Option.toArray(row.phase).map((phase) => ({ connectionId: row.id, phase, attempt: row.attempt }))
            })
        ),
      claim: ({ attempt, connectionId, phase }) =>
        Effect.sync(() =>
          Option.fromNullable(connections.get(connectionId)).pipe(
            Option.filter((row) => row.attempt === attempt && Option.contains(row.phase, phase)),
            Option.map((row) => {
              row.claim += 1
              return { connection: connectionOf(row.doc), attempt, claim: row.claim, version: row.version }
            })
          )
        ),
      save: (held, { connection, event, phase }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const row = connections.get(connection.id)
          if (row?.attempt !== held.attempt || row.claim !== held.claim || row.version !== held.version) return false
          row.state = connection.state
          row.doc = docOf(connection)
          row.version += 1
          row.phase = phase
          row.dueAt = dueFrom(phase, now)
          row.events.push(event)
          return true
        })
    }
  })
)

const keyOf = (tenancy: Tenancy, { key, route }: Idempotency) =>
  JSON.stringify([tenancy.applicationId, tenancy.tenantId, route, key])

const dueFrom = (phase: ConnectionRow["phase"], now: number) => Option.as(phase, now)
