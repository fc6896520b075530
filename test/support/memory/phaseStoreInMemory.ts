import { Array, Clock, Effect, Layer, Option, Order } from "effect"
import { PhaseStore } from "../../../src/persistence/stores/PhaseStore.ts"
import { Tables } from "./Tables.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"
import { writeTransition } from "./writeTransition.ts"

/** Hands out due phases from maps, with the same guarantees as the tables of PostgreSQL. */
export const phaseStoreInMemory = Layer.effect(
  PhaseStore,
  Effect.map(Tables, (tables) => {
    const { connections } = tables
    return {
      takeDue: (limit, retrySeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Array.sortWith(
            [...connections.values()].filter(({ dueAt }) => Option.exists(dueAt, (at) => at <= now)),
            ({ dueAt }) => Option.getOrElse(dueAt, () => 0),
            Order.number
          )
            .slice(0, limit)
            .flatMap((row) => {
              row.attempt += 1
              row.dueAt = Option.some(now + retrySeconds * 1_000)
              return Option.toArray(row.phase).map((phase) => ({ connectionId: row.id, phase, attempt: row.attempt }))
            })
        ),
      claim: ({ attempt, connectionId, phase }, retrySeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable(connections.get(connectionId)).pipe(
            Option.filter((row) => row.attempt === attempt && Option.contains(row.phase, phase)),
            Option.map((row) => {
              row.claim += 1
              row.dueAt = Option.some(now + retrySeconds * 1_000)
              return { ...connectionRecordOf(row), attempt, claim: row.claim, version: row.version }
            })
          )
        ),
      save: ({ attempt, claim, connection: { id }, version }, transition) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const row = connections.get(id)
          if (row?.attempt !== attempt || row.claim !== claim || row.version !== version) return false
          writeTransition(tables, row, transition, now)
          return true
        }),
      measureBacklog: Effect.map(Clock.currentTimeMillis, (now) => {
        const due = [...connections.values()].flatMap(({ dueAt }) => Option.toArray(dueAt)).filter((at) => at <= now)
        return { waiting: Math.min(due.length, 10_000), oldestSeconds: (now - Math.min(now, ...due)) / 1_000 }
      })
    }
  })
)
