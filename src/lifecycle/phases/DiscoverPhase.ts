import { Context, DateTime, Effect, Either, Layer, Option } from "effect"
import type { Connection, FailureCode } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { resolveIntent } from "../../domain/Intent.ts"
import { Plan } from "../../domain/Plan.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { PlanResult } from "../../planning/buildPlan.ts"
import { type StepResult, Transitions } from "../commit/Transitions.ts"
import { type PlanImpossible, PlanMaker } from "../plan/PlanMaker.ts"
import { type SurveyedZone, ZoneSurvey, type ZoneSurveyFailed } from "../plan/ZoneSurvey.ts"
import { ZoneTenants } from "../plan/ZoneTenants.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** A look at the domain of a connection: its provider, and a plan from what stands in public. */
export class DiscoverPhase extends Context.Tag("lifecycle/DiscoverPhase")<
  DiscoverPhase,
  { readonly run: (standing: ConnectionRecord) => Effect.Effect<StepResult, StoreUnavailable> }
>() {
  static readonly layer = Layer.effect(
    DiscoverPhase,
    Effect.gen(function* () {
      const neighbours = yield* ZoneTenants
      const plans = yield* PlanMaker
      const { survey } = yield* ZoneSurvey
      const { timeouts: clocks } = yield* Transitions

      const connect = Effect.fnUntraced(function* (connection: Connection) {
        // The effective intent may hold what an earlier plan merged, so that every plan starts from the intent itself.
        const intent = resolveIntent(connection.intent)
        if (Either.isLeft(intent)) return failed("record_value_rejected")
        const surveyed = yield* survey(intent.right, (zone) => neighbours.desiredByOthers(zone, connection))
        const { planned, provider } = surveyed
        return Either.isLeft(planned)
          ? failed(planned.left.code, Option.some(provider))
          : discovered(surveyed, planned.right, DateTime.addDuration(yield* DateTime.now, clocks.plan))
      })

      const look = (
        standing: ConnectionRecord
      ): Effect.Effect<LifecycleEvent, PlanImpossible | ZoneSurveyFailed | StoreUnavailable> =>
        standing.connection.direction === "restore"
          ? Effect.map(plans.planFromPublicZone(standing), LifecycleEvent.Discovered)
          : connect(standing.connection)

      return {
        run: Effect.fn("DiscoverPhase.run")((standing) =>
          look(standing).pipe(
            Effect.catchTags({
              ZoneSurveyFailed: ({ code, provider }) => Effect.succeed(failed(code, provider)),
              PlanImpossible: ({ code }) => Effect.succeed(failed(code))
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
  { provider, zone }: SurveyedZone,
  { changes, digest, effectiveIntent, optionalFailures, warnings }: PlanResult,
  expiresAt: DateTime.Utc
) =>
  LifecycleEvent.Discovered({
    provider,
    effectiveIntent,
    optionalFailures,
    plan: Plan.make({ digest, zone: zone.name, basis: zone.basis, changes, warnings, expiresAt })
  })
