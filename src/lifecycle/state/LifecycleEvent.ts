import { Data, type Option } from "effect"
import type { FailureCode, OptionalFailure } from "../../domain/Connection.ts"
import type { Consent } from "../../domain/ConnectionRecord.ts"
import type { EffectiveIntent } from "../../domain/Intent.ts"
import type { Leftover, Plan, RecordReference } from "../../domain/Plan.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { VerificationVerdict } from "../../planning/verification/VerificationVerdict.ts"

/** A plan with what it is a plan to. */
export interface ProposedPlan {
  readonly plan: Plan
  readonly effectiveIntent: EffectiveIntent
  readonly optionalFailures: ReadonlyArray<OptionalFailure>
  /** What will be otherwise than it was, if the plan takes the connection out of its zone. */
  readonly leftovers?: ReadonlyArray<Leftover>
}

/** What can happen to a connection. */
export type LifecycleEvent = Data.TaggedEnum<{
  /** The domain was looked at in public. */
  Discovered: ProposedPlan & { readonly provider: Provider }
  DiscoveryFailed: { readonly code: FailureCode; readonly provider: Option.Option<Provider> }
  /** The customer enters the records by hand. */
  ManualChosen: {}
  /** The customer has gone to the provider to let the service in. */
  AuthorizationOpened: {}
  /** The customer came back without, or not in time, or wants another way; `because` is what to tell of it. */
  AuthorizationClosed: { readonly because: Option.Option<FailureCode> }
  /** A credential is held; a consent that came with it counts for the plan that will be made. */
  Authorized: { readonly consent: Option.Option<Consent> }
  /** The customer wants to choose another way than by hand. */
  ManualAbandoned: {}
  /** A plan was made from the provider's zone; `wrote` says whether something of an earlier one may be there. */
  Planned: ProposedPlan & { readonly wrote?: boolean }
  /** Somebody who may agreed to exactly this plan. */
  Approved: {}
  /** Records that would stay away are to come back too, so that another plan is needed. */
  PutBackRequested: { readonly putBack: ReadonlyArray<RecordReference> }
  /** The plan is too old, or the zone is no longer what it was made from; nothing was written. */
  PlanInvalidated: {}
  /** Every change of the plan is in the zone. */
  Applied: {}
  /**
   * The servers were asked. `repair` is what they lack; `isSure` says whether a miss counts without a second look, and
   * `timeIsUp` whether the state has lasted for as long as it may.
   */
  Verified: {
    readonly authoritative: VerificationVerdict
    readonly inPublic: VerificationVerdict
    readonly repair: Option.Option<Plan>
    readonly isConfirmed: boolean
    readonly isTimedOut: boolean
  }
  /** Somebody asked for a check now. */
  RecheckRequested: {}
  /** Whatever was going on cannot go on; `wrote` says whether something may be in the zone. */
  Failed: { readonly code: FailureCode; readonly wrote: boolean }
  Retried: {}
  /** The records are to be taken out again. */
  DisconnectRequested: { readonly credentialHeld: boolean }
  /** The connection itself wrote nothing, and answers for what others left in the zone because it wants the same. */
  RecordsInherited: { readonly plan: Plan }
  /** What was to be taken out is out, or `plan` tells the customer what to take out; `leftovers` is what had to stay. */
  Restored: { readonly leftovers: ReadonlyArray<Leftover>; readonly plan?: Plan }
  /** Nobody came in time. */
  Expired: {}
  Canceled: {}
}>
export const LifecycleEvent = Data.taggedEnum<LifecycleEvent>()
