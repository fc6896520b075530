import { Clock, Context, Effect, Layer, Metric, Stream } from "effect"
import { metrics } from "../../metrics.ts"
import { ClusterEvents } from "../../persistence/postgres/ClusterEvents.ts"
import type { DuePhase } from "../../persistence/stores/PhaseStore.ts"

/** Longer than any phase takes: a phase without progress for so many seconds is given up and started anew. */
export const sweepAfterSeconds = 120

/**
 * The phases that this process has started and that have not ended, wherever they run. It limits them, since the engine reads
 * its messages without a limit.
 */
export class PhasesInFlight extends Context.Tag("lifecycle/PhasesInFlight")<
  PhasesInFlight,
  {
    /** How many more may be started. */
    readonly free: Effect.Effect<number>
    readonly add: (phase: DuePhase) => Effect.Effect<void>
    /** Records that the run is over, and reports it to the process that started it. */
    readonly remove: (phase: DuePhase) => Effect.Effect<void>
  }
>() {
  static readonly layer = (settings: { readonly capacity: number }) =>
    Layer.scoped(
      PhasesInFlight,
      Effect.gen(function* () {
        const events = yield* ClusterEvents
        const startedAt = new Map<string, number>()

        const updateMetric = Effect.suspend(() => Metric.set(metrics.phasesInFlight.metric, startedAt.size))
        const forget = (run: string) =>
          Effect.zipLeft(
            Effect.sync(() => startedAt.delete(run)),
            updateMetric
          )

        /** A process that died reports no end of its runs; after this time they have been started again. */
        const forgetGivenUp = Effect.map(Clock.currentTimeMillis, (now) => {
          for (const [run, at] of startedAt) if (now - at > sweepAfterSeconds * 1_000) startedAt.delete(run)
        })

        yield* Effect.forkScoped(Stream.runForEach(events.subscribe("phase_over"), forget))

        return {
          free: Effect.map(forgetGivenUp, () => Math.max(0, settings.capacity - startedAt.size)),
          add: (phase) =>
            Effect.zipRight(
              Effect.map(Clock.currentTimeMillis, (now) => startedAt.set(runOf(phase), now)),
              updateMetric
            ),
          remove: (phase) =>
            Effect.flatMap(forget(runOf(phase)), (wasOurs) =>
              wasOurs ? Effect.void : events.publish("phase_over", runOf(phase))
            )
        }
      })
    )
}

const runOf = ({ attempt, connectionId }: DuePhase): string => `${connectionId}/${attempt}`
