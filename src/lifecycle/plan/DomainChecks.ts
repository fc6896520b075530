import { Context, Effect, Layer } from "effect"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { PhasesInFlight } from "../slots/PhasesInFlight.ts"
import type { ServiceBusy } from "../slots/ServiceBusy.ts"
import { type PlanPreview, PlanMaker } from "./PlanMaker.ts"
import type { ZoneSurveyFailed } from "./ZoneSurvey.ts"

/** Checks domains that no connection has, in the slots that the phases of connections use too. */
export class DomainChecks extends Context.Tag("lifecycle/DomainChecks")<
  DomainChecks,
  {
    /** Plans an intent for a tenant; busy where the tenant has too many checks and phases under way. */
    readonly preview: (
      tenancy: Tenancy,
      intent: ResolvedIntent
    ) => Effect.Effect<PlanPreview, ServiceBusy | ZoneSurveyFailed>
  }
>() {
  static readonly layer = Layer.effect(
    DomainChecks,
    Effect.gen(function* () {
      const inFlight = yield* PhasesInFlight
      const plans = yield* PlanMaker
      return { preview: (tenancy, intent) => inFlight.runCheck(tenancy, plans.preview(intent)) }
    })
  )
}
