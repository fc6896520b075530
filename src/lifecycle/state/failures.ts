import type { DateTime } from "effect"
import {
  type Connection,
  type ConnectionState,
  Failure,
  FailureCode,
  maxFailureDetails
} from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { failureMeanings } from "../../domain/connection/failureMeanings.ts"
import type { FailureCause } from "./LifecycleEvent.ts"
import { canRediscover } from "./transitionTable.ts"

/** Makes a failure with its resume state: the current one for a connection that leaves or is rediscovered. */
export const makeFailure = (
  { direction, state }: Pick<Connection, "direction" | "state">,
  { code, details = [] }: FailureCause,
  now: DateTime.Utc
): Failure => {
  const target = resumeStates[code]
  const keepsState = direction === "restore" || canRediscover(state)
  const resumeState = target === "current" || (target === "requested" && keepsState) ? state : target
  return Failure.make({
    code,
    retryable: resumeState !== undefined,
    ...(resumeState === undefined ? {} : { resumeState }),
    ...(details.length === 0 ? {} : { details: details.slice(0, maxFailureDetails) }),
    occurredAt: now
  })
}

/** Whether a failed connection can choose a method: it failed there, or on the way that was chosen. */
export const canChooseAgain = ({
  connection: { direction, failure, state }
}: Pick<ConnectionRecord, "connection">): boolean =>
  state === "failed" &&
  (failure?.resumeState === "awaiting_authorization" ||
    (direction !== "restore" && (failure?.resumeState === "authorized" || failure?.resumeState === "applying")))

/** Explains the failure of a plan that no connection has: in the check of a domain, and in a dry run. */
export const explainFailure = ({ code, details = [] }: FailureCause) => ({
  code,
  retryable: isRetryable(code),
  message: failureMeanings[code],
  ...(details.length === 0 ? {} : { details: details.slice(0, maxFailureDetails) })
})

export const isRetryable = (code: FailureCode): boolean => resumeStates[code] !== undefined

/** The state in which a retry resumes, `current` for the state in which the failure came; none if no retry can help. */
const resumeStates: { readonly [Code in FailureCode]: ConnectionState | "current" | undefined } = {
  domain_not_registered: "requested",
  caa_host_is_cname: undefined,
  cname_loop: undefined,
  domain_has_no_nameservers: "requested",
  zone_not_found: "requested",
  discovery_timeout: "requested",
  provider_unavailable: "current",
  provider_rate_limited: "current",
  authorization_denied: "awaiting_authorization",
  authorization_expired: "awaiting_authorization",
  authorization_revoked: "awaiting_authorization",
  authorization_insufficient_scope: "awaiting_authorization",
  authorization_zone_mismatch: "awaiting_authorization",
  credential_invalid: "awaiting_authorization",
  account_not_entitled: "awaiting_authorization",
  provider_snapshot_timeout: "authorized",
  provider_snapshot_failed: "authorized",
  zone_too_large: "authorized",
  provider_zone_locked: "authorized",
  provider_record_locked: "authorized",
  apex_cname_unsupported: undefined,
  record_type_unsupported: undefined,
  record_value_rejected: "authorized",
  spf_merge_impossible: undefined,
  host_delegated_elsewhere: undefined,
  plan_too_large: undefined,
  apply_timeout: "authorized",
  apply_rejected: "authorized",
  apply_partial: "authorized",
  verification_timeout: "verifying",
  verification_mismatch: "verifying",
  manual_setup_timeout: "awaiting_manual",
  control_unproven: "verifying",
  control_lost: "current",
  internal_error: "current"
}

/** The failures that no retry can help. */
export const permanentFailures: ReadonlyArray<FailureCode> = FailureCode.literals.filter((code) => !isRetryable(code))

/** Whether a discovery failed, as opposed to an authorization. */
export const isDiscoveryFailure = (failure: Connection["failure"]): boolean =>
  failure !== undefined &&
  !failure.code.startsWith("authorization_") &&
  failure.code !== "credential_invalid" &&
  failure.code !== "control_lost"
