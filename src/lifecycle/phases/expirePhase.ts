import { Effect, Match, Option } from "effect"
import { providerNameOf } from "../../domain/connection/Connection.ts"
import { canAbandonChange, type ConnectionRecord, mustRestore } from "../../domain/connection/ConnectionRecord.ts"
import { secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Credentials } from "../../security/Credentials.ts"
import type { StepResult } from "../commit/Transitions.ts"
import { type FailureCause, LifecycleEvent } from "../state/LifecycleEvent.ts"

/** Ends a state at its timeout: with a credential or a zone to restore by a new plan, else by expiry. */
export const expirePhase = (current: ConnectionRecord): Effect.Effect<StepResult, StoreUnavailable, Credentials> =>
  Match.value(current.connection.state).pipe(
    Match.when("authorizing", () =>
      Effect.succeed({
        event: LifecycleEvent.AuthorizationClosed({ reason: Option.some(describeMissedReturn(current)) })
      })
    ),
    Match.when("planned", () =>
      Effect.gen(function* () {
        const { connection } = current
        const hasCredential = yield* (yield* Credentials).isStored(secretOwnerOf(connection))
        const mustPlan = mustRestore(current) && !canAbandonChange(current)
        const canPlan = mustPlan || hasCredential
        return { event: canPlan ? LifecycleEvent.PlanInvalidated({ code: "plan_expired" }) : LifecycleEvent.Expired() }
      })
    ),
    Match.orElse(() => Effect.succeed({ event: LifecycleEvent.Expired() }))
  )

const describeMissedReturn = ({ connection }: ConnectionRecord): FailureCause => {
  const server = providerNameOf(connection)
  return {
    code: "authorization_expired",
    details: [{ message: `the customer did not come back from ${server} in time`, server }]
  }
}
