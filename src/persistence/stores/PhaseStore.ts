import { SqlClient } from "@effect/sql"
import { Array, Context, Effect, Layer, Metric, Option, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { Phase, type Transition } from "../../domain/Transition.ts"
import { metrics } from "../../metrics.ts"
import { mapSqlErrors, type StoreUnavailable } from "../StoreUnavailable.ts"
import { decodeConnectionRecords } from "./StoredConnection.ts"
import { decodeRows, isWritten } from "./decodeRows.ts"
import { buildTransitionSql } from "./buildTransitionSql.ts"

/** A connection whose phase is due. */
export interface DuePhase {
  readonly connectionId: ConnectionId
  readonly phase: Phase
  readonly attempt: number
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
  /** For how many seconds the oldest has been due. */
  readonly oldestSeconds: number
}

/** Hands due phases to the runs that execute them, and writes their transitions. */
export class PhaseStore extends Context.Tag("persistence/PhaseStore")<
  PhaseStore,
  {
    /**
     * Takes up to `limit` due phases, each as a new attempt; a phase that no run claims is due again in `retrySeconds`.
     */
    readonly takeDue: (limit: number, retrySeconds: number) => Effect.Effect<ReadonlyArray<DuePhase>, StoreUnavailable>
    /**
     * Claims a connection for one run of a phase; none if the attempt is no longer the current one. If the run writes
     * nothing, the phase is due again in `retrySeconds`.
     */
    readonly claim: (due: DuePhase, retrySeconds: number) => Effect.Effect<Option.Option<PhaseClaim>, StoreUnavailable>
    /** Writes a transition; false, and nothing is written, if the claim is no longer valid. */
    readonly save: (claim: PhaseClaim, transition: Transition) => Effect.Effect<boolean, StoreUnavailable>
    readonly measureBacklog: Effect.Effect<PhaseBacklog, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    PhaseStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      takeDue: Effect.fn("PhaseStore.takeDue")(function* (limit, retrySeconds) {
        const rows = yield* sql`
          with due as (
            select id, taken_version is not distinct from version as has_stopped from connections
            where due_at <= now() order by due_at limit ${limit} for update skip locked
          )
          update connections as c set attempt = attempt + 1, taken_version = version,
            due_at = now() + ${retrySeconds} * interval '1 second'
          from due where c.id = due.id
          returning c.id as "connectionId", phase, attempt, has_stopped as "hasStopped"`
        const taken = yield* decodeDue(rows)
        yield* Metric.incrementBy(metrics.phasesSwept.metric, taken.filter(({ hasStopped }) => hasStopped).length)
        return taken.map(({ attempt, connectionId, phase }) => ({ connectionId, phase, attempt }))
      }, mapSqlErrors),
      claim: Effect.fn("PhaseStore.claim")(function* (due, retrySeconds) {
        const rows = yield* sql`
          update connections set claim = claim + 1, taken_version = version,
            due_at = now() + ${retrySeconds} * interval '1 second'
          where id = ${due.connectionId} and phase = ${due.phase} and attempt = ${due.attempt}
          returning doc as connection, progress, attempt, claim, version`
        return Array.head(yield* decodeClaims(rows))
      }, mapSqlErrors),
      save: Effect.fn("PhaseStore.save")(function* ({ attempt, claim, connection: { id }, version }, transition) {
        const target = sql`id = ${id} and attempt = ${attempt} and claim = ${claim} and version = ${version}`
        const rows =
          yield* sql`with ${buildTransitionSql(sql, transition, target)} select count(*) = 1 as written from saved`
        return yield* isWritten(rows)
      }, mapSqlErrors),
      measureBacklog: sql`
        select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestSeconds"
        from (select due_at from connections where due_at <= now() order by due_at limit 10000) as due`.pipe(
        Effect.flatMap(decodeBacklog),
        Effect.flatMap(Array.head),
        Effect.catchTag("NoSuchElementException", Effect.die),
        mapSqlErrors,
        Effect.withSpan("PhaseStore.measureBacklog")
      )
    }))
  )
}

const decodeDue = decodeRows(
  Schema.Struct({ connectionId: ConnectionId, phase: Phase, attempt: Schema.Int, hasStopped: Schema.Boolean })
)

const decodeClaims = decodeConnectionRecords(
  Schema.Struct({ attempt: Schema.Int, claim: Schema.Int, version: Schema.Int })
)

const decodeBacklog = decodeRows(Schema.Struct({ waiting: Schema.Int, oldestSeconds: Schema.Number }))
