import { Context, Effect, Layer } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { PhaseDelayed, StepResult } from "../commit/Transitions.ts"
import type { PlanImpossible } from "../plan/PlanImpossible.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import type { ZoneSurveyFailed } from "../plan/ZoneSurvey.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** Finds the provider of a connection's domain in the public DNS, and plans from the answers of the name servers. */
export class DiscoverPhase extends Context.Tag("lifecycle/DiscoverPhase")<
  DiscoverPhase,
  { readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed> }
>() {
  static readonly layer = Layer.effect(
    DiscoverPhase,
    Effect.map(PlanMaker, (plans) => ({
      run: (current) =>
        plans.planFromPublicZone(current).pipe(
          Effect.map((discovered): LifecycleEvent => LifecycleEvent.Discovered(discovered)),
          Effect.catchTags({ ZoneSurveyFailed: discoveryFailed, PlanImpossible: discoveryFailed }),
          Effect.map((event) => ({ event }))
        )
    }))
  )
}

const discoveryFailed = ({ code, details = [], provider }: PlanImpossible | ZoneSurveyFailed) =>
  Effect.succeed(LifecycleEvent.DiscoveryFailed({ code, details, provider }))
