import { isChallenge, makeChallengeRecord } from "../../domain/connection/Control.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { EffectiveIntent, type ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { PlanResult } from "../../planning/buildPlan.ts"
import type { ChallengeContext } from "./ControlRules.ts"

/** Adds the challenge to the records of an intent, so that the plan treats it like any other. */
export const addChallengeRecord = (resolved: ResolvedIntent, { challenge }: ChallengeContext): ResolvedIntent => {
  const { domain, effectiveIntent } = resolved
  const records = [...effectiveIntent.records, makeChallengeRecord(domain, challenge)]
  return { ...resolved, effectiveIntent: EffectiveIntent.make({ domain, records }) }
}

/** Removes the challenge from the records that stay desired: once it was shown, it may be removed. */
export const removeChallengeRecord = (plan: PlanResult, { challenge }: ChallengeContext): PlanResult => {
  const { domain, records } = plan.effectiveIntent
  const kept = records.filter((record) => !isChallenge(record, DomainName.make(domain), challenge))
  return { ...plan, effectiveIntent: EffectiveIntent.make({ domain, records: kept }) }
}
