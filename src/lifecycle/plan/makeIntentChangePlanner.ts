import { DateTime, Effect, Either } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { planIntentChange } from "../../planning/intentChange/planIntentChange.ts"
import { limitPlan } from "../../planning/limitPlan.ts"
import { indexZone } from "../../planning/zone/IndexedZone.ts"
import { FactResolver } from "./FactResolver.ts"
import { makeStorableCheck, type PlanningZone } from "./PlanningZone.ts"
import type { ChallengeContext } from "../control/ControlRules.ts"
import { addChallengeRecord, removeChallengeRecord } from "../control/challengeRecords.ts"
import { ZoneTenants } from "./ZoneTenants.ts"

/** Makes the planner of a change to a new intent, with the challenge where that needs a proof of control. */
export const makeIntentChangePlanner = Effect.gen(function* () {
  const facts = yield* FactResolver
  const tenants = yield* ZoneTenants

  const plan = Effect.fnUntraced(function* (current: ConnectionRecord, intent: ResolvedIntent, read: PlanningZone) {
    const { limits, zone } = read
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
      canStore: makeStorableCheck(read),
      now: yield* DateTime.now,
      putBack: current.progress.putBack
    }
    const { result } = yield* facts.resolveFacts((context) =>
      Effect.map(computeInSlices(planIntentChange({ ...input, context })), (result) => ({
        result,
        unanswered: Either.merge(result).unanswered
      }))
    )
    return Either.flatMap(result, (planned) => limitPlan(planned, intent))
  })

  return Effect.fnUntraced(function* (
    current: ConnectionRecord,
    {
      intent,
      challengeContext
    }: { readonly intent: ResolvedIntent; readonly challengeContext: ChallengeContext | undefined },
    read: PlanningZone
  ) {
    const planned = yield* plan(current, intent, read)
    if (challengeContext === undefined || Either.isLeft(planned)) return planned
    const control = challengeContext.judge(planned.right, read)
    const challenged = control.isAwaited
      ? yield* plan(current, addChallengeRecord(intent, challengeContext), read)
      : planned
    return Either.map(challenged, (result) => ({
      ...result,
      ...removeChallengeRecord(result, challengeContext),
      control
    }))
  })
})
