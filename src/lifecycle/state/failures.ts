import type { DateTime } from "effect"
import { type Connection, type ConnectionState, Failure, type FailureCode } from "../../domain/Connection.ts"

/**
 * The failure of a connection as it stood, with where a retry resumes. One that is leaving is not begun anew, nor one that
 * waits.
 */
export const failureAt = (
  { direction, state }: Pick<Connection, "direction" | "state">,
  code: FailureCode,
  now: DateTime.Utc
): Failure => {
  const wanted = resumeStates[code]
  const isKept = direction === "restore" || state === "degraded" || state === "awaiting_authorization"
  const resumeState = wanted === "last" || (wanted === "requested" && isKept) ? state : wanted
  return Failure.make({
    code,
    retryable: resumeState !== undefined,
    ...(resumeState === undefined ? {} : { resumeState }),
    occurredAt: now
  })
}

/** Whether trying again can help. */
export const isRetryable = (code: FailureCode): boolean => resumeStates[code] !== undefined

/** Where a retry resumes: a state, the state in which the failure came, or nowhere if a retry cannot help. */
const resumeStates: { readonly [Code in FailureCode]: ConnectionState | "last" | undefined } = {
  domain_not_registered: "requested",
  caa_host_is_cname: undefined,
  domain_has_no_nameservers: "requested",
  zone_not_found: "requested",
  discovery_timeout: "requested",
  provider_unavailable: "last",
  provider_rate_limited: "last",
  authorization_denied: "awaiting_authorization",
  authorization_expired: "awaiting_authorization",
  authorization_revoked: "awaiting_authorization",
  authorization_insufficient_scope: "awaiting_authorization",
  authorization_zone_mismatch: "awaiting_authorization",
  credential_invalid: "awaiting_authorization",
  provider_snapshot_timeout: "authorized",
  provider_snapshot_failed: "authorized",
  provider_zone_locked: "authorized",
  provider_record_locked: undefined,
  apex_cname_unsupported: undefined,
  record_type_unsupported: undefined,
  record_value_rejected: undefined,
  spf_merge_impossible: undefined,
  host_delegated_elsewhere: undefined,
  apply_timeout: "authorized",
  apply_rejected: undefined,
  apply_partial: "authorized",
  verification_timeout: "verifying",
  verification_mismatch: "verifying",
  manual_setup_timeout: "awaiting_manual",
  internal_error: "last"
}
