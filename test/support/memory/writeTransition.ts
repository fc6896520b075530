import { Option, Struct } from "effect"
import { type ConnectionId, finalStates } from "../../../src/domain/connection/Connection.ts"
import { computeIntentKey, holdsIntent } from "../../../src/domain/connection/ConnectionKeys.ts"
import {
  CredentialChange,
  type NewTimelineEntry,
  type ScheduledPhase,
  SessionChange,
  type Transition
} from "../../../src/domain/connection/Transition.ts"
import { desiredNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import { encodeConnection, encodeProgress } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { writeAuditRows } from "./auditStoreInMemory.ts"
import { type ConnectionRow, type EventRow, hex, hostKeyOf, rememberHosts, type Tables } from "./Tables.ts"
import { reportContested, writeOutbox } from "./webhookOutboxInMemory.ts"

/** Writes a transition to a row and to the rows that belong to it, as the one statement of PostgreSQL does. */
export const writeTransition = (
  tables: Tables["Type"],
  row: ConnectionRow,
  {
    audit,
    contests = [],
    countingIntent,
    credential,
    duplicates,
    events,
    keepsPhase = false,
    newIntent,
    next,
    observations: observed,
    session,
    after: { connection, progress }
  }: Transition,
  now: number
): void => {
  const { credentials, oauthSessions, observations } = tables
  rememberHosts(tables, row.tenancy, desiredNamesOf(connection))
  row.state = connection.state
  if (newIntent !== undefined) {
    const key = hex(computeIntentKey(row.tenancy, newIntent))
    if (duplicates === undefined && row.intentKey !== key && findSameIntent(tables, key, row.id) !== undefined)
      delete row.intentKey
    else row.intentKey = key
  }
  if (countingIntent === undefined) delete row.countingIntentKey
  else row.countingIntentKey = hex(computeIntentKey(row.tenancy, countingIntent))
  if (!holdsIntent(connection)) {
    delete row.intentKey
    delete row.countingIntentKey
  }
  row.doc = encodeConnection(connection)
  row.progress = encodeProgress(progress)
  row.version += 1
  if (connection.externalId === undefined) delete row.externalId
  else row.externalId = connection.externalId
  if (!keepsPhase) {
    row.phase = Option.map(next, ({ phase }) => phase)
    row.dueAt = dueFrom(next, now)
  } else if (row.isTaken) row.dueAt = Option.some(now)
  row.isTaken = Option.exists(next, ({ isTaken }) => isTaken === true)
  row.events.push(...timelineRows(now, events))
  writeOutbox(tables, row, events, now)
  const written = audit.filter(({ action }) => action !== "credential.deleted" || credentials.has(row.id))
  writeAuditRows(tables, { ...row.tenancy, connectionId: row.id }, written, now)
  reportContested(tables, contests, now)
  CredentialChange.$match(credential, {
    Keep: () => undefined,
    Delete: () => void credentials.delete(row.id),
    Replace: ({ lifetimeSeconds, sealed }) => {
      const owner = { ...row.tenancy, connectionId: row.id }
      credentials.set(row.id, { owner, sealed, expiresAt: now + lifetimeSeconds * 1_000 })
    }
  })
  SessionChange.$match(session, {
    Keep: () => undefined,
    Delete: () => void oauthSessions.delete(row.id),
    Replace: ({ session: { lifetimeSeconds, sealed, ticketHash } }) => {
      const owner = { ...row.tenancy, connectionId: row.id }
      const expiresAt = now + lifetimeSeconds * 1_000
      oauthSessions.set(row.id, { owner, sealed, ticketHash: hex(ticketHash), expiresAt })
    }
  })
  if (Option.isSome(observed)) observations.set(row.id, observed.value)
}

/** A connection that has not ended, and that leads to the intent with this key or has it still. */
export const findSameIntent = (
  { connections }: Tables["Type"],
  key: string,
  except?: ConnectionId
): ConnectionRow | undefined =>
  [...connections.values()].find(
    ({ countingIntentKey, id, intentKey, state }) =>
      id !== except && (intentKey === key || countingIntentKey === key) && !finalStates.includes(state)
  )

export const dueFrom = (next: Option.Option<ScheduledPhase>, now: number): Option.Option<number> =>
  Option.map(next, ({ inSeconds }) => now + inSeconds * 1_000)

export const timelineRows = (occurredAt: number, events: ReadonlyArray<NewTimelineEntry>): ReadonlyArray<EventRow> =>
  events
    .filter(({ from, to }) => from !== to)
    .map((event) => ({ ...Struct.omit(event, "type", "missing"), occurredAt }))

/** Whether the tenant of a transition holds the names on which it relies, at the moment of its write. */
export const canWrite = (
  { hostHolders }: Tables["Type"],
  { tenancy }: ConnectionRow,
  { requiredHolder }: Transition
): boolean =>
  requiredHolder === undefined ||
  requiredHolder.names.every(
    (name) => hostHolders.get(hostKeyOf(tenancy, name))?.tenancy.tenantId === requiredHolder.tenantId
  )
