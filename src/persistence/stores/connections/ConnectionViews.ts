import { SqlClient } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Option, Order, Predicate, Schema } from "effect"
import {
  ConnectionId,
  ConnectionState,
  FailureCode,
  finalStates,
  ReplanCode
} from "../../../domain/connection/Connection.ts"
import { type ConnectionRecord, servedStates } from "../../../domain/connection/ConnectionRecord.ts"
import { computeExternalKey, computeMetadataKeys } from "../../../domain/connection/ConnectionKeys.ts"
import { slotsOf } from "../../../domain/connection/lookSchedule.ts"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import type { NameSet } from "../../../domain/names/NameSet.ts"
import type { PageRequest } from "../../../domain/values/PageRequest.ts"
import type { ExternalId, Metadata } from "../../../domain/connection/PlatformFields.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { decodeConnectionRecords, StoredConnection } from "./StoredConnection.ts"
import { decodeRows, decodeRowsInSlices } from "../decodeRows.ts"
import { nameRangesSql } from "./reversedNames.ts"
import { anyOf } from "../anyOf.ts"
import { encodeArray } from "../../batchStatement.ts"
import { selectPage } from "../selectPage.ts"

/** Restricts a list of connections; an absent field does not restrict it. */
export interface ConnectionFilter {
  readonly states?: ReadonlyArray<ConnectionState>
  readonly domain?: DomainName
  readonly externalId?: ExternalId
  /** The metadata that it has, and others. */
  readonly metadata?: Metadata
}

export const TimelineRow = Schema.Struct({
  id: Schema.String,
  from: Schema.NullOr(ConnectionState),
  to: ConnectionState,
  failure: Schema.NullOr(FailureCode),
  replan: Schema.NullOr(ReplanCode),
  occurredAt: Schema.DateTimeUtcFromDate
})
export type TimelineRow = typeof TimelineRow.Type

/** The last answers of the name servers, in wire form, and when they are queried again. */
export interface StoredObservations {
  readonly doc: Option.Option<string>
  /** When one of them was last asked for what all had answered, and did so; none where only all of them are asked. */
  readonly lastCheckedAt: Option.Option<DateTime.Utc>
  readonly nextCheckAt: Option.Option<DateTime.Utc>
}

/** Reads lists and versions of connections, timelines, observations, and the connections that share a zone. */
export class ConnectionViews extends Context.Tag("persistence/ConnectionViews")<
  ConnectionViews,
  {
    /** Connections of a tenant, by default the oldest first; at least two, then up to `maxBytes` of documents. */
    readonly list: (
      tenancy: Tenancy,
      filter: ConnectionFilter,
      page: PageRequest & { readonly maxBytes: number }
    ) => Effect.Effect<ReadonlyArray<StoredConnection>, StoreUnavailable>
    /** Reads the versions of these connections, as far as the tenant has them, and no other column. */
    readonly findVersions: (
      tenancy: Tenancy,
      ids: ReadonlyArray<ConnectionId>
    ) => Effect.Effect<ReadonlyMap<ConnectionId, number>, StoreUnavailable>
    /** The timeline of a connection, the newest last unless the page says otherwise. */
    readonly listTimeline: (
      id: ConnectionId,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<TimelineRow>, StoreUnavailable>
    readonly findObservations: (id: ConnectionId) => Effect.Effect<StoredObservations, StoreUnavailable>
    /**
     * Connections with records in the zone at some names, oldest first: the tenant's, and others that proved control or that
     * the service wrote for.
     */
    readonly listZoneTenants: (
      tenancy: Tenancy,
      scope: NameSet
    ) => Effect.Effect<ReadonlyArray<ConnectionId>, StoreUnavailable>
    /** Reads these connections of any tenant, oldest first. */
    readonly readRecords: (
      ids: ReadonlyArray<ConnectionId>
    ) => Effect.Effect<ReadonlyArray<ConnectionRecord>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionViews,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      list: Effect.fnUntraced(function* (
        tenancy,
        { domain, externalId, metadata, states },
        { limit, maxBytes, ...window }
      ) {
        const { orderBy, where } = selectPage(sql, window)
        const keys = metadata === undefined ? [] : computeMetadataKeys(tenancy, metadata)
        // Without `offset 0` the planner may read all connections of the tenant in the order of the page.
        const source =
          keys.length === 0
            ? sql`connections`
            : sql`(select * from connections where metadata_keys @> ${encodeArray(keys)}::bytea[] offset 0) as found`
        const rows = yield* sql`
          select id, state, doc, version from (
            select *, row_number() over (order by ${orderBy}) as nth,
              sum(octet_length(doc)) over (order by ${orderBy}) - octet_length(doc) as bytes_before
            from (
              select id, state, doc, version from ${source} where ${sql.and([
                sql`application_id = ${tenancy.applicationId} and tenant_id = ${tenancy.tenantId}`,
                where,
                ...(states === undefined ? [] : [sql`state = any(${states})`]),
                ...(domain === undefined ? [] : [sql`domain = ${domain}`]),
                ...(externalId === undefined ? [] : [sql`external_key = ${computeExternalKey(tenancy, externalId)}`])
              ])} order by ${orderBy} limit ${limit}
            ) as page
          ) as measured
          where bytes_before <= ${maxBytes} or nth <= 2 order by ${orderBy}`
        return yield* decodeStored(rows)
      }, mapSqlErrors),
      findVersions: Effect.fnUntraced(function* ({ applicationId, tenantId }, ids) {
        const rows = yield* sql`
          select id, version from connections
          where id = ${anyOf(sql, ids)} and application_id = ${applicationId} and tenant_id = ${tenantId}`
        return new Map(Array.map(yield* decodeVersions(rows), ({ id, version }) => [id, version]))
      }, mapSqlErrors),
      listTimeline: Effect.fnUntraced(function* (id, { limit, ...window }) {
        const { orderBy, where } = selectPage(sql, window)
        const rows = yield* sql`
          select id, from_state as "from", to_state as "to", failure, replan, created_at as "occurredAt"
          from connection_events where connection_id = ${id} and ${where} order by ${orderBy} limit ${limit}`
        return yield* decodeTimeline(rows)
      }, mapSqlErrors),
      findObservations: Effect.fnUntraced(function* (id) {
        const rows = yield* sql`
          select o.doc, case when c.phase = 'verify' then c.due_at end as "nextCheckAt", w.look_key as "lookKey",
            w.checked_at as "lastCheckedAt"
          from connections c left join observations o on o.connection_id = c.id
            left join watches w on w.connection_id = c.id
          where c.id = ${id}`
        const [row] = yield* decodeObservations(rows)
        const [looks] =
          row === undefined || row.lookKey === null
            ? []
            : yield* decodeLooks(
                yield* sql`
                  select max(looked_at) as "lastCheckedAt", min(due_at) as "nextCheckAt"
                  from look_slots where slot = any(${slotsOf(row.lookKey)})`
              )
        return {
          doc: Option.fromNullable(row?.doc),
          lastCheckedAt: findFirst(Order.reverse(DateTime.Order), [row?.lastCheckedAt, looks?.lastCheckedAt]),
          nextCheckAt: findFirst(DateTime.Order, [row?.nextCheckAt, looks?.nextCheckAt])
        }
      }, mapSqlErrors),
      listZoneTenants: Effect.fnUntraced(function* ({ applicationId, tenantId }, scope) {
        const rows = yield* sql`
          select id
          from (
              select distinct connection_id from ${nameRangesSql(sql, scope)}, lateral (
                select connection_id from connection_hosts where reversed_name between low and high offset 0
              ) as hosts
            ) as candidates,
            lateral (select * from connections where id = connection_id offset 0) as candidate,
            lateral (
              select has_records, case
                when json -> 'control' is null then coalesce((json ->> 'proven')::boolean, false) or has_records
                else coalesce((json ->> 'wrote')::boolean, false) or json #>> '{control,provenBy}' is not null
              end as counts_for_others
              from (select progress::jsonb as json) as parsed, lateral (
                select coalesce((json ->> 'wrote')::boolean or json -> 'entered' <> '[]', false) as has_records
              ) as found
            ) as known
          where (state = any(${servedStates}) or (state <> all(${finalStates}) and has_records))
            and ((application_id = ${applicationId} and tenant_id = ${tenantId}) or counts_for_others)
          order by id`
        return (yield* decodeIds(rows)).map(({ id }) => id)
      }, mapSqlErrors),
      readRecords: Effect.fnUntraced(function* (ids) {
        const rows = yield* sql`
          select doc as connection, progress from connections where id = ${anyOf(sql, ids)} order by id`
        return yield* decodeRecords(rows)
      }, mapSqlErrors)
    }))
  )
}

const decodeStored = decodeRows(StoredConnection)

const decodeVersions = decodeRows(Schema.Struct({ id: ConnectionId, version: Schema.Int }))

const decodeTimeline = decodeRows(TimelineRow)

const findFirst = (order: Order.Order<DateTime.Utc>, times: ReadonlyArray<DateTime.Utc | null | undefined>) =>
  Array.head(Array.sort(times.filter(Predicate.isNotNullable), order))

const OptionalTime = Schema.NullOr(Schema.DateTimeUtcFromDate)

const decodeObservations = decodeRows(
  Schema.Struct({
    doc: Schema.NullOr(Schema.String),
    nextCheckAt: OptionalTime,
    lookKey: Schema.NullOr(Schema.Int),
    lastCheckedAt: OptionalTime
  })
)

const decodeLooks = decodeRows(Schema.Struct({ lastCheckedAt: OptionalTime, nextCheckAt: OptionalTime }))

const decodeIds = decodeRows(Schema.Struct({ id: ConnectionId }))

const decodeRecords = decodeConnectionRecords(Schema.Struct({}), decodeRowsInSlices)
