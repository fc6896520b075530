import { Clock, Context, Duration, Effect, Layer, Metric, Runtime } from "effect"
import { limitTime, Timers } from "../../runtime/Timers.ts"
import { QueryRequester } from "../../dns/transport/Query.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import type { DuePhase } from "../../persistence/stores/PhaseStore.ts"
import type { SharePolicy } from "../../persistence/stores/SharePolicy.ts"
import { makeFairSemaphore } from "../../runtime/FairSemaphore.ts"
import { type LargeZonesBusy, withLargeZones } from "../../providers/LargeZones.ts"
import { backgroundPriority } from "../../runtime/PriorityScheduler.ts"
import { metrics } from "../../runtime/metrics.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { FairSlots, makeSlotLimits } from "./FairSlots.ts"
import { ServiceBusy } from "../quotas/ServiceBusy.ts"

/** Longer than any phase takes: a phase without progress for so many seconds has stalled, and is started anew. */
export const stalledAfterSeconds = 120

/**
 * The phases and the domain checks that this process runs. It limits them, and shares the slots among the tenants. What
 * waits for silent name servers or for a provider holds no slot.
 */
export class PhasesInFlight extends Context.Tag("lifecycle/PhasesInFlight")<
  PhasesInFlight,
  {
    /** How many more may be started. */
    readonly free: Effect.Effect<number>
    /** How many have not ended, with or without a slot. */
    readonly size: Effect.Effect<number>
    /** How phases that are started next are shared among the tenants. */
    readonly sharePolicy: Effect.Effect<SharePolicy>
    /** Whether due phases may wait for slots, so that the dispatcher is woken when one becomes free. */
    readonly setAwaited: (isAwaited: boolean) => Effect.Effect<void>
    readonly add: (phase: DuePhase & Tenancy) => Effect.Effect<void>
    /** Runs a step of a phase for the tenant of its connection, with the slot of the phase. */
    readonly runStep: <A, E, R>(
      phase: DuePhase,
      tenancy: Tenancy,
      step: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Records that the run is over. */
    readonly remove: (phase: DuePhase) => Effect.Effect<void>
    /** Runs a domain check of a tenant in a slot, for which it waits three seconds at most. */
    readonly runCheck: <A, E, R>(
      tenancy: Tenancy,
      check: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ServiceBusy, R>
  }
>() {
  static readonly layer = (settings: { readonly capacity: number }) =>
    Layer.effect(
      PhasesInFlight,
      Effect.gen(function* () {
        const { notifyDue } = yield* ConnectionSignals
        const slots = new FairSlots(makeSlotLimits(settings.capacity))
        const zones = makeFairSemaphore({ permits: settings.capacity, isGraduated: true })
        let checks = 0
        let isAwaited = true

        const updateMetrics = Effect.suspend(() =>
          Effect.zipRight(
            Metric.set(metrics.phasesInFlight.metric, slots.holding),
            Metric.set(metrics.phasesWaitingForServers.metric, slots.waiting)
          )
        )
        /** Changes the slots; a slot that became free is offered to the due phases too. */
        const change = <A>(apply: () => A) =>
          Effect.zipLeft(
            Effect.sync(apply),
            Effect.suspend(() => (isAwaited ? Effect.zipRight(updateMetrics, notifyDue) : updateMetrics))
          )

        /** After this time a run that still has not ended has been started again. */
        const forgetGivenUp = Effect.map(Clock.currentTimeMillis, (now) =>
          slots.endBefore(now - stalledAfterSeconds * 1_000)
        )

        const awaitSlot = (run: string) =>
          Effect.async<void>((resume) => slots.resume(run, () => resume(Effect.void))).pipe(
            Effect.zipLeft(updateMetrics)
          )

        /** A run that was given up has no slot any more. */
        const slotOf = (run: string, tenancy: Tenancy): SlotHandle => {
          const { releaseWhile } = makeSlotRelease(
            change(() => slots.suspend(run)),
            Effect.suspend(() => (slots.has(run) ? awaitSlot(run) : Effect.void))
          )
          const key = toTenantKey(tenancy)
          return { releaseWhile, holdZone: makeZoneHolder((onHeld) => zones.acquire(key, onHeld), releaseWhile) }
        }

        /**
         * The steps of all runs of a tenant have one priority, and the priorities of tenants take turns, from the first
         * step on: whoever starts many runs takes none of their steps.
         */
        const runInSlot = <A, E, R>(run: string, tenancy: Tenancy, work: Effect.Effect<A, E, R>) =>
          Effect.suspend(() =>
            Effect.zipRight(Effect.yieldNow(), work).pipe(
              Effect.provideService(PhaseSlot, slotOf(run, tenancy)),
              Effect.provideService(QueryRequester, toTenantKey(tenancy)),
              Effect.withSchedulingPriority(backgroundPriority + slots.priorityOffsetOf(tenancy))
            )
          )

        return {
          free: Effect.map(forgetGivenUp, () => slots.free),
          size: Effect.map(forgetGivenUp, () => slots.holding + slots.waiting),
          sharePolicy: Effect.sync(() => slots.sharePolicy),
          setAwaited: (value) => Effect.sync(() => void (isAwaited = value)),
          add: (phase) =>
            Effect.zipRight(
              Effect.map(Clock.currentTimeMillis, (now) => slots.start(runOf(phase), phase, now)),
              updateMetrics
            ),
          runStep: (phase, tenancy, step) => runInSlot(runOf(phase), tenancy, step),
          remove: (phase) => change(() => slots.end(runOf(phase))),
          runCheck: (tenancy, check) =>
            Effect.acquireUseRelease(
              Effect.sync(() => `check/${(checks += 1)}`),
              (run) => Effect.zipRight(requestSlot(slots, run, tenancy), runInSlot(run, tenancy, check)),
              (run) => change(() => slots.end(run, tenancy))
            )
        }
      })
    )
}

const runOf = ({ attempt, connectionId }: DuePhase): string => `${connectionId}/${attempt}`

const requestSlot = (slots: FairSlots, run: string, tenancy: Tenancy) =>
  limitTime(
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.async<void, ServiceBusy>((resume) => {
        const isQueued = slots.request(run, tenancy, now, () => resume(Effect.void))
        if (!isQueued) resume(ServiceBusy.error)
      })
    ),
    checkWaitsAtMost,
    () => ServiceBusy.error
  )

const checkWaitsAtMost = Duration.seconds(3)

/** A healthy zone is read in less, so that most phases keep their slot from start to end. */
const releaseAfter = Duration.millis(500)

const makeSlotRelease = (
  suspend: Effect.Effect<unknown>,
  resume: Effect.Effect<unknown>
): Pick<SlotHandle, "releaseWhile"> => {
  let isInside = false
  return {
    releaseWhile: (waiting) =>
      Effect.suspend(() => {
        if (isInside) return waiting
        isInside = true
        let isReleased = false
        const release = Effect.zipRight(
          Effect.sync(() => {
            isReleased = true
          }),
          suspend
        )
        return Effect.acquireUseRelease(
          Effect.zipWith(Effect.runtime<never>(), Timers, (runtime, timers) =>
            timers.start(() => void Runtime.runFork(runtime)(release), releaseAfter)
          ),
          () => waiting,
          (stopTimer) =>
            Effect.sync(() => {
              stopTimer()
              isInside = false
            })
        ).pipe(
          Effect.exit,
          Effect.tap(() => (isReleased ? resume : Effect.void)),
          Effect.flatten
        )
      })
  }
}

/** `acquire` calls back once there is a permit; what it returns gives the permit back, or leaves the queue. */
const makeZoneHolder =
  (
    acquire: (onHeld: () => void) => (() => void) | undefined,
    releaseWhile: SlotHandle["releaseWhile"]
  ): SlotHandle["holdZone"] =>
  (operation) =>
    Effect.suspend(() => {
      let isHeld = false
      let resumeWaiting: (() => void) | undefined
      const permit = Effect.async<void>((resume) => {
        resumeWaiting = () => resume(Effect.void)
        if (isHeld) resumeWaiting()
      })
      const awaitPermit = limitTime(permit, zoneWaitsAtMost, () => ServiceBusy.error)
      return Effect.acquireUseRelease(
        Effect.sync(() =>
          acquire(() => {
            isHeld = true
            resumeWaiting?.()
          })
        ),
        () => (isHeld ? operation : Effect.zipRight(releaseWhile(awaitPermit), operation)),
        (release) => Effect.sync(() => release?.())
      )
    })

/** Ends long before a phase counts as stalled. */
const zoneWaitsAtMost = Duration.seconds(30)

/** The slot of `PhasesInFlight` that the current work holds. Work that holds none, such as a dry run, waits as it likes. */
class PhaseSlot extends Context.Reference<PhaseSlot>()("lifecycle/PhaseSlot", {
  defaultValue: (): SlotHandle => ({ releaseWhile: (waiting) => waiting, holdZone: (operation) => operation })
}) {}

interface SlotHandle {
  /**
   * Runs an effect that mostly waits for other servers. If it takes longer than a moment, the slot is free for others
   * until it ends, and is then taken again before this returns. One within another has no effect.
   */
  readonly releaseWhile: <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Runs an operation that keeps a provider's zone in memory, also while it has no slot. There are as many as slots, and
   * one tenant has at most half of what the others leave; fails if there is no place for another one within 30 seconds.
   */
  readonly holdZone: <A, E, R>(operation: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>
}

/** Runs an effect that mostly waits for other servers, outside the slots if it takes longer than a moment. */
export const releaseSlotWhile = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(PhaseSlot, ({ releaseWhile }) => releaseWhile(waiting))

/** Runs an operation that keeps a provider's zone in memory, of which the tenants have a limited number at once. */
export const holdProviderZone = <A, E, R>(
  operation: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LargeZonesBusy | ServiceBusy, R> =>
  Effect.flatMap(PhaseSlot, ({ holdZone }) => holdZone(withLargeZones(operation)))
