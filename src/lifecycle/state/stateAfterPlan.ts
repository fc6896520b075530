import { type DateTime, Option } from "effect"
import type { Connection, ConnectionState } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, mustRestore, type Progress } from "../../domain/connection/ConnectionRecord.ts"
import { hasChoiceOfMethod, isUndecided, type Provider } from "../../domain/provider/Provider.ts"
import { findApprovalRefusal } from "./ApprovalRefusal.ts"
import type { ProposedPlan } from "./LifecycleEvent.ts"
import type { RecordUpdate } from "./RecordUpdate.ts"
import { hasOnlyChallenge } from "./awaitedChallenge.ts"

/** The state after a discovery. A missing challenge is entered during verification; a new intent waits for it. */
export const stateAfterDiscovery = (
  { pendingIntent }: Connection,
  { control, effectiveIntent, plan }: ProposedPlan,
  provider: Provider
): ConnectionState =>
  hasOnlyChallenge(plan, effectiveIntent, pendingIntent === undefined ? control?.challenge : undefined)
    ? "verifying"
    : hasChoiceOfMethod(provider) || isUndecided(provider)
      ? "awaiting_authorization"
      : "awaiting_manual"

/** Another provider can store other records: the domain is discovered again, from the start if nothing is in the zone. */
export const selectProvider = (current: ConnectionRecord, provider: Provider): RecordUpdate =>
  mustRestore(current)
    ? { state: "awaiting_authorization", connection: { provider }, progress: { needsSurvey: true } }
    : {
        state: "requested",
        connection: { provider },
        progress: {
          isManual: false,
          approved: undefined,
          consent: undefined,
          wasRetried: undefined,
          ...forgetRequest(current.progress)
        },
        shouldClearFailure: true,
        shouldClearPlan: true
      }

/** The challenge was asked for because nobody could give a credential; the plan of the known provider decides anew. */
const forgetRequest = ({ control }: Progress): Partial<Progress> =>
  control === undefined || control.provenBy !== undefined || control.isLost
    ? {}
    : { control: { ...control, isAwaited: false } }

/** A degraded connection that needs no change any more waits for its next check. */
export const stateAfterRediscovery = (state: ConnectionState, { plan }: ProposedPlan): ConnectionState =>
  state === "degraded" && plan.changes.length > 0 ? "awaiting_authorization" : state

/** A plan from the provider's zone needs an approval, unless the consent that came with the authorization covers it. */
export const stateAfterPlanning = (
  { connection, progress }: ConnectionRecord,
  { plan }: ProposedPlan,
  now: DateTime.Utc
): ConnectionState => {
  const writingState = connection.direction === "restore" ? "disconnecting" : "applying"
  if (plan.changes.length === 0) return writingState === "applying" ? "verifying" : writingState
  const { consent } = progress
  return consent !== undefined && Option.isNone(findApprovalRefusal(plan, consent, now)) ? writingState : "planned"
}
