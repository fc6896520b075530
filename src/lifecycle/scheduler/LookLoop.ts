import { Clock, Duration, Effect, Layer, Metric } from "effect"
import { lookKeysIn, lookNumber, nextTimeOf, slotsPerCycle } from "../../domain/connection/lookSchedule.ts"
import { type TakenSlot, type ConnectionWatch, WatchStore } from "../../persistence/stores/phases/WatchStore.ts"
import { metrics } from "../../runtime/metrics.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { type Look, LookPhase } from "../phases/LookPhase.ts"

/**
 * Takes due slots of looks; `interval` is the longest time between two looks at a connection. Taking is one statement,
 * which skips what another process takes. What an ended process has not settled is due at once.
 */
export const lookLoop = (interval: Duration.Duration) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const store = yield* WatchStore
      const phase = yield* LookPhase
      const signals = yield* ConnectionSignals
      const cycleMillis = Duration.toMillis(interval)
      const room = yield* Effect.makeSemaphore(maxBatches)
      let slotsTogether = fewestSlots

      const lookAt = Effect.fnUntraced(function* (slots: ReadonlyArray<TakenSlot>) {
        const watched = yield* store.findWatched(slots)
        slotsTogether = adaptBatch(slotsTogether, slots.length, watched.length)
        const findings = yield* phase.run(toLooks(slots, watched))
        const now = yield* Clock.currentTimeMillis
        const settled = slots.map((taken) => ({ ...taken, nextTime: nextTimeOf(taken.slot, cycleMillis, now) }))
        const due = yield* store.settle(settled, findings)
        const changed = findings.changed.length + findings.silenced.length
        yield* Metric.incrementBy(metrics.looks.labeled("same"), watched.length - changed)
        yield* Metric.incrementBy(metrics.looks.labeled("changed"), changed)
        if (due > 0) yield* signals.notifyDue
      })

      /** Takes slots and looks at them beside further ones; returns whether there were as many as it wanted. */
      const takeSome = Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* restore(room.take(1))
          const slots = yield* Effect.onError(restore(store.takeSlots(slotsTogether, retrySeconds)), () =>
            room.release(1)
          )
          if (slots.length === 0) yield* room.release(1)
          else
            yield* lookAt(slots).pipe(
              Effect.catchAllCause((cause) => Effect.logWarning("Looks were not settled, will try again", cause)),
              // Interrupted, as at the end of the process, it logs nothing.
              restore,
              Effect.ensuring(room.release(1)),
              Effect.forkScoped
            )
          return slots.length > 0
        })
      )

      // Another process may still have a longer interval, or the database's clock have been ahead.
      yield* store.shorten(Duration.toSeconds(interval) + retrySeconds).pipe(
        Effect.zipRight(store.measureDelay),
        Effect.tap((seconds) => Metric.set(metrics.looksWaitingOldestSeconds.metric, seconds)),
        // The store has logged it.
        Effect.ignore,
        Effect.delay(measureInterval),
        Effect.forever,
        Effect.forkScoped
      )
      yield* Effect.repeat(takeSome, { while: (found) => found }).pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Due looks were not started, will try again", cause)),
        Effect.zipRight(Effect.sleep(tickInterval)),
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped
      )
    })
  )

/** The looks of slots: each slot has the connections with its keys. */
const toLooks = (slots: ReadonlyArray<TakenSlot>, watched: ReadonlyArray<ConnectionWatch>): ReadonlyArray<Look> => {
  const slotsByKey = new Map(slots.flatMap((taken) => lookKeysIn(taken.slot).map((key) => [key, taken])))
  return watched.flatMap((connection) => {
    const taken = slotsByKey.get(connection.lookKey)
    return taken === undefined ? [] : [{ ...connection, turn: lookNumber(connection.lookKey, taken.slot, taken.round) }]
  })
}

/** Takes more slots at a time where they have few connections, and fewer where they have many. */
const adaptBatch = (current: number, slots: number, connections: number): number => {
  if (connections > 2 * looksTogether) return Math.max(1, Math.floor(current / 2))
  return slots === current && connections < looksTogether ? Math.min(current * 2, mostSlots) : current
}

const looksTogether = 250
const fewestSlots = 4
/** A sixteenth of a cycle: they all wait for the slowest server among theirs. */
const mostSlots = slotsPerCycle / 16
/** While one waits for its servers, and another for the database. */
const maxBatches = 4

/** A batch waits for a silent server for some seconds, and for the pace of a server with thousands of zones for longer. */
const retrySeconds = 60

const measureInterval = Duration.seconds(5)

const tickInterval = Duration.seconds(1)
