import type { FailureCode } from "../src/domain/Connection.ts"
import type { ErrorCode } from "../src/http/contract/errorResponses.ts"

/** What each error code of the HTTP API means, and what a client does about it. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "The body, a header or a path parameter does not fit the schema; `details` names each fault.",
  malformed_json: "The body is not JSON, or it holds a duplicate key or a character that is not allowed.",
  origin_not_canonical:
    "The origin of a browser token is not written as browsers send it; the message has the right form.",
  return_url_not_allowed: "`returnUrl` is not a page of the token's origin or, for an API key, not an https URL.",
  unauthenticated: "The API key or browser token is missing, wrong, expired or revoked.",
  api_key_in_browser: "The request carries an API key and an `Origin` header: API keys belong on servers only.",
  origin_not_allowed: "The `Origin` header is not the origin that the browser token was issued for.",
  insufficient_scope: "The API key lacks the scope that this endpoint needs.",
  not_found: "No connection of this application and tenant has this id.",
  route_not_found: "No endpoint has this path. Letter case and slashes count.",
  method_not_allowed: "The path exists, and does not take this method; `Allow` lists the methods that it takes.",
  body_too_slow: "The body did not arrive within ten seconds.",
  body_too_large: "The body is larger than 262,144 bytes.",
  unsupported_media_type: "The body is not `application/json` in UTF-8 without a content coding.",
  idempotency_in_progress: "The first request with this idempotency key has not ended; repeat the request shortly.",
  connection_ended: "The connection has expired, or was canceled or disconnected; create a new one.",
  state_conflict: "The command is not allowed in the current state; read the connection and decide again.",
  failure_not_retryable: "A retry cannot help after this failure; create a new connection once the cause is gone.",
  records_written: "Records of the connection may be in the zone, so that it cannot be canceled; use `disconnect`.",
  plan_digest_mismatch: "The current plan has another digest; show the new plan and ask for approval again.",
  plan_expired: "The plan is too old; a new one is being made and waits for approval.",
  acknowledgement_required: "Blocking warnings of the plan are not acknowledged; `details` lists them.",
  precondition_failed: "The connection has changed since the version that `If-Match` names.",
  unprocessable: "The request fits its schema and contradicts itself or a standard; `details` names each fault.",
  idempotency_key_reused: "The idempotency key was used for a request with another body; use a new key.",
  authorization_method_unavailable: "The provider of this domain does not offer this authorization method.",
  credential_kind_mismatch: "The credential has other fields than the provider's kind of credential.",
  not_left_over: "`putBack` names a record that is not among the `leftovers` of the connection.",
  rate_limited:
    "The servers of the tenant, the browsers of the connection, or refused credentials of the client address have used up their requests of this minute, or 1,000 requests of the tenant wait for their turn; wait for `Retry-After`.",
  quota_exceeded:
    "The tenant has used up a quota; `details` names it with its limit, the message says what can be done.",
  too_many_open_discoveries:
    "The tenant has created or retried more connections than the service has discovered; wait for `Retry-After`.",
  too_many_streams: "The connection or the tenant has as many event streams open as it may; close some.",
  overloaded: "The process has too many connections open; try again, preferably at another process.",
  internal_error: "The service has a defect; its log has the cause under the request id.",
  unavailable: "The database does not answer; repeat the request after `Retry-After`.",
  draining: "The service is shutting down; repeat the request after `Retry-After`.",
  busy: "Too many domains of the tenant, or of all, are being read; repeat the request after `Retry-After`."
}

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
  provider_snapshot_timeout: "nobody, retry",
  provider_snapshot_failed: "operator",
  zone_too_large: "customer",
  provider_zone_locked: "customer",
  provider_record_locked: "customer",
  apex_cname_unsupported: "platform",
  cname_loop: "customer",
  record_type_unsupported: "platform",
  record_value_rejected: "platform",
  spf_merge_impossible: "customer",
  host_delegated_elsewhere: "customer",
  apply_timeout: "nobody, retry",
  apply_rejected: "platform",
  apply_partial: "nobody, retry",
  verification_timeout: "nobody, retry",
  verification_mismatch: "customer",
  manual_setup_timeout: "customer",
  internal_error: "operator"
}
