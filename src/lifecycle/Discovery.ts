import { Context, DateTime, Duration, Effect, Either, Layer, Option } from "effect"
import type { Connection } from "../domain/Connection.ts"
import { resolveIntent } from "../domain/Intent.ts"
import { Plan } from "../domain/Plan.ts"
import type { Planned } from "../planning/buildPlan.ts"
import { LifecycleEvent } from "./LifecycleState.ts"
import { Survey, type Surveyed } from "./Survey.ts"

/** The first look at the domain of a connection: its provider and a plan from what stands in public. */
export class Discovery extends Context.Tag("lifecycle/Discovery")<
  Discovery,
  { readonly discover: (connection: Connection) => Effect.Effect<LifecycleEvent> }
>() {
  static readonly layer = Layer.effect(
    Discovery,
    Effect.map(Survey, ({ survey }) => ({
      discover: Effect.fn("Discovery.discover")(function* (connection) {
        // The effective intent may hold what an earlier plan merged, so that every plan starts from the intent itself.
        const intent = resolveIntent(connection.intent)
        if (Either.isLeft(intent)) return failed({ code: "record_value_rejected", provider: Option.none() })
        const surveyed = yield* Effect.either(survey(intent.right))
        if (Either.isLeft(surveyed)) return failed(surveyed.left)
        const { planned, provider } = surveyed.right
        if (Either.isLeft(planned)) return failed({ code: planned.left.code, provider: Option.some(provider) })
        return discovered(surveyed.right, planned.right, yield* DateTime.now)
      })
    }))
  )
}

const failed = LifecycleEvent.DiscoveryFailed

/** How long a first plan may be approved; the clocks of the lifecycle are in one place from the next phase on. */
const planLifetime = Duration.minutes(15)

const discovered = (
  { provider, zone }: Surveyed,
  { changes, digest, effectiveIntent, optionalFailures, warnings }: Planned,
  now: DateTime.Utc
) =>
  LifecycleEvent.Discovered({
    provider,
    effectiveIntent,
    optionalFailures,
    plan: Plan.make({
      digest,
      basis: zone.basis,
      changes,
      warnings,
      expiresAt: DateTime.addDuration(now, planLifetime)
    })
  })
