import { Clock, Context, Deferred, Duration, Effect, FiberId, Layer, Metric, Runtime } from "effect"
import { type Tenancy, toTenantKey } from "../domain/access/Tenancy.ts"
import type { DuePhase } from "../persistence/stores/phases/PhaseStore.ts"
import type { SharePolicy } from "../persistence/stores/phases/SharePolicy.ts"
import { backgroundPriority } from "../runtime/PriorityScheduler.ts"
import { metrics } from "../runtime/metrics.ts"
import { makeFairQueue, withPermit } from "./FairQueue.ts"
import { type LargeZonesBusy, withLargeZones } from "./LargeZones.ts"
import { Requester } from "./RequestSource.ts"
import { makeSlotLimits, RunSlots } from "./RunSlots.ts"
import { ServiceBusy } from "./limitErrors.ts"

/** Longer than any phase takes: a phase without progress for so many seconds has stalled, and is started anew. */
export const stalledAfterSeconds = 120

/** The slots for phases and domain checks, shared among tenants; `releaseSlotWhile` frees one during a wait. */
export class WorkSlots extends Context.Tag("limits/WorkSlots")<
  WorkSlots,
  {
    /** How many more may be started. */
    readonly free: Effect.Effect<number>
    /** How many have not ended, with or without a slot. */
    readonly size: Effect.Effect<number>
    /** How phases that are started next are shared among the tenants. */
    readonly sharePolicy: Effect.Effect<SharePolicy>
    /** Sets the effect to run whenever a slot may have become free, as long as due phases may wait for one. */
    readonly setOnFree: (onFree: Effect.Effect<void>) => Effect.Effect<void>
    readonly add: (phase: DuePhase & Tenancy) => Effect.Effect<void>
    /** Runs a step of a phase for the tenant of its connection, with the slot of the phase. */
    readonly runStep: <A, E, R>(
      phase: DuePhase,
      tenancy: Tenancy,
      step: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    readonly remove: (phase: DuePhase) => Effect.Effect<void>
    /** Runs a domain check of a tenant in a slot, for which it waits three seconds at most. */
    readonly runCheck: <A, E, R>(
      tenancy: Tenancy,
      check: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ServiceBusy, R>
  }
>() {
  static readonly layer = (settings: { readonly capacity: number }) =>
    Layer.sync(WorkSlots, () => {
      const slots = new RunSlots(makeSlotLimits(settings.capacity))
      const zones = makeFairQueue({ permits: settings.capacity, leavesHalfFree: true })
      let checks = 0
      let onFree: Effect.Effect<void> = Effect.void

      const updateMetrics = Effect.suspend(() =>
        Effect.zipRight(
          Metric.set(metrics.phasesInFlight.metric, slots.holding),
          Metric.set(metrics.phasesWaitingForServers.metric, slots.waiting)
        )
      )
      /** Changes the slots; a slot that became free is offered to the due phases too. */
      const change = (apply: () => unknown): Effect.Effect<void> =>
        Effect.suspend(() => {
          apply()
          return Effect.zipRight(updateMetrics, onFree)
        })

      /** After this time a run that still has not ended has been started again. */
      const forgetGivenUp = Effect.map(Clock.currentTimeMillis, (now) =>
        slots.endBefore(now - stalledAfterSeconds * 1_000)
      )

      const makeHandle = (
        run: string,
        tenancy: Tenancy,
        startTimer: (task: Effect.Effect<void>) => () => void
      ): SlotHandle => {
        const releaseWhile = makeSlotRelease({
          startTimer,
          suspend: change(() => slots.suspend(run)),
          resume: (onResumed) => slots.resume(run, onResumed),
          afterResume: updateMetrics
        })
        return {
          releaseWhile,
          holdZone: (operation) =>
            withPermit(zones, toTenantKey(tenancy), operation, (granted) =>
              releaseWhile(
                Effect.timeoutFail(granted, { duration: zoneWaitsAtMost, onTimeout: () => ServiceBusy.error })
              )
            )
        }
      }

      /** Runs a step at its tenant's priority. Priorities take turns, so that many runs of one do not slow others. */
      const runInSlot = <A, E, R>(run: string, tenancy: Tenancy, work: Effect.Effect<A, E, R>) =>
        Effect.flatMap(Effect.runtime<never>(), (runtime) => {
          const startTimer = (task: Effect.Effect<void>) => {
            const timer = Runtime.runFork(runtime)(
              Effect.zipRight(Effect.sleep(releaseAfter), Effect.uninterruptible(task))
            )
            return () => timer.unsafeInterruptAsFork(timer.id())
          }
          return Effect.zipRight(Effect.yieldNow(), work).pipe(
            Effect.provideService(WorkSlot, makeHandle(run, tenancy, startTimer)),
            Effect.provideService(Requester, toTenantKey(tenancy)),
            Effect.withSchedulingPriority(backgroundPriority + slots.priorityOffsetOf(tenancy))
          )
        })

      return {
        free: Effect.map(forgetGivenUp, () => slots.free),
        size: Effect.map(forgetGivenUp, () => slots.holding + slots.waiting),
        sharePolicy: Effect.sync(() => slots.sharePolicy),
        setOnFree: (effect) => Effect.sync(() => void (onFree = effect)),
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
            (run) => change(() => slots.end(run))
          )
      }
    })
}

const runOf = ({ attempt, connectionId }: DuePhase): string => `${connectionId}/${attempt}`

const requestSlot = (slots: RunSlots, run: string, tenancy: Tenancy) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.async<void, ServiceBusy>((resume) => {
      const isQueued = slots.request(run, tenancy, now, () => resume(Effect.void))
      if (!isQueued) resume(ServiceBusy.error)
    })
  ).pipe(Effect.timeoutFail({ duration: checkWaitsAtMost, onTimeout: () => ServiceBusy.error }))

const checkWaitsAtMost = Duration.seconds(3)

/** A healthy zone is read in less, so that most phases keep their slot from start to end. */
const releaseAfter = Duration.millis(500)

/** Ends long before a phase counts as stalled. */
const zoneWaitsAtMost = Duration.seconds(30)

/** Gives the slot of a run back while fibers of it wait; the first fiber whose wait ends takes it again. */
const makeSlotRelease = (slot: {
  readonly startTimer: (task: Effect.Effect<void>) => () => void
  readonly suspend: Effect.Effect<void>
  readonly resume: (onResumed: () => void) => void
  readonly afterResume: Effect.Effect<void>
}): SlotHandle["releaseWhile"] => {
  let waits = 0
  let isReleased = false
  let slotIsBack: Deferred.Deferred<void> | undefined
  let stopTimer: (() => void) | undefined
  const startTimer = () => {
    stopTimer?.()
    stopTimer = waits === 0 ? undefined : slot.startTimer(release)
  }
  const release = Effect.suspend(() => {
    if (waits === 0) return Effect.void
    isReleased = true
    return slot.suspend
  })
  const end = Effect.sync(() => {
    waits -= 1
    if (waits === 0) startTimer()
  })
  const takeSlot = Effect.suspend(() => {
    if (slotIsBack !== undefined) return Deferred.await(slotIsBack)
    const isBack = Deferred.unsafeMake<void>(FiberId.none)
    slotIsBack = isBack
    slot.resume(() => {
      isReleased = false
      slotIsBack = undefined
      startTimer()
      Deferred.unsafeDone(isBack, Effect.void)
    })
    return Effect.zipRight(Deferred.await(isBack), slot.afterResume)
  })
  return (waiting) =>
    Effect.uninterruptibleMask((restore) => {
      waits += 1
      if (waits === 1) startTimer()
      return Effect.ensuring(restore(Effect.provideService(waiting, WorkSlot, noSlot)), end)
    }).pipe(
      Effect.exit,
      Effect.flatMap((exit) => (isReleased ? Effect.zipRight(takeSlot, exit) : exit))
    )
}

interface SlotHandle {
  readonly releaseWhile: <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Runs an operation that keeps a provider's zone in memory, with or without a slot. It fails after 30 seconds if none
   * of as many places as slots is free; one tenant has at most half of what the others leave.
   */
  readonly holdZone: <A, E, R>(operation: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>
}

const noSlot: SlotHandle = { releaseWhile: (waiting) => waiting, holdZone: (operation) => operation }

/** The slot that the current work holds. Work that holds none, such as a dry run, waits as it likes. */
class WorkSlot extends Context.Reference<WorkSlot>()("limits/WorkSlot", { defaultValue: () => noSlot }) {}

/** Runs an effect that waits for other servers, and frees the slot if that takes long; nested calls do nothing. */
export const releaseSlotWhile = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(WorkSlot, ({ releaseWhile }) => releaseWhile(waiting))

/** Runs an operation that keeps a provider's zone in memory; each tenant may have a limited number of them at once. */
export const holdProviderZone = <A, E, R>(
  operation: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LargeZonesBusy | ServiceBusy, R> =>
  Effect.flatMap(WorkSlot, ({ holdZone }) => holdZone(withLargeZones(operation)))
