import { DateTime, Effect, Either } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { planIndexedIntentChange } from "../../planning/intentChange/planIntentChange.ts"
import { indexZone } from "../../planning/zone/IndexedZone.ts"
import { FactResolver } from "./FactResolver.ts"
import type { SurveyedZone } from "./ZoneSurvey.ts"
import { ZoneTenants } from "./ZoneTenants.ts"

/** Makes the function that plans the change of a connection to a new intent for its domain, from a zone that was read. */
export const makeIntentChangePlanner = Effect.gen(function* () {
  const facts = yield* FactResolver
  const tenants = yield* ZoneTenants

  return Effect.fn("PlanMaker.planIntentChange")(function* (
    current: ConnectionRecord,
    intent: ResolvedIntent,
    { limits, zone }: Pick<SurveyedZone, "limits" | "zone">
  ) {
    const { domain } = intent
    const { journal, leaving, others } = yield* tenants.readHistory(zone, current)
    const desiredHosts = intent.effectiveIntent.records.map(({ host }) => host)
    const input = {
      zone: yield* computeInSlices(indexZone(zone, { domain, ttl: limits.ttl, desiredHosts })),
      domain,
      journal,
      connection: leaving,
      intent,
      others,
      limits,
      now: yield* DateTime.now,
      putBack: current.progress.putBack
    }
    const { result } = yield* facts.resolveFacts((context) =>
      Effect.map(computeInSlices(planIndexedIntentChange({ ...input, context })), (result) => ({
        result,
        unanswered: Either.merge(result).unanswered
      }))
    )
    return result
  })
})
