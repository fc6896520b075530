import { Activity, Workflow } from "@effect/workflow"
import { Cause, Duration, Effect, Layer, Metric, Option, Schedule, Schema } from "effect"
import { type Connection, ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Phase } from "../../domain/Transition.ts"
import { failureMeanings } from "../../domain/failureMeanings.ts"
import { warningMeanings } from "../../domain/warningMeanings.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type DuePhase, PhaseStore } from "../../persistence/stores/PhaseStore.ts"
import { metrics } from "../../runtime/metrics.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import type { LeaseLost, LeaseTaken } from "../commit/Leases.ts"
import { TokenRevocations } from "../commit/TokenRevocations.ts"
import { type StepResult, Transitions } from "../commit/Transitions.ts"
import { DiscoverPhase } from "../phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../phases/ProvisionPhase.ts"
import { RestorePhase } from "../phases/RestorePhase.ts"
import { VerifyPhase } from "../phases/VerifyPhase.ts"
import { expirePhase } from "../phases/expirePhase.ts"
import { PhasesInFlight, sweepAfterSeconds } from "../slots/PhasesInFlight.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** One run of a phase. `attempt` is that of the row: a run ends without effect once the row has another one. */
const PhaseRun = { connectionId: ConnectionId, attempt: Schema.Int }

const workflowFor = <Name extends Phase>(name: Name) =>
  Workflow.make({
    // Both the name and the key are stored in the database.
    name,
    payload: PhaseRun,
    idempotencyKey: ({ attempt, connectionId }) => `${connectionId}/${attempt}`
  })

const discover = workflowFor("discover")
const provision = workflowFor("provision")
const verify = workflowFor("verify")
const restore = workflowFor("restore")
const expire = workflowFor("expire")

/** The durable workflow that runs each phase; `Dispatcher` starts them. */
export const phaseWorkflows = { discover, provision, verify, restore, expire }

/** Runs the phases when their workflows are started. */
export const phaseWorkflowsLayer = Layer.mergeAll(
  discover.toLayer((run) =>
    Effect.flatMap(DiscoverPhase, (phase) => runPhase({ ...run, phase: "discover" }, phase.run))
  ),
  provision.toLayer((run) =>
    Effect.flatMap(ProvisionPhase, (phase) => runPhase({ ...run, phase: "provision" }, phase.run))
  ),
  verify.toLayer((run) => Effect.flatMap(VerifyPhase, (phase) => runPhase({ ...run, phase: "verify" }, phase.run))),
  restore.toLayer((run) => Effect.flatMap(RestorePhase, (phase) => runPhase({ ...run, phase: "restore" }, phase.run))),
  expire.toLayer((run) => runPhase({ ...run, phase: "expire" }, expirePhase))
)

type PhaseStep<R> = (
  current: ConnectionRecord
) => Effect.Effect<StepResult, LeaseLost | LeaseTaken | StoreUnavailable, R>

/**
 * Runs the steps of a phase as one durable activity. While the engine cannot store it, because the database is
 * unavailable, it waits and tries again; the engine knows the activity by its name, so that it is not run twice. Where
 * that takes too long the run ends without an event, and the phase is due again by then.
 */
const runPhase = Effect.fnUntraced(
  function* <R>(due: DuePhase, step: PhaseStep<R>) {
    yield* Activity.make({ name: due.phase, execute: Effect.ensuring(runSteps(due, step), endRun(due)) }).pipe(
      Effect.sandbox,
      Effect.retry({ schedule: untilSweep, while: (cause) => !Cause.isInterruptedOnly(cause) }),
      Effect.unsandbox,
      catchDefects((cause) => Effect.zipRight(Effect.logWarning("The engine did not run a phase", cause), endRun(due)))
    )
  },
  (run, due) => Effect.annotateLogs(run, { phase: due.phase, attempt: due.attempt })
)

/** Runs steps until the connection has left the phase. A defect of a step becomes the failure of the connection. */
const runSteps = Effect.fnUntraced(function* <R>(due: DuePhase, step: PhaseStep<R>) {
  for (let nth = 1, continues = true; continues && nth <= maxSteps; nth += 1) {
    continues = yield* commitStep(due, step, nth < maxSteps).pipe(
      catchDefects((cause) =>
        Effect.logError(`The phase ${due.phase} failed unexpectedly`, cause).pipe(
          Effect.zipRight(Metric.increment(metrics.phasesFailed.labeled(due.phase))),
          Effect.zipRight(commitStep(due, unexpectedFailure(due.phase), false))
        )
      ),
      catchDefects((cause) => Effect.as(Effect.logError("A failed phase waits for the next sweep", cause), false))
    )
  }
})

/** `provision` has the most: planning and writing. */
const maxSteps = 2

/** Recovers from what is a defect here. An interrupted run continues in the process that takes it over or starts next. */
const catchDefects =
  <A, R2>(recover: (cause: Cause.Cause<never>) => Effect.Effect<A, never, R2>) =>
  <R>(effect: Effect.Effect<A, never, R>): Effect.Effect<A, never, R | R2> =>
    Effect.catchAllCause(effect, (cause) => (Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : recover(cause)))

/** Reports the end of a run, also where the engine cannot store it yet. */
const endRun = (due: DuePhase) =>
  Effect.gen(function* () {
    const inFlight = yield* PhasesInFlight
    const signals = yield* ConnectionSignals
    yield* inFlight.remove(due)
    yield* Metric.increment(metrics.phasesEnded.labeled(due.phase))
    yield* signals.notifyDue
  })

/** The step that records a defect. A state that cannot fail keeps its row, and the phase is due again after the sweep time. */
const unexpectedFailure =
  (phase: Phase) =>
  ({ connection: { state } }: ConnectionRecord) =>
    Effect.succeed<StepResult>({
      event:
        phase === "discover"
          ? LifecycleEvent.DiscoveryFailed({ code: "internal_error", provider: Option.none() })
          : LifecycleEvent.Failed({ code: "internal_error", hasWrites: state === "applying" })
    })

/**
 * Claims the row, runs the step and saves the transition that its event causes, if the row still has this attempt. Returns
 * whether this run continues with the next step. While the database is unavailable it waits and claims again, until the
 * phase is due again anyway. Where another owner has a lease it ends, and the phase is due again after the sweep time.
 */
const commitStep = <R>(due: DuePhase, step: PhaseStep<R>, canContinue: boolean) =>
  Effect.gen(function* () {
    const inFlight = yield* PhasesInFlight
    const store = yield* PhaseStore
    const transitions = yield* Transitions
    const revocations = yield* TokenRevocations
    const signals = yield* ConnectionSignals
    const claimed = yield* store.claim(due, sweepAfterSeconds)
    if (Option.isNone(claimed)) return false
    const { event, ...sideEffects } = yield* inFlight.runStep(due, claimed.value.connection, step(claimed.value))
    const transition = yield* Effect.orDie(transitions.apply(claimed.value, [event], sideEffects))
    const continues =
      canContinue && Option.exists(transition.next, (next) => next.phase === due.phase && next.inSeconds === 0)
    const next = continues ? Option.some({ phase: due.phase, inSeconds: sweepAfterSeconds }) : transition.next
    const saved = yield* revocations.revokeAfter(
      claimed.value,
      transition,
      store.save(claimed.value, { ...transition, next })
    )
    if (saved) yield* logOutcome(claimed.value.connection, transition.after.connection)
    yield* signals.notifyChanged(due.connectionId)
    return saved && continues
  }).pipe(
    Effect.retry({ schedule: untilSweep, while: (error) => error._tag === "StoreUnavailable" }),
    Effect.catchAll((error) => Effect.as(Effect.logWarning("A phase waits for the next sweep", error), false))
  )

/** Every second, for as long as a claim keeps the phase from being due. */
const untilSweep = Schedule.upTo(Schedule.spaced(Duration.seconds(1)), Duration.seconds(sweepAfterSeconds))

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
