import { Data, type Duration, type Option } from "effect"
import type {
  ConnectionId,
  FailureCode,
  FailureDetail,
  OptionalFailure,
  ReplanCode
} from "../../domain/connection/Connection.ts"
import type { Consent, Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { RequestFingerprint } from "../../domain/access/IdempotentRequest.ts"
import type { EffectiveIntent, ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { ControlMethod, ControlProgress } from "../../domain/connection/Control.ts"
import type { Leftover, Plan, RecordReference } from "../../domain/plan/Plan.ts"
import type { ReplacedRecord } from "../../domain/provider/DomainConnectOffer.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { MissingRecord, VerificationVerdict } from "../../domain/plan/RecordObservation.ts"

export interface ProposedPlan {
  readonly plan: Plan
  readonly effectiveIntent: EffectiveIntent
  readonly optionalFailures: ReadonlyArray<OptionalFailure>
  /** The records that a plan to restore the zone cannot bring back to their former state. */
  readonly leftovers?: ReadonlyArray<Leftover>
  /** Absent where the plan has no say in the control of the domain. */
  readonly control?: PlannedControl
  /** The connections of other tenants that hold hosts of this one. */
  readonly contested?: ReadonlyArray<ConnectionId>
  /** The changes of plans before this one that the zone shows as made; absent where the plan cannot tell. */
  readonly found?: Progress["shown"]
}

/** The effect of a plan on the control of the domain. */
export interface PlannedControl {
  /** Whether the plan carries the challenge, since the connection must not be active without it. */
  readonly isAwaited: boolean
  /** The value of the challenge, if the plan carries it, or a plan to be entered by hand must. */
  readonly challenge?: string
  /** The hosts at which earlier runs may have written, which a plan without changes there leaves out. */
  readonly writtenHosts?: ControlProgress["writtenHosts"] | undefined
  /** The plan whose entering by hand would prove control. */
  readonly enterable?: ControlProgress["enterable"]
  /** Whether a plan to be entered by hand must carry the challenge. */
  readonly isAwaitedByHand?: boolean | undefined
}

/** The findings of a check about the control of the domain. */
export interface VerifiedControl {
  /** Absent while control is not proven. */
  readonly provenBy?: ControlMethod
  /** Whether the check found a proof that is newer than the known one. */
  readonly isNewProof?: boolean
  /** The hosts that entered records prove. */
  readonly provenHosts?: ReadonlyArray<string>
  /** Whether the connection must not become active without a proof, or without a newer one. */
  readonly isRequired: boolean
  /** Whether the hosts are held for the tenant of the connection. */
  readonly isHolder: boolean
  /** A new challenge, where one is required and there is none. */
  readonly challenge?: string
  /** The connections of other tenants that hold the hosts, where a proof is required. */
  readonly contested?: ReadonlyArray<ConnectionId>
}

export interface FailureCause {
  readonly code: FailureCode
  readonly details?: ReadonlyArray<FailureDetail>
}

/** The events of a connection. `transitionTable` lists the states to which each event may lead. */
export type LifecycleEvent = Data.TaggedEnum<{
  /** Discovery found the provider of the domain and made a plan from public DNS. */
  Discovered: ProposedPlan & { readonly provider: Provider }
  DiscoveryFailed: FailureCause & { readonly provider: Option.Option<Provider> }
  /** The customer changes the zone by hand; `isByLink`: the provider may have changed it, by Domain Connect. */
  ManualChosen: { readonly isByLink: boolean }
  /** The customer stopped changing the zone by hand, to choose another method. */
  ManualAbandoned: {}
  /** The customer said which of several possible providers runs the zone. */
  ProviderSelected: { readonly provider: Provider }
  /** The customer went to the provider to authorize the service. */
  AuthorizationOpened: {}
  /** The customer came back without authorizing the service, took too long, or chose another method; `reason` is shown. */
  AuthorizationClosed: { readonly reason: Option.Option<FailureCause> }
  /** A consent that came along counts for the next plan; `fingerprint` recognizes a repeated request. */
  Authorized: { readonly consent: Option.Option<Consent>; readonly fingerprint?: RequestFingerprint }
  /** A plan was made from the provider's zone; `hasWrites` says whether an earlier plan may have written to the zone. */
  Planned: ProposedPlan & { readonly hasWrites?: boolean }
  Approved: {}
  /** A caller requested to put back leftovers too, so that another plan is needed. */
  PutBackRequested: { readonly putBack: ReadonlyArray<RecordReference> }
  /** The plan has expired, or the zone has changed since it was made; nothing was written. */
  PlanInvalidated: { readonly code: ReplanCode }
  /** The provider asks to wait before it takes more of the plan; `hasWrites` as for `Failed`. */
  WriteDelayed: { readonly resumesIn: Duration.Duration; readonly hasWrites: boolean }
  /** Every change of the plan is in the zone. */
  Applied: {}
  /**
   * The name servers were queried for the records. `repair` brings back what they lack; `isConfirmed` says whether a
   * miss counts without a second check, and `isTimedOut` whether the state has lasted for as long as it may.
   */
  Verified: {
    readonly authoritative: VerificationVerdict
    readonly publicResolvers: VerificationVerdict
    readonly repair: Option.Option<Plan>
    readonly control: VerifiedControl
    readonly isConfirmed: boolean
    readonly isTimedOut: boolean
    /** Whether the customer has asked for nothing for so long that the setup by hand counts as not finished. */
    readonly isIdle?: boolean
    /** Whether the answers are kept, to ask single servers for them again. */
    readonly isKept?: boolean
    /** The records that went beside those that a provider of Domain Connect was to remove. */
    readonly removedBeside?: ReadonlyArray<ReplacedRecord>
    /** The answers of the servers in place of the records, for the details of a failure. */
    readonly details?: ReadonlyArray<FailureDetail>
    /** The records of the intent that counts that are missing; absent where another intent was checked. */
    readonly missing?: ReadonlyArray<MissingRecord>
  }
  Confirmed: {}
  /** A newer connection of another tenant has taken the hosts, and holds them now. */
  ControlLost: {}
  /** A caller requested a check now. */
  RecheckRequested: {}
  /** The current work cannot go on; `hasWrites` says whether it may have written to the zone. */
  Failed: FailureCause & { readonly hasWrites: boolean }
  /** A caller requested to resume or repair; `toChoice`: to resume where the customer chooses a method. */
  Retried: { readonly toChoice: boolean }
  /** A caller requested another intent for the same domain; `hasCredential` says whether the service still has access. */
  IntentChanged: Pick<ResolvedIntent, "effectiveIntent" | "intent"> & { readonly hasCredential: boolean }
  /** A caller requested to remove the records from the zone; `hasCredential` says whether the service still has access. */
  DisconnectRequested: { readonly hasCredential: boolean }
  /** The connection wrote nothing itself, but now answers for records of others in the zone, because it desires the same. */
  RecordsInherited: Pick<ProposedPlan, "found" | "plan">
  /** The customer still has to make changes by hand: those of `plan`, which is absent until the zone can be read. */
  RestoreAwaited: { readonly leftovers: ReadonlyArray<Leftover>; readonly plan?: Plan }
  /** The zone is restored, by hand as `plan` says; `leftovers` are not. */
  Restored: { readonly leftovers: ReadonlyArray<Leftover>; readonly plan?: Plan }
  /** The time limit of the state passed. */
  Expired: {}
  Canceled: {}
}>
export const LifecycleEvent = Data.taggedEnum<LifecycleEvent>()

/** The servers were queried for the records. */
export type VerifiedEvent = Extract<LifecycleEvent, { readonly _tag: "Verified" }>

/** The service has a credential. */
export type AuthorizedEvent = Extract<LifecycleEvent, { readonly _tag: "Authorized" }>
