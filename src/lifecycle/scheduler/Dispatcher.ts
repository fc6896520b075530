import { Clock, Context, Duration, Effect, Layer, Metric, Ref } from "effect"
import { metrics } from "../../runtime/metrics.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { PhaseStore, type TakenPhase } from "../../persistence/stores/phases/PhaseStore.ts"
import { computeTenantCapacity } from "../../persistence/stores/phases/SharePolicy.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { WorkSlots, stalledAfterSeconds } from "../../limits/WorkSlots.ts"
import { PhaseRuns } from "./PhaseRuns.ts"

/** Starts due phases; a stopped one is due again, as a new attempt. One guarded statement takes rows. */
export class Dispatcher extends Context.Tag("lifecycle/Dispatcher")<
  Dispatcher,
  {
    readonly tick: Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const store = yield* PhaseStore
      const slots = yield* WorkSlots
      const runs = yield* PhaseRuns
      const { notifyDue } = yield* ConnectionSignals
      const releasedAt = yield* Ref.make(yield* Clock.currentTimeMillis)

      /** Before phases are taken, so that this process knows all that it has taken. */
      const releaseUnknown = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - (yield* Ref.get(releasedAt)) < Duration.toMillis(releaseInterval)) return
        yield* store.releaseUnknown(yield* runs.running)
        yield* Ref.set(releasedAt, now)
      })

      const start = (due: TakenPhase) =>
        slots
          .add(due)
          .pipe(
            Effect.zipRight(Metric.increment(metrics.phasesStarted.labeled(due.phase))),
            Effect.zipRight(runs.start(due))
          )

      return {
        tick: Effect.gen(function* () {
          yield* releaseUnknown
          yield* slots.setOnFree(notifyDue)
          const free = yield* slots.free
          const sharePolicy = yield* slots.sharePolicy
          const due = free === 0 ? [] : yield* store.takeDue(free, stalledAfterSeconds, sharePolicy)
          // Fewer phases were taken than one tenant may have: no due phase is left.
          if (due.length < Math.min(free, computeTenantCapacity(sharePolicy))) yield* slots.setOnFree(Effect.void)
          yield* Effect.forEach(due, start, { discard: true })
          return due.length
        })
      }
    })
  )

  /** Ticks for the life of the process: at once when a row becomes due, and every second. */
  static readonly loop = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { tick } = yield* Dispatcher
      const signals = yield* ConnectionSignals
      yield* tick.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Due phases were not started, will try again", cause)),
        Effect.zipRight(signals.awaitDue(tickInterval)),
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped
      )
    })
  )
}

const tickInterval = Duration.seconds(1)

/** A phase whose run did not begin, because the answer to its statement was lost, is due again within this time. */
const releaseInterval = Duration.seconds(10)

/** Measures the backlog every five seconds for the life of the process, so that reading metrics queries no database. */
export const backlogMetrics = Layer.scopedDiscard(
  Effect.gen(function* () {
    const store = yield* PhaseStore
    yield* store.measureBacklog.pipe(
      Effect.tap((measured) => Metric.set(metrics.phasesWaiting.metric, measured.waiting)),
      Effect.tap((measured) => Metric.set(metrics.phasesWaitingOldestSeconds.metric, measured.oldestSeconds)),
      // The store has logged it.
      Effect.ignore,
      Effect.delay(measureInterval),
      Effect.forever,
      Effect.forkScoped
    )
    const known = { states: new Set<string>(), failures: new Set<string>() }
    yield* store.countConnections.pipe(
      Effect.tap((counts) =>
        Effect.zipRight(
          setCounts(known.states, metrics.connections, counts, ({ failure, state }) => (failure === null ? state : "")),
          setCounts(known.failures, metrics.connectionsFailed, counts, ({ failure }) => failure ?? "")
        )
      ),
      Effect.ignore,
      Effect.zipRight(Effect.sleep(countInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

interface Counted {
  readonly state: string
  readonly failure: string | null
  readonly count: number
}

/** Sets the gauge of each key to the sum of its counts, also for keys that no longer have any. */
const setCounts = (
  known: Set<string>,
  gauge: typeof metrics.connections,
  counts: ReadonlyArray<Counted>,
  keyOf: (counted: Counted) => string
): Effect.Effect<void> => {
  const sums = new Map<string, number>()
  for (const counted of counts) sums.set(keyOf(counted), (sums.get(keyOf(counted)) ?? 0) + counted.count)
  sums.delete("")
  for (const key of sums.keys()) known.add(key)
  return Effect.forEach(known, (key) => Metric.set(gauge.labeled(key), sums.get(key) ?? 0), { discard: true })
}

/** The count reads every connection: once a minute is enough for a gauge. */
const countInterval = Duration.minutes(1)

const measureInterval = Duration.seconds(5)
