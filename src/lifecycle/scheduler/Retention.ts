import { Context, Duration, Effect, Layer, Metric, Record } from "effect"
import { metrics } from "../../metrics/metrics.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { CredentialStore } from "../../persistence/stores/CredentialStore.ts"
import { ExpiredRows } from "../../persistence/stores/ExpiredRows.ts"

/**
 * Deletes what nobody needs any more. Connections, their events and their journal stay. Several processes may do it at
 * once: each statement skips what another one is at.
 */
export class Retention extends Context.Tag("lifecycle/Retention")<
  Retention,
  {
    /** Deletes all that is old by now, and says how many rows of each kind there were. */
    readonly clean: Effect.Effect<{ readonly [kind: string]: number }, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const {
        deleteBrowserTokens: browserTokens,
        deleteEngineMessages: engineMessages,
        deleteIdempotencyRecords: idempotencyRecords,
        deleteLeases: leases
      } = yield* ExpiredRows
      const { deleteExpired: wipeExpired } = yield* CredentialStore
      const kinds = {
        credentials: wipeExpired,
        browserTokens: inBatches(browserTokens),
        engineMessages: inBatches(engineMessages),
        idempotencyRecords: inBatches(idempotencyRecords),
        leases: inBatches(leases)
      }
      return { clean: Effect.all(Record.map(kinds, (deleted, kind) => Effect.tap(deleted, counted(kind)))) }
    })
  )

  /** Cleans for the life of the process, once a minute. */
  static readonly loop = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { clean } = yield* Retention
      yield* clean.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Old rows were not deleted, will try again", cause)),
        Effect.delay(cleanEvery),
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped
      )
    })
  )
}

const cleanEvery = Duration.minutes(1)
const batch = 1_000

const inBatches = (deleteSome: (limit: number) => Effect.Effect<number, StoreUnavailable>) =>
  Effect.iterate(
    { total: 0, last: batch },
    {
      while: ({ last }) => last === batch,
      body: ({ total }) => Effect.map(deleteSome(batch), (last) => ({ total: total + last, last }))
    }
  ).pipe(Effect.map(({ total }) => total))

const counted = (kind: string) => (count: number) => Metric.incrementBy(metrics.rowsDeleted.labeled(kind), count)
