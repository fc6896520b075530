import { Clock, DateTime, Duration, Effect, Layer, Option } from "effect"
import { auditActionOf } from "../../../src/domain/access/AuditEntry.ts"
import { type ConnectionId, finalStates } from "../../../src/domain/connection/Connection.ts"
import { desiredNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import { type DomainName, isAtOrBelow } from "../../../src/domain/names/DomainName.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { type Tenancy, TenantId } from "../../../src/domain/access/Tenancy.ts"
import { withoutValidation } from "../../../src/domain/values/boundedSchemas.ts"
import { type ErasureScope, ErasureStore } from "../../../src/persistence/stores/erasure/ErasureStore.ts"
import { writeAuditAction, writeAuditRows } from "./auditStoreInMemory.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"
import { type ConnectionRow, deleteWhere, isSameTenancy, isUsableKey, rememberHosts, Tables } from "./Tables.ts"
import { insertEvent } from "./webhookOutboxInMemory.ts"

/** Erases from the tables, with the same guarantees as the statements of PostgreSQL. */
export const erasureStoreInMemory = Layer.effect(
  ErasureStore,
  Effect.map(Effect.all([Tables, Identifiers]), ([tables, { next }]) => {
    const { connections, journal, keptJournals } = tables
    const listIn = (scope: ErasureScope) => [...connections.values()].filter(({ tenancy }) => isIn(scope)(tenancy))

    const isNeeded = (id: ConnectionId, now: number) => {
      const own = [...journal.values()].filter(({ connectionId }) => connectionId === id)
      const live = [...connections.values()].filter((row) => !hasEnded(row))
      const livesIn = (zone: DomainName) => (row: ConnectionRow) =>
        [...journal.values()].some((entry) => entry.zone === zone && entry.connectionId === row.id) ||
        (row.state !== "requested" &&
          desiredNamesOf(connectionRecordOf(row).connection).some((name) => isAtOrBelow(name, zone)))
      return own.some(
        ({ plannedAt, settledAt, zone }) =>
          live.some(livesIn(zone)) ||
          DateTime.toEpochMillis(Option.getOrElse(settledAt, () => plannedAt)) > now - Duration.toMillis("5 minutes")
      )
    }

    const release = (ids: ReadonlyArray<ConnectionId>, now: number) =>
      ids.forEach((id) => {
        if (isNeeded(id, now)) return void keptJournals.set(id, { ...keptJournals.get(id), checkedAt: now })
        keptJournals.delete(id)
        deleteWhere(journal, ({ connectionId }) => connectionId === id)
      })

    const listZoneLeases = (id: ConnectionId) =>
      [...journal.values()].flatMap(({ connectionId, providerId, zone }) =>
        connectionId === id ? [`zone:${providerId}/${zone}`] : []
      )

    const eraseRow = Effect.fnUntraced(function* (row: ConnectionRow) {
      const now = yield* Clock.currentTimeMillis
      const eventId = yield* next("evt")
      const isOwn = ({ connectionId }: { readonly connectionId?: ConnectionId }) => connectionId === row.id
      const isOwned = ({ owner }: { readonly owner: { readonly connectionId: ConnectionId } }) => isOwn(owner)
      connections.delete(row.id)
      tables.observations.delete(row.id)
      deleteWhere(tables.tokens, isOwn)
      deleteWhere(tables.idempotency, isOwn)
      deleteWhere(tables.credentials, isOwned)
      deleteWhere(tables.oauthSessions, isOwned)
      deleteWhere(tables.webhookEvents, isOwn)
      deleteWhere(tables.webhookDeliveries, ({ event }) => isOwn(event))
      for (const key of [`connection:${row.id}`, `credential:${row.id}`, ...listZoneLeases(row.id)])
        if ((tables.leases.get(key)?.until ?? 0) <= now) tables.leases.delete(key)
      for (const [key, holder] of [...tables.hostHolders].filter(([, holder]) => isOwn(holder))) {
        const heir = listIn(row.tenancy).find(
          (other) =>
            (other.state === "active" || other.state === "degraded") &&
            desiredNamesOf(connectionRecordOf(other).connection).some((name) => name === holder.name)
        )
        if (heir === undefined) tables.hostHolders.delete(key)
        else tables.hostHolders.set(key, { ...holder, connectionId: heir.id })
      }
      if ([...journal.values()].some(isOwn)) keptJournals.set(row.id, { tenancy: row.tenancy, checkedAt: now })
      const data = `{"connection":${JSON.stringify({ id: row.id })},"version":${row.version + 1}}`
      const event = { id: eventId, ...row.tenancy, connectionId: row.id, data, createdAt: now }
      insertEvent(tables, { ...event, type: "connection.erased" })
      const audit = yield* auditActionOf("connection.erased", { eventId })
      writeAuditRows(tables, { ...row.tenancy, connectionId: row.id }, [audit], now)
      release(
        [row.id].filter((id) => keptJournals.has(id)),
        now
      )
    })

    const erase = (rows: ReadonlyArray<ConnectionRow>) => Effect.as(Effect.forEach(rows, eraseRow), rows.length)

    return {
      eraseConnection: (tenancy, id) =>
        Effect.map(
          Effect.suspend(() => erase(listIn(tenancy).filter((row) => row.id === id && hasEnded(row)))),
          (erased) => erased > 0
        ),
      eraseOld: (age, limit) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const isOld = ({ events }: ConnectionRow) => (events.at(-1)?.occurredAt ?? now) < now - Duration.toMillis(age)
          return erase([...connections.values()].filter((row) => hasEnded(row) && isOld(row)).slice(0, limit))
        }),
      eraseConnections: (scope, limit) => Effect.suspend(() => erase(listIn(scope).filter(hasEnded).slice(0, limit))),
      count: (scope) =>
        Effect.map(Clock.currentTimeMillis, (now) => ({
          liveConnections: listIn(scope).filter((row) => !hasEnded(row)).length,
          endedConnections: listIn(scope).filter(hasEnded).length,
          apiKeys: [...tables.keys.values()].filter((key) => isIn(scope)(key) && isUsableKey(key, now)).length
        })),
      countPendingDeliveries: (applicationId) =>
        Effect.sync(
          () =>
            [...tables.webhookDeliveries.values()].filter(({ endpointId, event, status }) => {
              const endpoint = tables.webhookEndpoints.get(endpointId)
              return (
                endpoint?.applicationId === applicationId &&
                endpoint.pauseReason === undefined &&
                status === "pending" &&
                event.type === "connection.erased"
              )
            }).length
        ),
      eraseTenant: (tenancy) =>
        Effect.gen(function* () {
          if (listIn(tenancy).length > 0) return false
          const keys = [...tables.keys.values()].filter((key) => isSameTenancy(key, tenancy))
          const requested = [...tables.requestedHosts.values()].filter((own) => isSameTenancy(own.tenancy, tenancy))
          const kept = [...keptJournals].filter(
            ([, { tenancy: owner }]) => owner !== undefined && isSameTenancy(owner, tenancy)
          )
          const filtered = [...tables.webhookEndpoints.values()].filter(
            ({ applicationId, settings }) =>
              applicationId === tenancy.applicationId && settings.tenantIds?.includes(tenancy.tenantId) === true
          )
          deleteWhere(tables.keys, (key) => isSameTenancy(key, tenancy))
          deleteWhere(tables.hostHolders, (holder) => isSameTenancy(holder.tenancy, tenancy))
          deleteWhere(tables.requestedHosts, (own) => isSameTenancy(own.tenancy, tenancy))
          rememberHosts(
            tables,
            nameless(tenancy),
            requested.map(({ name }) => name)
          )
          kept.forEach(([id, { checkedAt }]) => keptJournals.set(id, { checkedAt }))
          for (const endpoint of filtered) {
            const tenantIds = endpoint.settings.tenantIds?.filter((id) => id !== tenancy.tenantId) ?? []
            endpoint.settings = { ...endpoint.settings, tenantIds }
            endpoint.version += 1
          }
          if ([keys, requested, kept, filtered].some((traces) => traces.length > 0))
            yield* writeAuditAction(tables, tenancy, "tenant.erased")
          return true
        }),
      releaseJournals: (limit) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const isDue = ({ checkedAt }: { readonly checkedAt: number }) =>
            checkedAt < now - Duration.toMillis("10 minutes")
          const due = [...keptJournals].filter(([, kept]) => isDue(kept)).slice(0, limit)
          release(
            due.map(([id]) => id),
            now
          )
          return due.length
        })
    }
  })
).pipe(Layer.provide(Identifiers.layer))

const nameless = (tenancy: Tenancy): Tenancy => ({ ...tenancy, tenantId: TenantId.make("", withoutValidation) })

const hasEnded = ({ state }: ConnectionRow): boolean => finalStates.includes(state)

const isIn =
  ({ applicationId, tenantId }: ErasureScope) =>
  (owner: ErasureScope): boolean =>
    owner.applicationId === applicationId && (tenantId === undefined || owner.tenantId === tenantId)
