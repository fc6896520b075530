import { SqlClient } from "@effect/sql"
import { Array, Context, Data, Duration, Effect, Layer, Option, Schema } from "effect"
import { ActorType } from "../../../domain/access/Actor.ts"
import { AuditAction, AuditDetails, type AuditEntry } from "../../../domain/access/AuditEntry.ts"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { PageRequest } from "../../../domain/values/PageRequest.ts"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { decodeRows } from "../decodeRows.ts"
import { auditEntryBytes, writeUsage } from "../usage/usageChanges.ts"

export interface AuditFilter {
  readonly tenantId?: TenantId
  readonly connectionId?: ConnectionId
  readonly actor?: string
  readonly action?: AuditAction
}

/** A part of the log. */
interface AuditPage {
  readonly entries: ReadonlyArray<AuditEntry>
  /** The last entry that was read, if others after it may match the filter too. */
  readonly readUpTo: Option.Option<string>
}

/** The log has no entry that the next page could follow: it was too old and is deleted, or a backup had none. */
export class AuditEntryNotFound extends Data.TaggedError("AuditEntryNotFound")<{ readonly id: string }> {
  override readonly message = `the log has no entry ${this.id}; AUDIT_RETENTION has deleted it, or the database was restored from an earlier backup`
}

/** Reads the audit log, which the other stores write with their own statements, and deletes old entries. */
export class AuditStore extends Context.Tag("persistence/AuditStore")<
  AuditStore,
  {
    /** The entries of an application, or of what belongs to none, by default the newest first. */
    readonly list: (
      applicationId: Option.Option<ApplicationId>,
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<AuditPage, AuditEntryNotFound | StoreUnavailable>
    /** The moment before which no entry is missing: transactions that have begun before it have ended. */
    readonly completeUntil: Effect.Effect<Date, StoreUnavailable>
    /** Deletes up to `limit` entries that are older, and returns their number. */
    readonly deleteOld: (age: Duration.Duration, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AuditStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      list: Effect.fnUntraced(
        function* (applicationId, filter, { limit, order = "desc", ...page }) {
          // Both statements must see the same entries: others come in at the same time.
          yield* sql`set transaction isolation level repeatable read, read only`
          if (page.after !== undefined) yield* requireEntry(sql, applicationId, page.after)
          const { others, window } = toConditions(sql, applicationId, filter, { ...page, order })
          const direction = sql.literal(order)
          const rows = yield* sql`
          with read as materialized (
            select * from audit_entries where ${window} order by created_at ${direction}, id ${direction} limit ${entriesAtOnce}
          )
          select ${auditIdSql(sql)} as id, created_at as "occurredAt", ${sql.literal(auditActionOf("read"))} as action, actor_type, actor_id, case actor_type
              when 'api_key' then (select name from api_keys as k where k.id = actor_id)
              when 'admin_key' then (select name from admin_keys as k where k.id = actor_id) end as actor_name,
            application_id as "applicationId", tenant_id as "tenantId", connection_id as "connectionId", details,
            request_id as "requestId", address
          from read where ${others} order by created_at ${direction}, read.id ${direction} limit ${limit}`
          const entries = Array.map(yield* decodeEntries(rows), toEntry)
          if (entries.length === limit) return { entries, readUpTo: Option.none() }
          const last = yield* sql`
          select ${auditIdSql(sql)} as id from audit_entries where ${window}
          order by created_at ${direction}, audit_entries.id ${direction} offset ${entriesAtOnce - 1} limit 1`
          return { entries, readUpTo: Option.map(Array.head(yield* decodeIds(last)), ({ id }) => id) }
        },
        sql.withTransaction,
        mapSqlErrors
      ),
      completeUntil: sql`
        select coalesce(min(xact_start), now()) as moment from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.pipe(
        Effect.flatMap(decodeMoments),
        Effect.flatMap(Array.head),
        Effect.catchTag("NoSuchElementException", Effect.die),
        Effect.map(({ moment }) => moment),
        mapSqlErrors
      ),
      deleteOld: Effect.fnUntraced(function* (age, limit) {
        // The oldest come first, so that no other row is read when none is old enough.
        const rows = yield* sql`
          with oldest as (
            select id, created_at from audit_entries order by id limit ${limit} for update skip locked
          ), deleted as (
            delete from audit_entries as e using oldest
            where e.id = oldest.id and oldest.created_at < now() - ${Duration.toSeconds(age)} * interval '1 second'
            returning application_id, tenant_id, -(${sql.literal(auditEntryBytes("e"))}) as bytes
          ), ${sql.literal(writeUsage("select * from deleted"))}
          select 1 from deleted`
        return rows.length
      }, mapSqlErrors)
    }))
  )
}

/** However few entries match a filter, no request reads more of the log. */
const entriesAtOnce = 10_000

/** Fails without an entry to continue after: a comparison with it would find nothing, as at the end of the log. */
const requireEntry = (sql: SqlClient.SqlClient, applicationId: Option.Option<ApplicationId>, id: string) =>
  Effect.flatMap(
    sql`select 1 from audit_entries where id = ${positionOf(id)}::bigint and ${ofApplication(sql, applicationId)}`,
    (rows) => (rows.length === 0 ? Effect.fail(new AuditEntryNotFound({ id })) : Effect.void)
  )

const ofApplication = (sql: SqlClient.SqlClient, applicationId: Option.Option<ApplicationId>) =>
  Option.match(applicationId, {
    onNone: () => sql`application_id is null`,
    onSome: (id) => sql`application_id = ${id}`
  })

/** The conditions that an index serves, in the order of the log, and the others. */
const toConditions = (
  sql: SqlClient.SqlClient,
  applicationId: Option.Option<ApplicationId>,
  { action, actor, connectionId, tenantId }: AuditFilter,
  { after, createdAfter, createdBefore, order }: Omit<PageRequest, "limit">
) => {
  const equalities = [
    ...(connectionId === undefined ? [] : [sql`connection_id = ${connectionId}`]),
    // The names of keys and tokens; the index has no phases of the service.
    ...(actor?.includes("_") === true ? [sql`actor_id = ${actor} and actor_type <> 'service'`] : []),
    ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`])
  ]
  return {
    window: sql.and([
      ofApplication(sql, applicationId),
      ...Array.take(equalities, 1),
      ...(createdAfter === undefined ? [] : [sql`created_at >= ${createdAfter}`]),
      ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
      ...(after === undefined
        ? []
        : [
            sql`(created_at, id) ${sql.literal(order === "asc" ? ">" : "<")}
              (select created_at, id from audit_entries where id = ${positionOf(after)}::bigint)`
          ])
    ]),
    others: sql.and([
      sql`true`,
      ...Array.drop(equalities, 1),
      ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
      ...(action === undefined ? [] : [sql`(${sql.literal(auditActionOf("read"))}) = ${action}`])
    ])
  }
}

/** The width of the numbers that JavaScript represents exactly. */
const idDigits = 16

const auditIdSql = (sql: SqlClient.SqlClient) => sql.literal(`'aud_' || lpad(id::text, ${idDigits}, '0')`)

/** The number in an id; 0, which no entry has, for a cursor of something else. */
const positionOf = (id: string): string => /^aud_(\d{1,18})$/.exec(id)?.[1] ?? "0"

const EntryRow = Schema.Struct({
  id: Schema.String,
  occurredAt: Schema.DateTimeUtcFromDate,
  action: AuditAction,
  actor_type: ActorType,
  actor_id: Schema.String,
  actor_name: Schema.NullOr(Schema.String),
  applicationId: Schema.NullOr(ApplicationId),
  tenantId: Schema.NullOr(TenantId),
  connectionId: Schema.NullOr(ConnectionId),
  details: AuditDetails,
  requestId: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
})

const decodeEntries = decodeRows(EntryRow)

const decodeMoments = decodeRows(Schema.Struct({ moment: Schema.ValidDateFromSelf }))

const decodeIds = decodeRows(Schema.Struct({ id: Schema.String }))

const toEntry = ({ actor_id, actor_name, actor_type, details, ...row }: typeof EntryRow.Type): AuditEntry => ({
  id: row.id,
  occurredAt: row.occurredAt,
  action: row.action,
  actor: { type: actor_type, id: actor_id, ...(actor_name === null ? {} : { name: actor_name }) },
  ...(row.applicationId === null ? {} : { applicationId: row.applicationId }),
  ...(row.tenantId === null ? {} : { tenantId: row.tenantId }),
  ...(row.connectionId === null ? {} : { connectionId: row.connectionId }),
  ...details,
  ...(row.requestId === null ? {} : { requestId: row.requestId }),
  ...(row.address === null ? {} : { address: row.address })
})

/**
 * The action of an audit row. Earlier versions used names of lifecycle events, some of which now mean another event. Rows
 * never change, and both versions write during an upgrade: the states tell which version wrote one.
 */
const auditActionOf = (row: string): string => {
  const from = `${row}.details ->> 'from'`
  const to = `${row}.details ->> 'to'`
  return `case ${row}.action
    when 'connection.verified' then case
      when ${to} = 'active' and ${from} = 'verifying' then 'connection.active'
      when ${to} is null then 'connection.control_proven'
      else ${eventOfState(to)} end
    when 'connection.restored' then case when ${to} = 'disconnected' then 'connection.disconnected' else ${row}.action end
    when 'connection.discovery_failed' then 'connection.failed'
    when 'connection.discovered' then case
      when ${to} = 'verifying' then 'connection.applied'
      when ${from} in ('requested', 'degraded') and ${to} <> ${from} then 'connection.planned'
      else ${row}.action end
    when 'connection.planned' then case
      when ${to} = 'verifying' then 'connection.applied'
      when ${to} in ('applying', 'disconnecting') then 'connection.plan_made'
      else ${row}.action end
    when 'connection.control_lost' then case when ${to} = 'degraded' then 'connection.degraded' else ${row}.action end
    when 'connection.canceled' then case
      when ${to} <> 'canceled' then 'connection.change_canceled' else ${row}.action end
    when 'connection.expired' then coalesce(${eventOfState(to)}, ${row}.action)
    else ${row}.action end`
}

/** The event that reports a state which a connection did not enter from `verifying`. */
const eventOfState = (state: string): string => `case ${state}
  when 'active' then 'connection.restored'
  when 'verifying' then 'connection.applied'
  else 'connection.' || (${state}) end`
