import { SqlClient } from "@effect/sql"
import { type Array, Context, Duration, Effect, Layer, Option, Schema, flow } from "effect"
import { ConnectionId, Direction } from "../../../domain/connection/Connection.ts"
import { DomainName, toFqdn } from "../../../domain/names/DomainName.ts"
import type { NameSet } from "../../../domain/names/NameSet.ts"
import { hostOfChange, PlanDigest } from "../../../domain/plan/Plan.ts"
import { RunChange } from "../../../domain/plan/RunChange.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import type { FencingToken } from "./LeaseStore.ts"
import { decodeRowsInSlices, isWritten } from "../decodeRows.ts"
import { journalEntryBytes, writeUsage } from "../usage/usageChanges.ts"
import { nameRangesSql, toReversedName } from "../connections/reversedNames.ts"

/**
 * The status of one change. `pending`: not made, and to be sent, perhaps again. `sent`: sent, so that the zone may hold
 * it. `confirmed`: the zone holds it. `unknown`: the provider gave no clear answer, so that the zone may hold it.
 * `failed`: the zone does not hold it, and it is not sent (again).
 */
export const JournalStatus = Schema.Literal("pending", "sent", "confirmed", "unknown", "failed")
export type JournalStatus = typeof JournalStatus.Type

/** One attempt to apply one plan; `run` is its id. */
const JournalRun = Schema.Struct({
  run: Schema.String,
  connectionId: ConnectionId,
  providerId: Schema.String,
  zone: DomainName,
  domain: DomainName,
  direction: Direction,
  digest: PlanDigest
})
export type JournalRun = typeof JournalRun.Type

/** One change of a run; `step` counts from 0 in the order in which they are written, `position` grows over all runs. */
const JournalEntry = Schema.Struct({
  ...JournalRun.fields,
  position: Schema.NumberFromString,
  step: Schema.Int,
  change: Schema.parseJson(RunChange),
  status: JournalStatus,
  plannedAt: Schema.DateTimeUtcFromDate,
  /** When it became `confirmed`, `unknown` or `failed`. */
  settledAt: Schema.OptionFromNullOr(Schema.DateTimeUtcFromDate)
})
export type JournalEntry = typeof JournalEntry.Type

/** A change that the zone may contain, and how long ago that was settled by the clock of the database; none if it is only sent. */
const RecentWrite = Schema.Struct({
  ...JournalEntry.fields,
  settledAgo: Schema.OptionFromNullOr(Schema.DurationFromMillis)
})
type RecentWrite = typeof RecentWrite.Type

/** Which recent changes to find: in a zone at a provider, at some names and at all where the connection has changes. */
export interface RecentWritesQuery extends Pick<JournalRun, "connectionId" | "providerId" | "zone"> {
  readonly names: NameSet
  readonly within: Duration.Duration
}

/** The statuses from which a change may enter each status; a confirmed change stays confirmed. */
export const allowedPreviousStatuses: { readonly [_ in JournalStatus]: ReadonlyArray<JournalStatus> } = {
  pending: ["sent", "pending"],
  sent: ["pending", "sent", "unknown"],
  confirmed: ["pending", "sent", "unknown", "confirmed"],
  unknown: ["sent", "unknown"],
  failed: ["pending", "sent", "unknown", "failed"]
}

/** The statuses of a change that is still to be applied or checked. */
export const unsettledStatuses: ReadonlyArray<JournalStatus> = ["pending", "sent", "unknown"]

/** The statuses of a change that the zone may contain. */
export const possiblyWrittenStatuses: ReadonlyArray<JournalStatus> = ["sent", "confirmed", "unknown"]

type Guards = Array.NonEmptyReadonlyArray<FencingToken>

/**
 * Records changes before they are sent. Each write is one statement, and without effect unless all leases of its fencing
 * tokens are held: then it returns false or none.
 */
export class JournalStore extends Context.Tag("persistence/JournalStore")<
  JournalStore,
  {
    /** Inserts a run's changes as `pending` unless it exists; returns its entries by step; none without the lease. */
    readonly openRun: (
      guards: Guards,
      run: JournalRun,
      changes: ReadonlyArray<RunChange>
    ) => Effect.Effect<Option.Option<ReadonlyArray<JournalEntry>>, StoreUnavailable>
    /** Sets the status of some steps, all or none; also false if one of them may not enter it. */
    readonly setStatus: (
      guards: Guards,
      run: JournalRun["run"],
      steps: ReadonlyArray<number>,
      status: JournalStatus
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Sets every unsettled change of a run to `failed`, and appends `replacements` to the run. */
    readonly replaceUnsettled: (
      guards: Guards,
      run: JournalRun,
      replacements: ReadonlyArray<RunChange>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** The entries of a run in the order of their steps. */
    readonly findByRun: (run: JournalRun["run"]) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    /** The entries of the latest run of a connection that has unsettled changes; empty if there is none. */
    readonly findUnfinishedRun: (id: ConnectionId) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    readonly findByConnection: (id: ConnectionId) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    /** The changes of all connections that are sent, or were settled within a time without having failed; oldest first. */
    readonly findRecentWrites: (query: RecentWritesQuery) => Effect.Effect<ReadonlyArray<RecentWrite>, StoreUnavailable>
    /** The entries of all connections at some names that the zone may contain, at any provider, oldest first. */
    readonly findInZone: (
      zone: DomainName,
      scope: NameSet
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    readonly hasWrites: (id: ConnectionId) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    JournalStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql`
        run, connection_id as "connectionId", provider_id as "providerId", zone, domain, direction, digest,
        position, step, change, status, planned_at as "plannedAt", settled_at as "settledAt"`
      const selectEntries = sql`select ${columns} from journal`

      /** Locks the rows of the leases, so that no other process takes one over before the statement ends. */
      const guardSql = (guards: Guards) => sql`
        held as (
          select key from leases
          where until > clock_timestamp() and (key, claim) in (
            select * from unnest(${guards.map(({ key }) => key)}::text[], ${guards.map(({ claim }) => claim)}::bigint[])
          )
          order by key for share
        ), guard as (
          select count(*) = ${guards.length} as is_good from held
        )`

      const insertSql = (run: JournalRun, changes: ReadonlyArray<RunChange>) => sql`
        insert into journal (run, connection_id, provider_id, zone, domain, direction, digest, step, change, status,
          reversed_name)
        select ${run.run}, ${run.connectionId}, ${run.providerId}, ${run.zone}, ${run.domain}, ${run.direction},
          ${run.digest}, known.steps + ordinal - 1, change, 'pending', name
        from (select count(*) as steps from journal where run = ${run.run}) as known,
          unnest(
            ${changes.map((change) => encodeChange(change))}::text[],
            ${changes.map((change) => toReversedName(toFqdn(hostOfChange(change), run.domain)))}::text[]
          ) with ordinality as planned (change, name, ordinal)
        where (select is_good from guard)`

      const usageOfOpened = sql.literal(
        writeUsage(`
          select c.application_id, c.tenant_id, ${journalEntryBytes("opened")} as bytes
          from opened join connections as c on c.id = opened."connectionId"`)
      )

      return {
        openRun: Effect.fnUntraced(function* (guards, run, changes) {
          const rows = yield* sql`
            with ${guardSql(guards)}, opened as (
              ${insertSql(run, changes)} and known.steps = 0 order by ordinal returning ${columns}
            ), ${usageOfOpened}
            select entries.*, is_good as written
            from guard left join (select * from opened union all ${selectEntries} where run = ${run.run}) as entries on true
            order by step`
          if (!(yield* isWritten(rows))) return Option.none()
          return Option.some(yield* decodeEntries(rows.filter(({ step }) => step !== null)))
        }, mapSqlErrors),
        setStatus: Effect.fnUntraced(function* (guards, run, steps, status) {
          const rows = yield* sql`
            with ${guardSql(guards)}, ready as (
              select position from journal
              where run = ${run} and step = any(${steps}) and status = any(${allowedPreviousStatuses[status]})
              for update
            ), permit as (
              select is_good and (select count(*) from ready) = ${steps.length} as is_good from guard
            ), marked as (
              update journal set status = ${status}, settled_at = case
                  when status = ${status} then settled_at
                  when ${!unsettledStatuses.includes(status)} or ${status === "unknown"} then now()
                end
              where position in (select position from ready) and (select is_good from permit)
            )
            select is_good as written from permit`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        replaceUnsettled: Effect.fnUntraced(function* (guards, run, replacements) {
          const rows = yield* sql`
            with ${guardSql(guards)}, failed as (
              update journal set status = 'failed', settled_at = now()
              where run = ${run.run} and status = any(${unsettledStatuses}) and (select is_good from guard)
            ), opened as (
              ${insertSql(run, replacements)} order by ordinal returning connection_id as "connectionId", change
            ), ${usageOfOpened}
            select is_good as written from guard`
          return yield* isWritten(rows)
        }, mapSqlErrors),
        findByRun: (run) =>
          Effect.flatMap(sql`${selectEntries} where run = ${run} order by step`, decodeEntries).pipe(mapSqlErrors),
        findUnfinishedRun: Effect.fnUntraced(function* (id) {
          const rows = yield* sql`
            ${selectEntries} where run = (
              select run from journal where connection_id = ${id} and status = any(${unsettledStatuses})
              order by position desc limit 1
            ) order by step`
          return yield* decodeEntries(rows)
        }, mapSqlErrors),
        findByConnection: (id) =>
          Effect.flatMap(sql`${selectEntries} where connection_id = ${id} order by position`, decodeEntries).pipe(
            mapSqlErrors
          ),
        findRecentWrites: Effect.fnUntraced(function* (query) {
          const { connectionId, names, providerId, within, zone } = query
          const rows = yield* sql`
            select ${columns}, case when settled_at is not null
                then (greatest(0, extract(epoch from clock_timestamp() - settled_at)) * 1000)::float8
              end as "settledAgo"
            from journal
            where provider_id = ${providerId} and status = any(${possiblyWrittenStatuses}) and (
              settled_at is null or settled_at > clock_timestamp() - ${Duration.toSeconds(within)} * interval '1 second'
            ) and position in (
              select position from ${nameRangesSql(sql, names)}, lateral (
                select position from journal where zone = ${zone} and reversed_name between low and high offset 0
              ) as named
              union all
              select other.position from journal as own
                join journal as other on other.zone = own.zone and other.reversed_name = own.reversed_name
                where own.connection_id = ${connectionId} and own.zone = ${zone}
            )
            order by position`
          return yield* decodeRecentWrites(rows)
        }, mapSqlErrors),
        findInZone: Effect.fnUntraced(function* (zone, scope) {
          const rows = yield* sql`
            ${selectEntries}
            where status = any(${possiblyWrittenStatuses}) and position in (
              select position from ${nameRangesSql(sql, scope)}, lateral (
                select position from journal where zone = ${zone} and reversed_name between low and high offset 0
              ) as named
              union all
              select position from journal where zone = ${zone} and reversed_name is null
            )
            order by position`
          return yield* decodeEntries(rows)
        }, mapSqlErrors),
        hasWrites: Effect.fnUntraced(function* (id) {
          const rows = yield* sql`
            select 1 from journal where connection_id = ${id} and status = any(${possiblyWrittenStatuses}) limit 1`
          return rows.length > 0
        }, mapSqlErrors)
      }
    })
  )
}

const encodeChange = flow(Schema.encodeSync(RunChange), JSON.stringify)

const decodeEntries = decodeRowsInSlices(JournalEntry)
const decodeRecentWrites = decodeRowsInSlices(RecentWrite)
