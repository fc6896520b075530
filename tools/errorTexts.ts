import type { FailureCode } from "../src/domain/connection/Connection.ts"

/** Who has to act before a retry can help, or before a new connection can be made. */
type ActingParty = "customer" | "platform" | "operator" | "nobody, retry"

/** Who can remove the cause of each failure of a connection. */
export const actingParties: { readonly [_ in FailureCode]: ActingParty } = {
  domain_not_registered: "customer",
  caa_host_is_cname: "platform",
  domain_has_no_nameservers: "customer",
  zone_not_found: "customer",
  discovery_timeout: "nobody, retry",
  provider_unavailable: "nobody, retry",
  provider_rate_limited: "nobody, retry",
  authorization_denied: "customer",
  authorization_expired: "customer",
  authorization_revoked: "customer",
  authorization_insufficient_scope: "customer",
  authorization_zone_mismatch: "customer",
  credential_invalid: "customer",
  account_not_entitled: "customer",
  provider_snapshot_timeout: "nobody, retry",
  provider_snapshot_failed: "operator",
  zone_too_large: "customer",
  provider_zone_locked: "customer",
  provider_record_locked: "customer",
  apex_cname_unsupported: "platform",
  cname_loop: "customer",
  record_type_unsupported: "platform",
  record_value_rejected: "customer",
  spf_merge_impossible: "customer",
  host_delegated_elsewhere: "customer",
  plan_too_large: "customer",
  apply_timeout: "nobody, retry",
  apply_rejected: "platform",
  apply_partial: "nobody, retry",
  verification_timeout: "nobody, retry",
  verification_mismatch: "customer",
  manual_setup_timeout: "customer",
  control_unproven: "customer",
  control_lost: "customer",
  internal_error: "operator"
}
