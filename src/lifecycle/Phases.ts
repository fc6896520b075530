import { Activity, Workflow } from "@effect/workflow"
import { DateTime, Duration, Effect, Option, Schedule, Schema } from "effect"
import { type Connection, ConnectionId } from "../domain/Connection.ts"
import { Identifiers } from "../domain/Identifiers.ts"
import { ConnectionStore, type DuePhase } from "../persistence/ConnectionStore.ts"
import { Discovery } from "./Discovery.ts"
import { advance, LifecycleEvent } from "./LifecycleState.ts"
import { PhasesInFlight } from "./PhasesInFlight.ts"
import { Signals } from "./Signals.ts"

/** One run of a phase. `attempt` is the row's: a run whose attempt is no longer the row's ends quietly. */
const Run = { connectionId: ConnectionId, attempt: Schema.Int }

/** From `requested` onwards: provider, effective intent and first plan. Its names are database keys. */
export const discover = Workflow.make({
  name: "discover",
  payload: Run,
  idempotencyKey: ({ attempt, connectionId }) => `${connectionId}/${attempt}`
})

/** The durable phases, one screen each. */
export const layer = discover.toLayer(
  Effect.fnUntraced(function* (run) {
    const discovery = yield* Discovery
    const inFlight = yield* PhasesInFlight
    const signals = yield* Signals
    const due = { ...run, phase: "discover" as const }

    yield* Activity.make({
      name: "discover",
      execute: step(due, discovery.discover)
    }).pipe(
      Effect.catchAllCause((cause) =>
        Effect.zipRight(
          Effect.logError("Discovery failed unexpectedly", cause),
          Activity.make({ name: "discover.failed", execute: step(due, () => Effect.succeed(unexpected)) })
        )
      ),
      Effect.ensuring(Effect.zipRight(inFlight.remove(run.connectionId), signals.due)),
      Effect.annotateLogs(run)
    )
  })
)

const unexpected = LifecycleEvent.DiscoveryFailed({ code: "internal_error", provider: Option.none() })

/** One guarded commit: claims the row, finds out what happened and writes where that leads, if the row is still ours. */
const step = Effect.fnUntraced(function* (
  due: DuePhase,
  happen: (connection: Connection) => Effect.Effect<LifecycleEvent>
) {
  const store = yield* ConnectionStore
  const identifiers = yield* Identifiers
  const signals = yield* Signals
  const claimed = yield* Effect.orDie(Effect.retry(store.claim(due), databaseRetry))
  if (Option.isNone(claimed)) return
  const { connection } = claimed.value
  const event = yield* happen(connection)
  const advanced = yield* Effect.orDie(advance(connection, event, yield* DateTime.now))
  const entry = {
    id: yield* identifiers.next("evt"),
    from: connection.state,
    to: advanced.state,
    ...(advanced.failure === undefined ? {} : { failure: advanced.failure.code })
  }
  const saved = store.save(claimed.value, { connection: advanced, event: entry, phase: Option.none() })
  yield* Effect.orDie(Effect.retry(saved, databaseRetry))
  yield* signals.changed(connection.id)
})

/** About ten seconds; what lasts longer is taken up again by the sweep of `Dispatch`. */
const databaseRetry = Schedule.intersect(Schedule.spaced(Duration.seconds(1)), Schedule.recurs(10))
