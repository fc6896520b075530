import { Clock, DateTime, Duration, Effect, Layer, Option } from "effect"
import {
  type AuditAction,
  type AuditDetails,
  auditActionOf,
  type NewAuditEntry
} from "../../../src/domain/access/AuditEntry.ts"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { ApplicationId, TenantId } from "../../../src/domain/access/Tenancy.ts"
import { AuditEntryNotFound, AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { pageOf } from "./pageOf.ts"
import { Tables } from "./Tables.ts"

/** What an entry is about. */
interface AuditSubject {
  /** Absent for what belongs to no application. */
  readonly applicationId?: ApplicationId
  readonly tenantId?: TenantId
  readonly connectionId?: ConnectionId
}

/** Writes audit entries, as the statements of PostgreSQL do. */
export const writeAuditRows = (
  { audit, auditPosition }: Tables["Type"],
  { applicationId, connectionId, tenantId }: AuditSubject,
  entries: ReadonlyArray<NewAuditEntry>,
  now: number
): void => {
  for (const { action, actor, address, details, requestId, tenantId: actingTenantId } of entries) {
    const entryTenantId = tenantId ?? actingTenantId
    const id = auditIdOf((auditPosition.last += 1))
    audit.set(id, {
      id,
      occurredAt: DateTime.unsafeMake(now),
      action,
      actor,
      ...(applicationId === undefined ? {} : { applicationId }),
      ...(entryTenantId === undefined ? {} : { tenantId: entryTenantId }),
      ...(connectionId === undefined ? {} : { connectionId }),
      ...details,
      ...(requestId === undefined ? {} : { requestId }),
      ...(address === undefined ? {} : { address })
    })
  }
}

/** Writes the entry of an action of the current actor. */
export const writeAuditAction = (
  tables: Tables["Type"],
  subject: AuditSubject,
  action: AuditAction,
  details: AuditDetails = {}
): Effect.Effect<void> =>
  Effect.zipWith(auditActionOf(action, details), Clock.currentTimeMillis, (entry, now) =>
    writeAuditRows(tables, subject, [entry], now)
  )

/** The audit log in a map, with the same guarantees as the table of PostgreSQL. */
export const auditStoreInMemory = Layer.effect(
  AuditStore,
  Effect.map(Tables, ({ adminKeys, audit, keys }) => ({
    list: Effect.fnUntraced(function* (
      applicationId,
      { action, actor, connectionId, tenantId },
      { after, order = "desc", ...page }
    ) {
      const log = [...audit.values()].filter((entry) => entry.applicationId === Option.getOrUndefined(applicationId))
      if (after !== undefined && !log.some(({ id }) => id === after))
        return yield* new AuditEntryNotFound({ id: after })
      return {
        readUpTo: Option.none(),
        entries: pageOf(
          log.filter(
            (entry) =>
              (tenantId === undefined || entry.tenantId === tenantId) &&
              (connectionId === undefined || entry.connectionId === connectionId) &&
              (actor === undefined || entry.actor.id === actor) &&
              (action === undefined || entry.action === action)
          ),
          { ...page, order, ...(after === undefined ? {} : { after }) },
          { id: ({ id }) => id, createdAt: ({ occurredAt }) => occurredAt.epochMillis }
        ).map((entry) => {
          const key = [...keys.values(), ...adminKeys.values()].find(({ id }) => id === entry.actor.id)
          return { ...entry, actor: { ...entry.actor, ...(key?.name == null ? {} : { name: key.name }) } }
        })
      }
    }),
    completeUntil: Effect.map(Clock.currentTimeMillis, (now) => new Date(now)),
    deleteOld: (age, limit) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const old = [...audit.values()]
          .slice(0, limit)
          .filter(({ occurredAt }) => DateTime.toEpochMillis(occurredAt) < now - Duration.toMillis(age))
        old.forEach(({ id }) => audit.delete(id))
        return old.length
      })
  }))
)

/** The id of the entry with this number. */
const auditIdOf = (position: number): string => `aud_${String(position).padStart(16, "0")}`
