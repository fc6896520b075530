import { Data, DateTime, Option } from "effect"
import type { Consent } from "../../domain/ConnectionRecord.ts"
import type { Plan, Warning } from "../../domain/Plan.ts"
import { blockingWarnings } from "../../domain/blockingWarnings.ts"

/** Why a consent does not allow a plan to be applied. */
export type ApprovalRefusal = Data.TaggedEnum<{
  /** It was given to other changes. */
  DigestMismatch: {}
  /** The zone may have changed since the plan was made. */
  PlanExpired: {}
  /** Consequences that must be named have not been. */
  AcknowledgementRequired: { readonly missing: ReadonlyArray<Warning> }
}>
export const ApprovalRefusal = Data.taggedEnum<ApprovalRefusal>()

/** Why this consent does not allow this plan, if it does not: only exactly these changes, now, with all they bring. */
export const approvalRefusalOf = (plan: Plan, consent: Consent, now: DateTime.Utc): Option.Option<ApprovalRefusal> => {
  if (consent.digest !== plan.digest) return Option.some(ApprovalRefusal.DigestMismatch())
  if (DateTime.greaterThanOrEqualTo(now, plan.expiresAt)) return Option.some(ApprovalRefusal.PlanExpired())
  const missing = plan.warnings.filter(
    (warning) => blockingWarnings.has(warning) && !consent.acknowledged.includes(warning)
  )
  return missing.length === 0 ? Option.none() : Option.some(ApprovalRefusal.AcknowledgementRequired({ missing }))
}
