import { Context, DateTime, Effect, Either, Layer, Option } from "effect"
import type { Connection, FailureCode } from "../../domain/Connection.ts"
import { resolveIntent } from "../../domain/Intent.ts"
import { Plan } from "../../domain/Plan.ts"
import type { Standing } from "../../domain/Progress.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { Planned } from "../../planning/buildPlan.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { Neighbours } from "./Neighbours.ts"
import { type NoPlan, Plans } from "./Plans.ts"
import { type Stepped, Steps } from "../steps/Steps.ts"
import { Survey, type Surveyed, type SurveyFailed } from "./Survey.ts"

/** A look at the domain of a connection: its provider, and a plan from what stands in public. */
export class Discovery extends Context.Tag("lifecycle/Discovery")<
  Discovery,
  { readonly discover: (standing: Standing) => Effect.Effect<Stepped, StoreUnavailable> }
>() {
  static readonly layer = Layer.effect(
    Discovery,
    Effect.gen(function* () {
      const neighbours = yield* Neighbours
      const plans = yield* Plans
      const { survey } = yield* Survey
      const { clocks } = yield* Steps

      const connect = Effect.fnUntraced(function* (connection: Connection) {
        // The effective intent may hold what an earlier plan merged, so that every plan starts from the intent itself.
        const intent = resolveIntent(connection.intent)
        if (Either.isLeft(intent)) return failed("record_value_rejected")
        const surveyed = yield* survey(intent.right, (zone) => neighbours.wantedIn(zone, connection))
        const { planned, provider } = surveyed
        return Either.isLeft(planned)
          ? failed(planned.left.code, Option.some(provider))
          : discovered(surveyed, planned.right, DateTime.addDuration(yield* DateTime.now, clocks.plan))
      })

      const look = (standing: Standing): Effect.Effect<LifecycleEvent, NoPlan | SurveyFailed | StoreUnavailable> =>
        standing.connection.direction === "restore"
          ? Effect.map(plans.inPublic(standing), LifecycleEvent.Discovered)
          : connect(standing.connection)

      return {
        discover: Effect.fn("Discovery.discover")((standing) =>
          look(standing).pipe(
            Effect.catchTags({
              SurveyFailed: ({ code, provider }) => Effect.succeed(failed(code, provider)),
              NoPlan: ({ code }) => Effect.succeed(failed(code))
            }),
            Effect.map((event) => ({ event }))
          )
        )
      }
    })
  )
}

const failed = (code: FailureCode, provider: Option.Option<Provider> = Option.none()) =>
  LifecycleEvent.DiscoveryFailed({ code, provider })

const discovered = (
  { provider, zone }: Surveyed,
  { changes, digest, effectiveIntent, optionalFailures, warnings }: Planned,
  expiresAt: DateTime.Utc
) =>
  LifecycleEvent.Discovered({
    provider,
    effectiveIntent,
    optionalFailures,
    plan: Plan.make({ digest, zone: zone.name, basis: zone.basis, changes, warnings, expiresAt })
  })
