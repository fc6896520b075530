import { Effect, Match, Option } from "effect"
import type { Standing } from "../../domain/Progress.ts"
import { ownerOf } from "../../persistence/Sealed.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Credentials } from "../../security/Credentials.ts"
import { isBound } from "../state/isBound.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import type { Stepped } from "../steps/Steps.ts"

/**
 * What happens to a connection whose state has lasted for as long as it may. A plan is made anew while it can be; what is
 * in the zone does not expire.
 */
export const lapse = (standing: Standing): Effect.Effect<Stepped, StoreUnavailable, Credentials> =>
  Match.value(standing.connection.state).pipe(
    Match.when("authorizing", () =>
      Effect.succeed({ event: LifecycleEvent.AuthorizationClosed({ because: Option.some("authorization_expired") }) })
    ),
    Match.when("planned", () =>
      Effect.gen(function* () {
        const { connection } = standing
        const credential = yield* (yield* Credentials).live(ownerOf(connection))
        const mayPlan = isBound(standing) || Option.isSome(credential)
        return { event: mayPlan ? LifecycleEvent.PlanLapsed() : LifecycleEvent.Expired() }
      })
    ),
    Match.orElse(() => Effect.succeed({ event: LifecycleEvent.Expired() }))
  )
