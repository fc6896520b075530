import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Metric, Option, Ref, Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../../domain/connection/ConnectionRecord.ts"
import { ApplicationId, type Tenancy, TenantId } from "../../../domain/access/Tenancy.ts"
import { Phase, type Transition } from "../../../domain/connection/Transition.ts"
import { metrics } from "../../../runtime/metrics.ts"
import { mapSqlErrors, StoreUnavailable } from "../../StoreUnavailable.ts"
import { LiveProcesses } from "../../postgres/LiveProcesses.ts"
import { DatabasePool } from "../../postgres/databasePool.ts"
import { decodeConnectionRecords, encodeConnection } from "../connections/StoredConnection.ts"
import { decodeBacklog, decodeRows } from "../decodeRows.ts"
import { decodeDueTrace, type DueTrace, encodeDueTrace } from "./DueTrace.ts"
import { computeTenantCapacity, type SharePolicy, unlimitedShare } from "./SharePolicy.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { buildTakeAllDueSql, buildTakeDueSql, firstTenant } from "./buildTakeDueSql.ts"
import { makeTransitionLogger } from "../connections/makeTransitionLogger.ts"
import { prepareWriteTransitions } from "../connections/prepareWriteTransitions.ts"

export interface DuePhase {
  readonly connectionId: ConnectionId
  readonly phase: Phase
  readonly attempt: number
}

/** A due phase that this process has taken, for a tenant, and claimed for the run that it starts. */
export interface TakenPhase extends DuePhase, Tenancy {
  /** The cause, if it was traced. */
  readonly trace: Option.Option<DueTrace>
  /** The claim, decoded in its run's own time. A long document is read here; after a newer write, claim again. */
  readonly claim: Effect.Effect<PhaseClaim, StoreUnavailable>
}

/** The right of one run to write one connection, until another run claims it or a command writes it. */
export interface PhaseClaim extends ConnectionRecord {
  readonly attempt: number
  readonly claim: number
  readonly version: number
}

/** The phases that are due and that no process has taken. */
interface PhaseBacklog {
  /** How many there are, counted up to ten thousand. */
  readonly waiting: number
  /** The seconds for which the oldest has been due. */
  readonly oldestSeconds: number
}

interface ConnectionCount {
  readonly state: string
  /** Null for all connections of a state together. */
  readonly failure: string | null
  readonly count: number
}

/** Hands due phases to the runs that execute them, and writes their transitions. */
export class PhaseStore extends Context.Tag("persistence/PhaseStore")<
  PhaseStore,
  {
    /**
     * Takes up to `limit` due phases as new attempts. One whose run writes nothing is due again in `retrySeconds`. The next
     * is the longest due one of the tenant with the fewest in flight.
     */
    readonly takeDue: (
      limit: number,
      retrySeconds: number,
      sharePolicy?: SharePolicy
    ) => Effect.Effect<ReadonlyArray<TakenPhase>, StoreUnavailable>
    /** Claims a connection again for a phase; none for an old attempt. Without a write it is due in `retrySeconds`. */
    readonly claim: (due: DuePhase, retrySeconds: number) => Effect.Effect<Option.Option<PhaseClaim>, StoreUnavailable>
    /** Writes a transition; false, and nothing is written, if the claim is no longer valid. */
    readonly save: (claim: PhaseClaim, transition: Transition) => Effect.Effect<boolean, StoreUnavailable>
    /** Releases a phase whose run has written nothing: it is due in so many seconds, for any process. */
    readonly release: (due: DuePhase, inSeconds: number) => Effect.Effect<void, StoreUnavailable>
    /** Makes phases due that this process took unknowingly, as no answer came: all but those that run. */
    readonly releaseUnknown: (running: ReadonlyArray<DuePhase>) => Effect.Effect<void, StoreUnavailable>
    readonly measureBacklog: Effect.Effect<PhaseBacklog, StoreUnavailable>
    /** Counts the connections that have not ended, by state, and failed or degraded ones by failure. */
    readonly countConnections: Effect.Effect<ReadonlyArray<ConnectionCount>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    PhaseStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id: processId } = yield* LiveProcesses
      const writeTogether = prepareWriteTransitions(yield* DatabasePool)
      const logTransition = yield* makeTransitionLogger
      const cursor = yield* Ref.make(firstTenant)

      const readClaim = Effect.fnUntraced(function* ({ claim, connectionId, version }: TakenRow) {
        const rows = yield* sql`
          select doc as connection, progress, attempt, claim, version from connections
          where id = ${connectionId} and claim = ${claim} and version = ${version}`
        const [read] = yield* decodeClaims(rows)
        return (
          read ??
          (yield* new StoreUnavailable({ code: "unavailable", message: "the connection was written meanwhile" }))
        )
      }, mapSqlErrors)

      /** Takes all due phases if every tenant has room for so many; none if tenants have to take turns. */
      const takeAll = Effect.fnUntraced(function* (limit: number, retrySeconds: number, sharePolicy: SharePolicy) {
        const room = Math.min(limit, computeTenantCapacity(sharePolicy))
        if (room < 1) return Option.none()
        const rows = yield* buildTakeAllDueSql(sql, { limit: room, processId, retrySeconds })
        return rows[0]?.["isAll"] === true ? Option.some(yield* decodeTaken(rows, readClaim)) : Option.none()
      })

      /** Takes due phases for the tenants in turn. */
      const takeFairShare = Effect.fnUntraced(function* (
        limit: number,
        retrySeconds: number,
        sharePolicy: SharePolicy
      ) {
        const taken: Array<PhaseTake> = []
        for (let statements = 0; statements < maxTakeStatements; statements += 1) {
          const request = { limit: limit - taken.length, processId, retrySeconds, ...sharePolicy }
          const statement = buildTakeDueSql(sql, request, yield* Ref.get(cursor))
          // Phases that were taken before an outage are started nevertheless.
          const rows = yield* taken.length === 0 ? Effect.asSome(statement) : Effect.option(statement)
          if (Option.isNone(rows)) break
          taken.push(...(yield* decodeTaken(rows.value, readClaim)))
          const lastVisited = yield* decodeLastVisited(rows.value)
          yield* Ref.set(cursor, lastVisited ?? firstTenant)
          if (taken.length >= limit || lastVisited === null) break
        }
        return taken
      })

      return {
        takeDue: Effect.fnUntraced(function* (limit, retrySeconds, sharePolicy = unlimitedShare) {
          const all = yield* takeAll(limit, retrySeconds, sharePolicy)
          const taken = Option.isSome(all) ? all.value : yield* takeFairShare(limit, retrySeconds, sharePolicy)
          yield* Metric.incrementBy(metrics.phasesSwept.metric, taken.filter(({ hasStopped }) => hasStopped).length)
          return taken.map(({ phase }) => phase)
        }, mapSqlErrors),
        claim: Effect.fnUntraced(function* (due, retrySeconds) {
          const rows = yield* sql`
          update connections set claim = claim + 1, taken_version = version, taken_by = ${processId},
            due_at = now() + ${retrySeconds} * interval '1 second'
          where id = ${due.connectionId} and phase = ${due.phase} and attempt = ${due.attempt}
          returning doc as connection, progress, attempt, claim, version`
          return Array.head(yield* decodeClaims(rows))
        }, mapSqlErrors),
        save: Effect.fnUntraced(function* ({ attempt, claim, connection, version }, transition) {
          const doc = encodeConnection(transition.after.connection)
          const run = { attempt, claim }
          const trace = yield* encodeDueTrace
          const isSaved =
            (yield* writeTogether({ tenancy: connection, version, run, transition, doc, trace })).length > 0
          if (isSaved) yield* logTransition(transition)
          return isSaved
        }, mapSqlErrors),
        release: ({ attempt, connectionId, phase }, inSeconds) =>
          sql`
          update connections set due_at = now() + ${inSeconds} * interval '1 second', taken_by = null
          where id = ${connectionId} and phase = ${phase} and attempt = ${attempt} and taken_by = ${processId}`.pipe(
            mapSqlErrors,
            Effect.asVoid
          ),
        releaseUnknown: (running) =>
          sql`
          update connections set due_at = now(), taken_by = null
          where taken_by = ${processId} and due_at > now() and (id, attempt) not in (
            select * from unnest(${running.map(({ connectionId }) => connectionId)}::text[],
              ${running.map(({ attempt }) => attempt)}::int[])
          )`.pipe(mapSqlErrors, Effect.asVoid),
        countConnections: sql`
        select state, null as failure, count(*)::int from connections where ${sql.literal(notEndedCondition)} group by state
        union all
        select state, failure, count(*)::int from connections
        where failure is not null and state in ('failed', 'degraded')
        group by state, failure`.pipe(Effect.flatMap(decodeConnectionCounts), mapSqlErrors),
        measureBacklog: sql`
        select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestSeconds"
        from (select due_at from connections where due_at <= now() order by due_at limit 10000) as due`.pipe(
          Effect.flatMap(decodeBacklog),
          Effect.flatMap(Array.head),
          Effect.catchTag("NoSuchElementException", Effect.die),
          mapSqlErrors,
          Effect.withSpan("PhaseStore.measureBacklog")
        )
      }
    })
  )
}

const decodeConnectionCounts = decodeRows(
  Schema.Struct({ state: Schema.String, failure: Schema.NullOr(Schema.String), count: Schema.Int })
)

/** Enough for 20,000 tenants; the next call continues with the others. */
const maxTakeStatements = 100

interface PhaseTake {
  readonly phase: TakenPhase
  readonly hasStopped: boolean
}

/** Decodes taken phases; if none was taken, the only row has other columns. */
const decodeTaken = (
  rows: ReadonlyArray<{ readonly [column: string]: unknown }>,
  readClaim: (row: TakenRow) => Effect.Effect<PhaseClaim, StoreUnavailable>
): Effect.Effect<ReadonlyArray<PhaseTake>> =>
  Effect.map(
    decodeTakenRows(rows.filter(({ connectionId }) => connectionId !== null)),
    Array.map((row) => {
      const { applicationId, attempt, connectionId, hasStopped, phase, tenantId } = row
      const claim = row.connection === null ? readClaim(row) : decodeClaim(row)
      const trace = decodeDueTrace(row.trace)
      return { phase: { applicationId, tenantId, connectionId, phase, attempt, claim, trace }, hasStopped }
    })
  )

const tenantColumns = { applicationId: ApplicationId, tenantId: TenantId }

/** `connection` is null where the document is long. */
const TakenRow = Schema.Struct({
  ...tenantColumns,
  connectionId: ConnectionId,
  phase: Phase,
  attempt: Schema.Int,
  hasStopped: Schema.Boolean,
  trace: Schema.NullOr(Schema.String),
  claim: Schema.Int,
  version: Schema.Int,
  connection: Schema.NullOr(Schema.String),
  progress: Schema.NullOr(Schema.String)
})
type TakenRow = typeof TakenRow.Type

const decodeTakenRows = decodeRows(TakenRow)

/** `lastVisited` is null where no tenant follows. */
const decodeLastVisited = ([row]: ReadonlyArray<unknown>) =>
  Effect.map(decodeVisits([row]), ([visit]) => visit?.lastVisited ?? null)

const decodeVisits = decodeRows(Schema.Struct({ lastVisited: Schema.NullOr(Schema.Struct(tenantColumns)) }))

const decodeClaim = (row: unknown): Effect.Effect<PhaseClaim> =>
  Effect.suspend(() => Effect.orDie(Effect.flatMap(decodeClaims([row]), Array.head)))

const decodeClaims = decodeConnectionRecords(
  Schema.Struct({ attempt: Schema.Int, claim: Schema.Int, version: Schema.Int })
)
