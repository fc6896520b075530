import { Effect, Match, Option } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { secretOwnerOf } from "../../domain/SealedSecret.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Credentials } from "../../security/Credentials.ts"
import type { StepResult } from "../commit/Transitions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { mustRestore } from "../state/recordsInZone.ts"

/**
 * What happens to a connection whose state has lasted for as long as it may. A plan is made anew while it can be; what is
 * in the zone does not expire.
 */
export const expirePhase = (standing: ConnectionRecord): Effect.Effect<StepResult, StoreUnavailable, Credentials> =>
  Match.value(standing.connection.state).pipe(
    Match.when("authorizing", () =>
      Effect.succeed({ event: LifecycleEvent.AuthorizationClosed({ reason: Option.some("authorization_expired") }) })
    ),
    Match.when("planned", () =>
      Effect.gen(function* () {
        const { connection } = standing
        const credential = yield* (yield* Credentials).load(secretOwnerOf(connection))
        const mayPlan = mustRestore(standing) || Option.isSome(credential)
        return { event: mayPlan ? LifecycleEvent.PlanInvalidated() : LifecycleEvent.Expired() }
      })
    ),
    Match.orElse(() => Effect.succeed({ event: LifecycleEvent.Expired() }))
  )
