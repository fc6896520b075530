import { Context, Effect, Layer } from "effect"
import type { HostHolding } from "../../domain/connection/Control.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import { makeNamesFrom } from "../../domain/names/NameSet.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { HostHolderStore } from "../../persistence/stores/connections/HostHolderStore.ts"
import { WorkSlots } from "../../limits/WorkSlots.ts"
import { ServiceBusy } from "../../limits/limitErrors.ts"
import { type PlanPreview, PlanMaker } from "./PlanMaker.ts"
import type { ZoneSurveyFailed } from "./ZoneSurvey.ts"

const resolversBusy = new ServiceBusy({
  code: "busy",
  message: "this service cannot look up domains at the moment; try again shortly"
})

/** Checks domains that no connection has, in the slots that the phases of connections use too. */
export class DomainChecks extends Context.Tag("lifecycle/DomainChecks")<
  DomainChecks,
  {
    /** Plans an intent for a tenant; busy where the tenant has too many checks and phases under way, or no resolver answers. */
    readonly preview: (
      tenancy: Tenancy,
      intent: ResolvedIntent
    ) => Effect.Effect<PlanPreview, ServiceBusy | ZoneSurveyFailed>
    /** Who holds hosts at or below a domain in the application of a tenant. */
    readonly findHolding: (tenancy: Tenancy, domain: DomainName) => Effect.Effect<HostHolding, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    DomainChecks,
    Effect.gen(function* () {
      const slots = yield* WorkSlots
      const plans = yield* PlanMaker
      const hosts = yield* HostHolderStore
      return {
        findHolding: (tenancy, domain) => hosts.findHolding(tenancy, makeNamesFrom(domain)),
        preview: (tenancy, intent) =>
          slots.runCheck(tenancy, plans.preview(intent)).pipe(
            Effect.tapErrorTag("ResolversUnavailable", (failure) => Effect.logWarning("A domain check waits", failure)),
            Effect.catchTag("ResolversUnavailable", () => resolversBusy)
          )
      }
    })
  )
}
