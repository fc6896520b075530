import { SqlClient } from "@effect/sql"
import { type Array, Context, Effect, Layer, Schema } from "effect"
import { ConnectionId, Direction } from "../../domain/Connection.ts"
import { DomainName } from "../../domain/DomainName.ts"
import { Change, PlanDigest } from "../../domain/Plan.ts"
import { orUnavailable, type StoreUnavailable } from "../StoreUnavailable.ts"
import type { FencingToken } from "./LeaseStore.ts"
import { decodeRows, isWritten } from "./decodeRows.ts"

/**
 * What became of a change: not yet asked for; asked for, so that it may be there; there; perhaps there, since the
 * provider did not say; never to be asked for (again), and not there.
 */
export const JournalStatus = Schema.Literal("pending", "sent", "confirmed", "unknown", "failed")
export type JournalStatus = typeof JournalStatus.Type

/** One writing of one plan, by an id of its own. */
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

/** One change of a run; `step` counts from 0 in the order of the plan, `position` grows over all runs. */
const JournalEntry = Schema.Struct({
  ...JournalRun.fields,
  position: Schema.NumberFromString,
  step: Schema.Int,
  change: Schema.parseJson(Change),
  status: JournalStatus,
  plannedAt: Schema.DateTimeUtcFromDate,
  /** When it was found to be there, perhaps there, or not there. */
  settledAt: Schema.OptionFromNullOr(Schema.DateTimeUtcFromDate)
})
export type JournalEntry = typeof JournalEntry.Type

/** From which status a change may come to another; one that is confirmed stays so. */
export const allowedPreviousStatuses: { readonly [_ in JournalStatus]: ReadonlyArray<JournalStatus> } = {
  pending: [],
  sent: ["pending", "sent", "unknown"],
  confirmed: ["pending", "sent", "unknown", "confirmed"],
  unknown: ["sent", "unknown"],
  failed: ["pending", "sent", "unknown", "failed"]
}

/** The statuses of a change about which something is still to be done or found out. */
export const unsettledStatuses: ReadonlyArray<JournalStatus> = ["pending", "sent", "unknown"]

/** The statuses of a change that the zone may hold. */
export const possiblyWrittenStatuses: ReadonlyArray<JournalStatus> = ["sent", "confirmed", "unknown"]

type Guards = Array.NonEmptyReadonlyArray<FencingToken>

/**
 * What was to be written to zones and what became of it. Every write is one statement and happens only while all leases
 * that it names are held; false says that one is not, and then nothing is written.
 */
export class JournalStore extends Context.Tag("persistence/JournalStore")<
  JournalStore,
  {
    /** Notes the changes of a run as `pending`; of a run that is known nothing is changed. */
    readonly openRun: (
      guards: Guards,
      run: JournalRun,
      changes: ReadonlyArray<Change>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Notes the status of some steps, all or none; false also if one of them may no longer come to it. */
    readonly setStatus: (
      guards: Guards,
      run: JournalRun["run"],
      steps: ReadonlyArray<number>,
      status: JournalStatus
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Notes all of a run that is not settled as `failed`, and `instead` as its further changes. */
    readonly replaceUnsettled: (
      guards: Guards,
      run: JournalRun,
      instead: ReadonlyArray<Change>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** The entries of a run in the order of their steps. */
    readonly findByRun: (run: JournalRun["run"]) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    /** The entries of the latest run of a connection of which something is not settled; empty if there is none. */
    readonly findUnfinishedRun: (id: ConnectionId) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    /** Every entry of a connection, oldest first. */
    readonly findByConnection: (id: ConnectionId) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    /** What the connections of a zone may have written to it at whatever provider, oldest first. */
    readonly findByZone: (zone: DomainName) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
    /** Whether a connection may have written anything. */
    readonly hasWrites: (id: ConnectionId) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    JournalStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const entries = sql`
        select run, connection_id as "connectionId", provider_id as "providerId", zone, domain, direction, digest,
          position, step, change, status, planned_at as "plannedAt", settled_at as "settledAt"
        from journal`

      /** Shares the rows of the leases, so that nobody can take one over before the statement ends. */
      const guard = (guards: Guards) => sql`
        held as (
          select key from leases
          where until > clock_timestamp() and (key, claim) in (
            select * from unnest(${guards.map(({ key }) => key)}::text[], ${guards.map(({ claim }) => claim)}::bigint[])
          )
          for share
        ), guard as (
          select count(*) = ${guards.length} as is_good from held
        )`

      /** Behind the last step that the run has. */
      const inserted = (run: JournalRun, changes: ReadonlyArray<Change>) => sql`
        insert into journal (run, connection_id, provider_id, zone, domain, direction, digest, step, change, status)
        select ${run.run}, ${run.connectionId}, ${run.providerId}, ${run.zone}, ${run.domain}, ${run.direction},
          ${run.digest}, known.steps + place - 1, change, 'pending'
        from (select count(*) as steps from journal where run = ${run.run}) as known,
          unnest(${changes.map((change) => jsonOf(change))}::text[]) with ordinality as planned (change, place)
        where (select is_good from guard)`

      return {
        openRun: Effect.fn("JournalStore.openRun")(function* (guards, run, changes) {
          const rows = yield* sql`
            with ${guard(guards)}, opened as (${inserted(run, changes)} and known.steps = 0 order by place)
            select is_good as written from guard`
          return yield* isWritten(rows)
        }, orUnavailable),
        setStatus: Effect.fn("JournalStore.setStatus")(function* (guards, run, steps, status) {
          const rows = yield* sql`
            with ${guard(guards)}, ready as (
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
        }, orUnavailable),
        replaceUnsettled: Effect.fn("JournalStore.replaceUnsettled")(function* (guards, run, instead) {
          const rows = yield* sql`
            with ${guard(guards)}, failed as (
              update journal set status = 'failed', settled_at = now()
              where run = ${run.run} and status = any(${unsettledStatuses}) and (select is_good from guard)
            ), opened as (${inserted(run, instead)} order by place)
            select is_good as written from guard`
          return yield* isWritten(rows)
        }, orUnavailable),
        findByRun: Effect.fn("JournalStore.findByRun")(
          (run) => Effect.flatMap(sql`${entries} where run = ${run} order by step`, decodeEntries),
          orUnavailable
        ),
        findUnfinishedRun: Effect.fn("JournalStore.findUnfinishedRun")(function* (id) {
          const rows = yield* sql`
            ${entries} where run = (
              select run from journal where connection_id = ${id} and status = any(${unsettledStatuses})
              order by position desc limit 1
            ) order by step`
          return yield* decodeEntries(rows)
        }, orUnavailable),
        findByConnection: Effect.fn("JournalStore.findByConnection")(
          (id) => Effect.flatMap(sql`${entries} where connection_id = ${id} order by position`, decodeEntries),
          orUnavailable
        ),
        findByZone: Effect.fn("JournalStore.findByZone")(function* (zone) {
          const rows = yield* sql`
            ${entries} where zone = ${zone} and status = any(${possiblyWrittenStatuses}) order by position`
          return yield* decodeEntries(rows)
        }, orUnavailable),
        hasWrites: Effect.fn("JournalStore.hasWrites")(function* (id) {
          const rows = yield* sql`
            select 1 from journal where connection_id = ${id} and status = any(${possiblyWrittenStatuses}) limit 1`
          return rows.length > 0
        }, orUnavailable)
      }
    })
  )
}

const jsonOf = Schema.encodeSync(Schema.parseJson(Change))

const decodeEntries = decodeRows(JournalEntry)
