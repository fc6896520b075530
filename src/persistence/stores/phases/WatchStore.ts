import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { KeptAnswers } from "../../../domain/connection/KeptAnswers.ts"
import { lookKeysIn } from "../../../domain/connection/lookSchedule.ts"
import { ApplicationId, type Tenancy, TenantId } from "../../../domain/access/Tenancy.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { LiveProcesses } from "../../postgres/LiveProcesses.ts"
import { decodeRows, decodeRowsInSlices } from "../decodeRows.ts"
import { decodeKeptAnswers, keptAnswersColumns } from "./keptAnswersColumns.ts"

export interface TakenSlot {
  readonly slot: number
  /** How often it was settled: who settles it first counts, and an unsettled round is taken again as it was. */
  readonly round: number
}

/** An active connection, and what single servers are asked for. */
export interface ConnectionWatch extends Tenancy, KeptAnswers {
  readonly connectionId: ConnectionId
  readonly lookKey: number
}

/** What the looks of some slots have found. */
export interface LookFindings {
  /** The connections whose answers are not the same, which all servers are asked about now. */
  readonly changed: ReadonlyArray<ConnectionId>
  /** The connections at which a server has fallen silent. They are checked too, and no longer count as verified. */
  readonly silenced: ReadonlyArray<ConnectionId>
  /** The connections whose delegation is the same, and holds for longer. */
  readonly renewed: ReadonlyArray<Pick<ConnectionWatch, "connectionId" | "serversUntil">>
}

/** Hands slots of looks to the processes, and writes what the looks found: nothing about a connection that is as it was. */
export class WatchStore extends Context.Tag("persistence/WatchStore")<
  WatchStore,
  {
    /** Takes due slots, the longest due first; an unsettled one is due in `retrySeconds`, or when this process ends. */
    readonly takeSlots: (
      limit: number,
      retrySeconds: number
    ) => Effect.Effect<ReadonlyArray<TakenSlot>, StoreUnavailable>
    /** The connections to look at in these slots. */
    readonly findWatched: (
      slots: ReadonlyArray<TakenSlot>
    ) => Effect.Effect<ReadonlyArray<ConnectionWatch>, StoreUnavailable>
    /**
     * Makes the checks of changed and silenced connections due, and slots at `nextTime` (ms since 1970); removes
     * `verifiedAt` of those that were silenced. Returns how many checks became due.
     */
    readonly settle: (
      slots: ReadonlyArray<TakenSlot & { readonly nextTime: number }>,
      findings: LookFindings
    ) => Effect.Effect<number, StoreUnavailable>
    /** For how many seconds the oldest slot has been due that no process has taken. */
    readonly measureDelay: Effect.Effect<number, StoreUnavailable>
    /** Makes slots due that would be due later than in `seconds`. */
    readonly shorten: (seconds: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    WatchStore,
    Effect.map(Effect.all([SqlClient.SqlClient, LiveProcesses]), ([sql, { id: processId }]) => ({
      takeSlots: Effect.fnUntraced(function* (limit, retrySeconds) {
        const rows = yield* sql`
          update look_slots set taken_by = ${processId}, due_at = now() + ${retrySeconds} * interval '1 second'
          where slot in (
            select slot from look_slots where due_at <= now() order by due_at limit ${limit} for update skip locked
          )
          returning slot, round`
        return yield* decodeSlots(rows)
      }, mapSqlErrors),
      findWatched: Effect.fnUntraced(function* (slots) {
        const keys = [...new Set(slots.flatMap(({ slot }) => lookKeysIn(slot)))]
        const rows = yield* sql`
          select connection_id as "connectionId", application_id as "applicationId", tenant_id as "tenantId",
            look_key as "lookKey", zone, servers, silent_servers as "silentServers", extract(epoch from servers_until)::float8 * 1000 as "serversUntil",
            answers
          from watches where look_key = any(${keys})`
        return (yield* decodeWatched(rows)).map((row) => ({ ...row, ...decodeKeptAnswers(row) }))
      }, mapSqlErrors),
      settle: Effect.fnUntraced(function* (slots, { changed, renewed, silenced }) {
        if (renewed.length > 0)
          yield* sql`
            update watches set servers_until = to_timestamp(until / 1000)
            from unnest(
              ${renewed.map(({ connectionId }) => connectionId)}::text[],
              ${renewed.map(({ serversUntil }) => serversUntil)}::float8[]
            ) as renewed (id, until)
            where connection_id = id`
        const rows =
          changed.length + silenced.length === 0
            ? []
            : yield* sql`
                update connections set due_at = now(),
                  progress = case when id = any(${silenced}) then (progress::jsonb - 'verifiedAt')::text else progress end
                where id in (
                  select id from connections
                  where id = any(${[...changed, ...silenced]}) and state = 'active' and phase = 'verify' and taken_by is null and due_at > now()
                  order by id for update
                )
                returning 1`
        yield* sql`
          update look_slots as l set round = l.round + 1, looked_at = now(), taken_by = null, due_at = to_timestamp(next_time / 1000)
          from unnest(
            ${slots.map(({ slot }) => slot)}::int[], ${slots.map(({ round }) => round)}::int[],
            ${slots.map(({ nextTime }) => nextTime)}::float8[]
          ) as settled (slot, round, next_time)
          where l.slot = settled.slot and l.round = settled.round`
        return rows.length
      }, mapSqlErrors),
      measureDelay: sql`
        select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as seconds
        from look_slots where due_at <= now()`.pipe(
        Effect.flatMap(decodeDelay),
        Effect.map(([row]) => row?.seconds ?? 0),
        mapSqlErrors
      ),
      shorten: (seconds) =>
        sql`
          update look_slots set due_at = now() where due_at > now() + ${seconds} * interval '1 second'`.pipe(
          mapSqlErrors,
          Effect.asVoid
        )
    }))
  )
}

const decodeDelay = decodeRows(Schema.Struct({ seconds: Schema.Number }))

const decodeSlots = decodeRows(Schema.Struct({ slot: Schema.Int, round: Schema.Int }))

const decodeWatched = decodeRowsInSlices(
  Schema.Struct({
    connectionId: ConnectionId,
    applicationId: ApplicationId,
    tenantId: TenantId,
    lookKey: Schema.Int,
    zone: Schema.String,
    serversUntil: Schema.Number,
    ...keptAnswersColumns
  })
)
