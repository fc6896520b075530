import { Activity, Workflow } from "@effect/workflow"
import { Cause, Duration, Effect, Layer, Metric, Option, Schedule, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Phase } from "../../domain/Transition.ts"
import { metrics } from "../../metrics.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type DuePhase, PhaseStore } from "../../persistence/stores/PhaseStore.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import type { LeaseLost, LeaseTaken } from "../commit/Leases.ts"
import { TokenRevocations } from "../commit/TokenRevocations.ts"
import { type StepResult, Transitions } from "../commit/Transitions.ts"
import { DiscoverPhase } from "../phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../phases/ProvisionPhase.ts"
import { RestorePhase } from "../phases/RestorePhase.ts"
import { VerifyPhase } from "../phases/VerifyPhase.ts"
import { expirePhase } from "../phases/expirePhase.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { PhasesInFlight, sweepAfterSeconds } from "../slots/PhasesInFlight.ts"

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

/** Runs steps, each as a durable activity, until the connection has left the phase. */
const runPhase = Effect.fnUntraced(
  function* <R>(due: DuePhase, step: PhaseStep<R>) {
    for (let nth = 1, continues = true; continues && nth <= maxSteps; nth += 1) {
      continues = yield* activity(`${due.phase}.${nth}`, commitStep(due, step, nth < maxSteps)).pipe(
        Effect.catchAllCause((cause) => {
          // An interrupted run continues in the process that takes it over or starts next.
          if (Cause.isInterrupted(cause)) return Effect.failCause(cause)
          return Effect.logError(`The phase ${due.phase} failed unexpectedly`, cause).pipe(
            Effect.zipRight(Metric.increment(metrics.phasesFailed.labeled(due.phase))),
            Effect.zipRight(
              activity(`${due.phase}.${nth}.failed`, commitStep(due, unexpectedFailure(due.phase), false))
            )
          )
        })
      )
    }
  },
  (run, due) => Effect.annotateLogs(Effect.ensuring(run, endRun(due)), { phase: due.phase, attempt: due.attempt })
)

/** `provision` has the most: planning and writing. */
const maxSteps = 2

const activity = <R>(name: string, execute: Effect.Effect<boolean, never, R>) =>
  Activity.make({ name, success: Schema.Boolean, execute })

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
 * whether this run continues with the next step. It ends where the database stays unavailable or another owner has a lease: then
 * the phase is due again after the sweep time.
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
    yield* signals.notifyChanged(due.connectionId)
    return saved && continues
  }).pipe(
    Effect.retry({ schedule: databaseRetry, while: (error) => error._tag === "StoreUnavailable" }),
    Effect.catchAll((error) => Effect.as(Effect.logWarning("A phase waits for the next sweep", error), false))
  )

/** About ten seconds; a longer outage ends the run, and `Dispatcher` starts the phase anew after the sweep time. */
const databaseRetry = Schedule.intersect(Schedule.spaced(Duration.seconds(1)), Schedule.recurs(10))
