import { Data, DateTime, Option } from "effect"
import type { Consent } from "../../domain/connection/ConnectionRecord.ts"
import type { Plan } from "../../domain/plan/Plan.ts"
import { severityIn, type Warning } from "../../domain/plan/Warning.ts"

/** Why a consent is not enough to apply a plan. */
export type ApprovalRefusal = Data.TaggedEnum<{
  /** The consent was given to other changes. */
  DigestMismatch: {}
  /** The zone may have changed since the plan was made. */
  PlanExpired: {}
  /** The consent does not acknowledge these serious warnings of the plan. */
  AcknowledgementRequired: { readonly missing: ReadonlyArray<Warning> }
}>
export const ApprovalRefusal = Data.taggedEnum<ApprovalRefusal>()

/** Checks that a consent covers a plan: exactly its changes, before it expires, with every serious warning acknowledged. */
export const findApprovalRefusal = (
  plan: Plan,
  consent: Consent,
  now: DateTime.Utc
): Option.Option<ApprovalRefusal> => {
  if (consent.digest !== plan.digest) return Option.some(ApprovalRefusal.DigestMismatch())
  if (DateTime.greaterThanOrEqualTo(now, plan.expiresAt)) return Option.some(ApprovalRefusal.PlanExpired())
  const missing = plan.warnings.filter(
    (warning) => severityIn(plan, warning) === "serious" && !consent.acknowledged.includes(warning)
  )
  return missing.length === 0 ? Option.none() : Option.some(ApprovalRefusal.AcknowledgementRequired({ missing }))
}
