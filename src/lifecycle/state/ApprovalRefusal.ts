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
  const missing = listSerious(plan).filter((warning) => !consent.acknowledged.includes(warning))
  return missing.length === 0 ? Option.none() : Option.some(ApprovalRefusal.AcknowledgementRequired({ missing }))
}

/**
 * Whether an approval of one plan covers another: the same changes, without a serious warning that the first one lacks and
 * the consent, if it came with the authorization, did not acknowledge.
 */
export const isCoveredBy = (plan: ConsentedPlan, approved: ConsentedPlan, consent: Consent | undefined): boolean => {
  const acknowledged = [...listSerious(approved), ...(consent?.digest === plan.digest ? consent.acknowledged : [])]
  return plan.digest === approved.digest && listSerious(plan).every((warning) => acknowledged.includes(warning))
}

/** What an approval is bound to: changes, and the consequences that it names. */
export type ConsentedPlan = Pick<Plan, "digest" | "warnings" | "warningDetails">

const listSerious = (plan: ConsentedPlan): ReadonlyArray<Warning> =>
  plan.warnings.filter((warning) => severityIn(plan, warning) === "serious")
