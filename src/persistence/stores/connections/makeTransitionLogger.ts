import { Effect, FiberRef } from "effect"
import { currentActor } from "../../../domain/access/Actor.ts"
import type { Transition } from "../../../domain/connection/Transition.ts"
import { makeEventLogger } from "../../../runtime/EventLog.ts"

/** Makes what logs the changes of state of a transition that was written. */
export const makeTransitionLogger = Effect.map(
  makeEventLogger,
  (logEvent) =>
    ({ after: { connection }, events, next }: Transition): Effect.Effect<void> =>
      Effect.flatMap(FiberRef.get(currentActor), ({ requestId }) =>
        Effect.forEach(
          events.filter(({ from, to }) => from !== to),
          ({ failure, from, id, to }) =>
            logEvent("State changed", {
              connectionId: connection.id,
              applicationId: connection.applicationId,
              tenantId: connection.tenantId,
              from,
              to,
              failure,
              nextPhase: next._tag === "Some" ? next.value.phase : undefined,
              eventId: id,
              ...(requestId === undefined ? {} : { requestId })
            }),
          { discard: true }
        )
      )
)
