import { Array, Clock, Effect, Layer, Option, Order } from "effect"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { type PhaseClaim, PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { type SharePolicy, unlimitedShare } from "../../../src/persistence/stores/phases/SharePolicy.ts"
import { type ConnectionRow, Tables } from "./Tables.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"
import { canWrite, writeTransition } from "./writeTransition.ts"

/** Hands out due phases from maps, with the same guarantees as the tables of PostgreSQL. */
export const phaseStoreInMemory = Layer.effect(
  PhaseStore,
  Effect.map(Tables, (tables) => {
    const { connections } = tables
    return {
      takeDue: (limit, retrySeconds, sharePolicy = unlimitedShare) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          dealDue([...connections.values()], now, sharePolicy)
            .slice(0, limit)
            .flatMap((row) => {
              row.attempt += 1
              row.isTaken = true
              const claim = claimRow(row, now + retrySeconds * 1_000)
              return Option.toArray(row.phase).map((phase) => ({
                ...row.tenancy,
                connectionId: row.id,
                phase,
                attempt: row.attempt,
                claim: Effect.succeed(claim),
                trace: Option.none()
              }))
            })
        ),
      claim: ({ attempt, connectionId, phase }, retrySeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable(connections.get(connectionId)).pipe(
            Option.filter((row) => row.attempt === attempt && Option.contains(row.phase, phase)),
            Option.map((row) => claimRow(row, now + retrySeconds * 1_000))
          )
        ),
      release: ({ attempt, connectionId }, inSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const row = connections.get(connectionId)
          if (row?.attempt === attempt && row.isTaken) giveBack(row, now + inSeconds * 1_000)
        }),
      releaseUnknown: (running) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const known = new Set(running.map(({ attempt, connectionId }) => `${connectionId}/${attempt}`))
          for (const row of connections.values())
            if (row.isTaken && !known.has(`${row.id}/${row.attempt}`)) giveBack(row, now)
        }),
      save: ({ attempt, claim, connection: { id }, version }, transition) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const row = connections.get(id)
          if (row?.attempt !== attempt || row.claim !== claim || row.version !== version) return false
          if (!canWrite(tables, row, transition)) return false
          writeTransition(tables, row, transition, now)
          return true
        }),
      countConnections: Effect.succeed([]),
      measureBacklog: Effect.map(Clock.currentTimeMillis, (now) => {
        const due = [...connections.values()].flatMap(({ dueAt }) => Option.toArray(dueAt)).filter((at) => at <= now)
        return { waiting: Math.min(due.length, 10_000), oldestSeconds: (now - Math.min(now, ...due)) / 1_000 }
      })
    }
  })
)

const claimRow = (row: ConnectionRow, dueAt: number): PhaseClaim => {
  row.claim += 1
  row.dueAt = Option.some(dueAt)
  const { attempt, claim, version } = row
  return { ...connectionRecordOf(row), attempt, claim, version }
}

const giveBack = (row: ConnectionRow, dueAt: number): void => {
  row.isTaken = false
  row.dueAt = Option.some(dueAt)
}

/** The rows that are due and may be taken, in the order in which the tenants take turns. */
const dealDue = (rows: ReadonlyArray<ConnectionRow>, now: number, { loads, perTenant }: SharePolicy) => {
  const byTenant = Map.groupBy(
    rows.filter(({ dueAt }) => Option.exists(dueAt, (at) => at <= now)),
    ({ tenancy }) => keyOf(tenancy)
  )
  loads.filter(({ room }) => room <= 0).forEach(({ tenancy }) => byTenant.delete(keyOf(tenancy)))
  const turns = [...byTenant].flatMap(([tenant, due]) => {
    const {
      inFlight = 0,
      lastTurn = 0,
      room = due.length
    } = loads.find(({ tenancy }) => keyOf(tenancy) === tenant) ?? {}
    return Array.take(Array.sort(due, byDueAt), room).map((row, nth) => ({ row, lastTurn, turn: inFlight + nth + 1 }))
  })
  return turns
    .filter(({ turn }) => turn <= perTenant || byTenant.size === 1)
    .toSorted((a, b) => a.turn - b.turn || a.lastTurn - b.lastTurn || byDueAt(a.row, b.row))
    .map(({ row }) => row)
}

const byDueAt = Order.mapInput(Order.number, ({ dueAt }: ConnectionRow) => Option.getOrElse(dueAt, () => 0))

const keyOf = ({ applicationId, tenantId }: Tenancy): string => `${applicationId}/${tenantId}`
