import { isChallenge, makeChallengeRecord } from "../../domain/Control.ts"
import { DomainName } from "../../domain/DomainName.ts"
import { EffectiveIntent, type ResolvedIntent } from "../../domain/Intent.ts"
import type { PlanResult } from "../../planning/buildPlan.ts"
import type { ChallengeContext } from "./ControlRules.ts"

/** The intent with the challenge as one more record, so that the plan treats it like any other. */
export const withChallenge = (resolved: ResolvedIntent, { challenge }: ChallengeContext): ResolvedIntent => {
  const { domain, effectiveIntent } = resolved
  const records = [...effectiveIntent.records, makeChallengeRecord(domain, challenge)]
  return { ...resolved, effectiveIntent: EffectiveIntent.make({ domain, records }) }
}

/** What the connection keeps desiring: not the challenge, which may be removed once it was shown. */
export const withoutChallenge = (plan: PlanResult, { challenge }: ChallengeContext): PlanResult => {
  const { domain, records } = plan.effectiveIntent
  const kept = records.filter((record) => !isChallenge(record, DomainName.make(domain), challenge))
  return { ...plan, effectiveIntent: EffectiveIntent.make({ domain, records: kept }) }
}
