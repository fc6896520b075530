import { Context, Duration, Effect, Layer, Metric, Option, Record } from "effect"
import { actAs } from "../../domain/access/Actor.ts"
import { metrics } from "../../runtime/metrics.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { AuditStore } from "../../persistence/stores/audit/AuditStore.ts"
import { CredentialStore } from "../../persistence/stores/access/CredentialStore.ts"
import { ErasureStore } from "../../persistence/stores/erasure/ErasureStore.ts"
import { ExpiredRows } from "../../persistence/stores/erasure/ExpiredRows.ts"
import { UsageStore } from "../../persistence/stores/usage/UsageStore.ts"

export interface RetentionSettings {
  readonly auditRetention: Duration.Duration
  /** How long a connection that has ended is kept; without it, until it is erased by a request. */
  readonly endedRetention: Option.Option<Duration.Duration>
}

/** Deletes expired rows, of connections only after the operator's time. Processes skip each other's rows. */
export class Retention extends Context.Tag("lifecycle/Retention")<
  Retention,
  {
    /** Deletes every expired row; returns the count by kind. */
    readonly clean: Effect.Effect<{ readonly [kind: string]: number }, StoreUnavailable>
  }
>() {
  static readonly layer = ({ auditRetention, endedRetention }: RetentionSettings) =>
    Layer.effect(
      Retention,
      Effect.gen(function* () {
        const rows = yield* ExpiredRows
        const credentials = yield* CredentialStore
        const audit = yield* AuditStore
        const usage = yield* UsageStore
        const erasures = yield* ErasureStore
        const kinds = {
          credentials: credentials.deleteExpired,
          browserTokens: inBatches(rows.deleteBrowserTokens),
          idempotencyRecords: inBatches(rows.deleteIdempotencyRecords),
          leases: inBatches(rows.deleteLeases),
          webhookDeliveries: inBatches(rows.deleteWebhookDeliveries),
          webhookEvents: inBatches(rows.deleteWebhookEvents),
          testZones: inBatches(rows.deleteTestZones),
          auditEntries: inBatches((limit) => audit.deleteOld(auditRetention, limit)),
          usageChanges: inBatches(usage.sumUpChanges),
          tenantUsage: inBatches(rows.deleteTenantUsage),
          // Last, since there may be many at first.
          journals: inBatches(erasures.releaseJournals, erasedTogether),
          connections: Option.match(endedRetention, {
            onNone: () => Effect.succeed(0),
            onSome: (age) => inBatches((limit) => erasures.eraseOld(age, limit), erasedTogether)
          })
        }
        return {
          clean: Effect.all(Record.map(kinds, (deletion, kind) => Effect.tap(deletion, countDeleted(kind)))).pipe(
            actAs({ actor: { type: "service", id: "retention" } })
          )
        }
      })
    )

  /** Cleans for the life of the process, once a minute. */
  static readonly loop = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { clean } = yield* Retention
      yield* clean.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Expired rows were not deleted, will try again", cause)),
        Effect.delay(cleanInterval),
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped
      )
    })
  )
}

const cleanInterval = Duration.minutes(1)

/** Each connection has many rows to delete. */
const erasedTogether = 100

const inBatches = (deleteSome: (limit: number) => Effect.Effect<number, StoreUnavailable>, batchSize = 1_000) =>
  Effect.iterate(
    { total: 0, last: batchSize },
    {
      while: ({ last }) => last === batchSize,
      body: ({ total }) => Effect.map(deleteSome(batchSize), (last) => ({ total: total + last, last }))
    }
  ).pipe(Effect.map(({ total }) => total))

const countDeleted = (kind: Parameters<typeof metrics.rowsDeleted.labeled>[0]) => (count: number) =>
  Metric.incrementBy(metrics.rowsDeleted.labeled(kind), count)
