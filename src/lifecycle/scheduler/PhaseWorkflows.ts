import { Activity, Workflow } from "@effect/workflow"
import { Cause, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type DuePhase, PhaseStore } from "../../persistence/stores/PhaseStore.ts"
import type { Phase } from "../../persistence/stores/transitionSql.ts"
import type { LeaseLost, LeaseTaken } from "../apply/Leases.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { TokenRevocations } from "../commit/TokenRevocations.ts"
import { type StepResult, Transitions } from "../commit/Transitions.ts"
import { DiscoverPhase } from "../phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../phases/ProvisionPhase.ts"
import { RestorePhase } from "../phases/RestorePhase.ts"
import { VerifyPhase } from "../phases/VerifyPhase.ts"
import { expirePhase } from "../phases/expirePhase.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { PhasesInFlight, sweepAfterSeconds } from "./PhasesInFlight.ts"
import { countEnded, countFailed } from "./phaseMetrics.ts"

/** One run of a phase. `attempt` is the row's: a run whose attempt is no longer the row's ends quietly. */
const Run = { connectionId: ConnectionId, attempt: Schema.Int }

/** The name of a workflow is a database key. */
const workflowFor = <Name extends Phase>(name: Name) =>
  Workflow.make({
    name,
    payload: Run,
    idempotencyKey: ({ attempt, connectionId }) => `${connectionId}/${attempt}`
  })

/** From `requested` onwards: provider, effective intent and first plan; a new look where what is known is old. */
const discover = workflowFor("discover")
/** From `authorized` to the provider's zone, a plan from it, and, if that is approved, into the zone. */
const provision = workflowFor("provision")
/** Asks the servers whether they answer what is wanted. */
const verify = workflowFor("verify")
/** Takes the records out again. */
const restore = workflowFor("restore")
/** The time of a state is over. */
const expire = workflowFor("expire")

/** The workflow that runs a phase. */
export const phaseWorkflows = { discover, provision, verify, restore, expire }

/** The durable phases. */
export const phaseWorkflowsLayer = Layer.mergeAll(
  discover.toLayer((run) =>
    Effect.flatMap(DiscoverPhase, ({ run: discover }) => runs({ ...run, phase: "discover" }, discover))
  ),
  provision.toLayer((run) =>
    Effect.flatMap(ProvisionPhase, (phase) => runs({ ...run, phase: "provision" }, phase.run))
  ),
  verify.toLayer((run) => Effect.flatMap(VerifyPhase, ({ run: watch }) => runs({ ...run, phase: "verify" }, watch))),
  restore.toLayer((run) => Effect.flatMap(RestorePhase, (phase) => runs({ ...run, phase: "restore" }, phase.run))),
  expire.toLayer((run) => runs({ ...run, phase: "expire" }, expirePhase))
)

type Step<R> = (standing: ConnectionRecord) => Effect.Effect<StepResult, LeaseLost | LeaseTaken | StoreUnavailable, R>

/** Steps, each one durable activity, until the connection has left the phase. */
const runs = Effect.fnUntraced(
  function* <R>(due: DuePhase, step: Step<R>) {
    for (let nth = 1, goesOn = true; goesOn && nth <= maxSteps; nth += 1) {
      goesOn = yield* activity(`${due.phase}.${nth}`, takeStep(due, step, nth < maxSteps)).pipe(
        Effect.catchAllCause((cause) => {
          // Whoever takes the work over, or takes it up again, goes on with it.
          if (Cause.isInterrupted(cause)) return Effect.failCause(cause)
          return Effect.logError(`The phase ${due.phase} failed unexpectedly`, cause).pipe(
            Effect.zipRight(countFailed(due.phase)),
            Effect.zipRight(activity(`${due.phase}.${nth}.failed`, takeStep(due, failed(due.phase), false)))
          )
        })
      )
    }
  },
  (run, due) => Effect.annotateLogs(Effect.ensuring(run, over(due)), { phase: due.phase, attempt: due.attempt })
)

/** Planning and applying. */
const maxSteps = 2

const activity = <R>(name: string, execute: Effect.Effect<boolean, never, R>) =>
  Activity.make({ name, success: Schema.Boolean, execute })

const over = (due: DuePhase) =>
  Effect.gen(function* () {
    const inFlight = yield* PhasesInFlight
    const signals = yield* ConnectionSignals
    yield* inFlight.remove(due)
    yield* countEnded(due.phase)
    yield* signals.notifyDue
  })

/** What cannot fail has failed: in a state that has no failure the phase is due again by the sweep. */
const failed =
  (phase: Phase) =>
  ({ connection: { state } }: ConnectionRecord) =>
    Effect.succeed<StepResult>({
      event:
        phase === "discover"
          ? LifecycleEvent.DiscoveryFailed({ code: "internal_error", provider: Option.none() })
          : LifecycleEvent.Failed({ code: "internal_error", wrote: state === "applying" })
    })

/**
 * One guarded commit: claims the row, finds out what happened and writes where that leads, if the row is still ours; says
 * whether this run goes on with it. A database that stays away
 * ends the run, as does a lease that somebody else has: the sweep takes the phase up again.
 */
const takeStep = <R>(due: DuePhase, step: Step<R>, mayGoOn: boolean) =>
  Effect.gen(function* () {
    const store = yield* PhaseStore
    const steps = yield* Transitions
    const revocations = yield* TokenRevocations
    const signals = yield* ConnectionSignals
    const claimed = yield* store.claim(due, sweepAfterSeconds)
    if (Option.isNone(claimed)) return false
    const { event, ...beside } = yield* step(claimed.value)
    const advanced = yield* Effect.orDie(steps.apply(claimed.value, [event], beside))
    const goesOn = mayGoOn && Option.exists(advanced.next, (next) => next.phase === due.phase && next.inSeconds === 0)
    const next = goesOn ? Option.some({ phase: due.phase, inSeconds: sweepAfterSeconds }) : advanced.next
    const saved = yield* revocations.revokeAfter(
      claimed.value,
      advanced,
      store.save(claimed.value, { ...advanced, next })
    )
    yield* signals.notifyChanged(due.connectionId)
    return saved && goesOn
  }).pipe(
    Effect.retry({ schedule: databaseRetry, while: (error) => error._tag === "StoreUnavailable" }),
    Effect.catchAll((error) => Effect.as(Effect.logWarning("A phase waits for the next sweep", error), false))
  )

/** About ten seconds; what lasts longer is taken up again by the sweep of `Dispatch`. */
const databaseRetry = Schedule.intersect(Schedule.spaced(Duration.seconds(1)), Schedule.recurs(10))
