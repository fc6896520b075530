import { Cause, Context, Duration, Effect, FiberSet, Layer, Metric, Option, Schedule, Scope } from "effect"
import { actAs } from "../../domain/access/Actor.ts"
import type { Connection } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { Phase, ScheduledPhase } from "../../domain/connection/Transition.ts"
import { warningMeanings } from "../../domain/plan/Warning.ts"
import { failureMeanings } from "../../domain/connection/failureMeanings.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { TokenRevocations } from "../commit/TokenRevocations.ts"
import { type PhaseDelayed, type PhaseStep, type StepResult, Transitions } from "../commit/Transitions.ts"
import { ConfirmPhase } from "../phases/ConfirmPhase.ts"
import { DiscoverPhase } from "../phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../phases/ProvisionPhase.ts"
import { RestorePhase } from "../phases/RestorePhase.ts"
import { expirePhase } from "../phases/expirePhase.ts"
import { WorkSlots, stalledAfterSeconds } from "../../limits/WorkSlots.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { describeDefect } from "../state/failureDetails.ts"
import { MasterKeyMissing, type StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  type DuePhase,
  type PhaseClaim,
  PhaseStore,
  type TakenPhase
} from "../../persistence/stores/phases/PhaseStore.ts"
import { metrics } from "../../runtime/metrics.ts"
import { Credentials } from "../../security/Credentials.ts"

/** The runs of this process, in memory only: a phase whose run ended without a result is due again. */
export class PhaseRuns extends Context.Tag("lifecycle/PhaseRuns")<
  PhaseRuns,
  {
    /** Starts the run of a phase that this process has taken; it ends at the latest with the process. */
    readonly start: (due: TakenPhase) => Effect.Effect<void>
    readonly running: Effect.Effect<ReadonlyArray<DuePhase>>
  }
>() {
  static readonly layer = Layer.scoped(
    PhaseRuns,
    Effect.gen(function* () {
      const steps: { readonly [_ in Phase]: PhaseStep } = {
        discover: (yield* DiscoverPhase).run,
        provision: (yield* ProvisionPhase).run,
        verify: (yield* ConfirmPhase).run,
        restore: (yield* RestorePhase).run,
        expire: expirePhase
      }
      const fork = yield* Effect.mapInputContext(FiberSet.makeRuntime<RunContext>(), pickRunContext)
      const running = new Set<DuePhase>()
      return {
        start: (due) =>
          Effect.sync(() => {
            running.add(due)
            // Whoever starts many runs takes none of their steps.
            fork(Effect.zipRight(Effect.yieldNow(), tracePhase(due, runPhase(due, steps[due.phase])))).addObserver(() =>
              running.delete(due)
            )
          }),
        running: Effect.sync(() => [...running])
      }
    })
  )
}

type RunContext = ConnectionSignals | Credentials | PhaseStore | WorkSlots | TokenRevocations | Transitions

/** Gives a run its span, in the trace of the command that made it due, which another process may have served. */
const tracePhase = <R>(due: TakenPhase, run: Effect.Effect<void, never, R>) => {
  const trace = Option.getOrUndefined(due.trace)
  return Effect.withSpan(run, `phase ${due.phase}`, {
    kind: "consumer",
    captureStackTrace: false,
    ...(trace === undefined
      ? { root: true }
      : { parent: trace.span, links: [{ _tag: "SpanLink", span: trace.span, attributes: {} } as const] }),
    attributes: {
      "connection.id": due.connectionId,
      "application.id": due.applicationId,
      "tenant.id": due.tenantId,
      "request.id": trace?.requestId,
      attempt: due.attempt
    }
  })
}

/** Keeps only the services of a run: Effect copies and compares a fiber's whole context whenever it changes. */
const pickRunContext = (context: Context.Context<RunContext | Scope.Scope>) =>
  Context.pick(
    ConnectionSignals,
    Credentials,
    PhaseStore,
    WorkSlots,
    TokenRevocations,
    Transitions,
    Scope.Scope
  )(context)

interface ClaimedStep {
  /** The next claim; none if the phase belongs to another run, or is over. */
  readonly claim: Effect.Effect<Option.Option<PhaseClaim>, StoreUnavailable, PhaseStore>
  readonly step: PhaseStep
  /** The step in its place where the row must be claimed again, since what an earlier step read may have changed. */
  readonly freshStep: PhaseStep
}

/** Runs steps until the connection has left the phase. A defect of a step becomes the failure of the connection. */
const runPhase = Effect.fnUntraced(
  function* (due: TakenPhase, step: PhaseStep) {
    let next = Option.some<ClaimedStep>({ claim: Effect.asSome(due.claim), step, freshStep: step })
    for (let nth = 1; Option.isSome(next); nth += 1) {
      next = yield* commitStep(due, next.value, nth < maxSteps).pipe(
        catchDefects((cause) =>
          Effect.logError(`The phase ${due.phase} failed unexpectedly`, cause).pipe(
            Effect.zipRight(Metric.increment(metrics.phasesFailed.labeled(due.phase))),
            Effect.zipRight(commitStep(due, claimAgain(due, unexpectedFailure(due.phase)), false))
          )
        ),
        catchDefects((cause) =>
          Effect.zipRight(
            Effect.logError("A failed phase is due again in two minutes", cause),
            releasePhase(due, stalledAfterSeconds)
          )
        )
      )
    }
  },
  (run, due) =>
    Effect.suspend(() => Effect.ensuring(run, endRun(due, performance.now()))).pipe(
      actAs({ actor: { type: "service", id: due.phase } }),
      Effect.annotateLogs(Option.match(due.trace, { onNone: () => ({}), onSome: ({ requestId }) => ({ requestId }) })),
      Effect.annotateLogs({ connectionId: due.connectionId, phase: due.phase, attempt: due.attempt })
    )
)

/** `provision` has the most: planning and writing. */
const maxSteps = 2

const claimAgain = (due: DuePhase, step: PhaseStep): ClaimedStep => ({
  claim: Effect.flatMap(PhaseStore, (store) => store.claim(due, stalledAfterSeconds)),
  step,
  freshStep: step
})

/** Ends a run that has written nothing; the phase is due in so many seconds. */
const releasePhase = (due: DuePhase, inSeconds: number) =>
  Effect.flatMap(PhaseStore, (store) => store.release(due, inSeconds)).pipe(
    // Where this fails too, the dispatcher finds that the phase does not run.
    Effect.ignore,
    Effect.as(Option.none<ClaimedStep>())
  )

/** Recovers from a defect. The phase of an interrupted run is due again in the process that takes it next. */
const catchDefects =
  <A, R2>(recover: (cause: Cause.Cause<never>) => Effect.Effect<A, never, R2>) =>
  <R>(effect: Effect.Effect<A, never, R>): Effect.Effect<A, never, R | R2> =>
    Effect.catchAllCause(effect, (cause) => (Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : recover(cause)))

const endRun = (due: DuePhase, beganAt: number) =>
  Effect.gen(function* () {
    const slots = yield* WorkSlots
    yield* Metric.update(metrics.phaseDuration.labeled(due.phase), (performance.now() - beganAt) / 1_000)
    yield* slots.remove(due)
    yield* Metric.increment(metrics.phasesEnded.labeled(due.phase))
  })

/** The step that records a defect. A state that cannot fail keeps its row, and the phase is due again in two minutes. */
const unexpectedFailure =
  (phase: Phase) =>
  ({ connection: { state } }: ConnectionRecord) => {
    const cause = { code: "internal_error", details: describeDefect(phase) } as const
    return Effect.succeed<StepResult>({
      event:
        phase === "discover"
          ? LifecycleEvent.DiscoveryFailed({ ...cause, provider: Option.none() })
          : LifecycleEvent.Failed({ ...cause, hasWrites: state === "applying" })
    })
  }

/**
 * Makes a step and saves its transition under the claim; returns the next step. Without the database it waits and claims
 * again, until the phase is due anyway. If only another process has the lease or the master key, the run ends, and the
 * phase is due again soon.
 */
const commitStep = (due: DuePhase, first: ClaimedStep, canContinue: boolean) => {
  let current = first
  return Effect.suspend(() => saveStep(due, current, canContinue)).pipe(
    Effect.tapErrorTag("StoreUnavailable", () =>
      Effect.sync(() => {
        current = claimAgain(due, first.freshStep)
      })
    ),
    Effect.retry({ schedule: untilStalled, while: isOutage }),
    Effect.catchAll((error) =>
      Effect.zipRight(
        Effect.logWarning("A phase is released, and is due again soon", error),
        releasePhase(due, releaseSecondsOf(error))
      )
    )
  )
}

const saveStep = Effect.fnUntraced(function* (
  due: DuePhase,
  { claim, freshStep, step }: ClaimedStep,
  canContinue: boolean
) {
  const slots = yield* WorkSlots
  const store = yield* PhaseStore
  const transitions = yield* Transitions
  const revocations = yield* TokenRevocations
  const signals = yield* ConnectionSignals
  const claimed = yield* claim
  if (Option.isNone(claimed)) return Option.none<ClaimedStep>()
  yield* Effect.annotateCurrentSpan("provider.id", claimed.value.connection.provider?.id)
  const { event, nextStep, ...sideEffects } = yield* slots
    .runStep(due, claimed.value.connection, step(claimed.value))
    .pipe(Effect.tapErrorTag("ResolversUnavailable", () => showDelay(due, claimed.value)))
  const transition = yield* Effect.orDie(transitions.apply(claimed.value, [event], sideEffects))
  const continues =
    canContinue && isDueNow(transition.next) && Option.exists(transition.next, ({ phase }) => phase === due.phase)
  const next = continues
    ? Option.some({ phase: due.phase, inSeconds: stalledAfterSeconds, isTaken: true })
    : transition.next
  const saved = yield* revocations.revokeAfter(
    claimed.value,
    transition,
    store.save(claimed.value, { ...transition, next })
  )
  if (saved) yield* logOutcome(claimed.value.connection, transition.after.connection)
  yield* signals.notifyChanged(due.connectionId)
  if (!continues && isDueNow(transition.next)) yield* signals.notifyDue
  if (!saved || !continues) return Option.none<ClaimedStep>()
  const continued = { ...claimed.value, ...transition.after, version: claimed.value.version + 1 }
  return Option.some<ClaimedStep>({ claim: Effect.succeedSome(continued), step: nextStep ?? freshStep, freshStep })
})

/** Writes into a connection why it waits, unless it says so already. */
const showDelay = Effect.fnUntraced(function* (due: DuePhase, claim: PhaseClaim) {
  if (claim.connection.delay !== undefined) return
  const store = yield* PhaseStore
  const transitions = yield* Transitions
  const signals = yield* ConnectionSignals
  const next = { phase: due.phase, inSeconds: resolverSeconds }
  yield* store.save(claim, yield* transitions.delay(claim, "resolver_unavailable", next))
  yield* signals.notifyChanged(due.connectionId)
})

const isDueNow = (next: Option.Option<ScheduledPhase>): boolean =>
  Option.exists(next, ({ inSeconds }) => inSeconds === 0)

/** How soon a phase is due again whose run another owner of a lease has stopped. */
const releasedSeconds = 1

/** How long to wait for a large zone: each attempt reads it anew, and others hold theirs for more than a second. */
const largeZoneSeconds = 30

/** Every phase in the database waits for the same resolvers. */
const resolverSeconds = 10

const releaseSecondsOf = ({ _tag }: PhaseDelayed): number => {
  if (_tag === "LargeZonesBusy") return largeZoneSeconds
  return _tag === "ResolversUnavailable" ? resolverSeconds : releasedSeconds
}

const isOutage = (error: PhaseDelayed): boolean =>
  error._tag === "StoreUnavailable" && !(error instanceof MasterKeyMissing)

/** Every second, for as long as a claim keeps the phase from being due. */
const untilStalled = Schedule.upTo(Schedule.spaced(Duration.seconds(1)), Duration.seconds(stalledAfterSeconds))

/** Logs why a connection has failed, and what its new plan warns of, in the sentences of the API. */
const logOutcome = (before: Connection, { failure, id, plan }: Connection): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (failure !== undefined && failure !== before.failure) {
      const details = failure.details?.map(({ message }) => message)
      const fields = { failure: failure.code, ...toField("details", details) }
      yield* Effect.annotateLogs(Effect.logWarning(failureMeanings[failure.code]), fields)
    }
    if (plan === undefined || plan === before.plan) return
    for (const warning of plan.warnings) {
      const findings = plan.warningDetails?.find(({ code }) => code === warning)?.findings
      const fields = { warning, ...toField("findings", findings) }
      yield* Effect.annotateLogs(Effect.logInfo(warningMeanings[warning]), fields)
    }
  }).pipe(Effect.annotateLogs({ connectionId: id }))

const toField = (name: string, sentences: ReadonlyArray<string> = []) =>
  sentences.length === 0 ? {} : { [name]: sentences.join("; ") }
