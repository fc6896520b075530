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
    "The servers of the tenant, the browsers of the connection, or refused credentials of the client address have used up their requests of this minute; wait for `Retry-After`.",
  quota_exceeded:
    "The tenant has used up a quota; `details` names it with its limit, the message says what can be done.",
  too_many_open_discoveries:
    "The tenant has created more connections than the service has discovered; wait for `Retry-After`.",
  too_many_streams: "The connection or the tenant has as many event streams open as it may; close some.",
  overloaded: "The process has too many connections open; try again, preferably at another process.",
  internal_error: "The service has a defect; its log has the cause under the request id.",
  unavailable: "The database does not answer; repeat the request after `Retry-After`.",
  draining: "The service is shutting down; repeat the request after `Retry-After`.",
  busy: "Too many domains of the tenant, or of all, are being read; repeat the request after `Retry-After`."
}

/** Who has to act before a retry can help, or before a new connection can be made. */
type ActingParty = "customer" | "platform" | "operator" | "nobody, retry"

interface FailureText {
  readonly meaning: string
  readonly who: ActingParty
}

/** What each failure code of a connection means, and who can remove its cause. */
export const failureTexts: { readonly [_ in FailureCode]: FailureText } = {
  domain_not_registered: { meaning: "The registry says that the domain does not exist.", who: "customer" },
  caa_host_is_cname: {
    meaning: "A CAA record is desired at a host that holds a CNAME, which allows no other record.",
    who: "platform"
  },
  domain_has_no_nameservers: {
    meaning: "The domain is registered, and is not delegated to any name server.",
    who: "customer"
  },
  zone_not_found: {
    meaning: "The domain is delegated, and none of its name servers serves the zone.",
    who: "customer"
  },
  discovery_timeout: { meaning: "A server that is needed for the plan did not answer in time.", who: "nobody, retry" },
  provider_unavailable: {
    meaning: "The provider cannot be reached, or reports a fault of its own.",
    who: "nobody, retry"
  },
  provider_rate_limited: { meaning: "The provider limits the rate of calls.", who: "nobody, retry" },
  authorization_denied: { meaning: "The customer, or the provider, denied the authorization.", who: "customer" },
  authorization_expired: {
    meaning: "The authorization ran out before it was used, or was not completed in time.",
    who: "customer"
  },
  authorization_revoked: { meaning: "The authorization was revoked at the provider.", who: "customer" },
  authorization_insufficient_scope: {
    meaning: "The credential does not allow reading and changing the zone.",
    who: "customer"
  },
  authorization_zone_mismatch: {
    meaning: "The account of the credential does not hold the zone to which the domain is delegated.",
    who: "customer"
  },
  credential_invalid: { meaning: "The provider does not accept the credential.", who: "customer" },
  provider_snapshot_timeout: { meaning: "The provider took too long to send the zone.", who: "nobody, retry" },
  provider_snapshot_failed: { meaning: "The provider sent an answer that cannot be read as a zone.", who: "operator" },
  zone_too_large: {
    meaning:
      "The zone is larger than the service plans from: more than 32 MiB as the provider sends it, more than 500,000 records, or an RRset that no DNS message of 65,535 bytes can hold.",
    who: "customer"
  },
  provider_zone_locked: { meaning: "The provider has locked the zone against changes.", who: "customer" },
  provider_record_locked: { meaning: "The provider has locked one of the records against changes.", who: "customer" },
  apex_cname_unsupported: {
    meaning: "A CNAME is desired at the apex, and the provider cannot flatten it.",
    who: "platform"
  },
  record_type_unsupported: { meaning: "The provider cannot store a desired type of record.", who: "platform" },
  record_value_rejected: { meaning: "The provider cannot store a desired value.", who: "platform" },
  spf_merge_impossible: {
    meaning: "With the desired senders, the SPF record would pass a limit of receivers (RFC 7208 section 4.6.4).",
    who: "customer"
  },
  host_delegated_elsewhere: { meaning: "The host of a desired record is delegated to another zone.", who: "customer" },
  apply_timeout: {
    meaning: "The provider took too long to answer a write; a retry first reads what was written.",
    who: "nobody, retry"
  },
  apply_rejected: { meaning: "The provider refused the changes.", who: "platform" },
  apply_partial: {
    meaning: "Some changes were written and others were not; a retry plans what is missing.",
    who: "nobody, retry"
  },
  verification_timeout: { meaning: "Not every server showed the written records in time.", who: "nobody, retry" },
  verification_mismatch: { meaning: "The name servers show other records than the written ones.", who: "customer" },
  manual_setup_timeout: { meaning: "The customer did not enter the records in time.", who: "customer" },
  internal_error: { meaning: "The service has a defect; its log has the cause.", who: "operator" }
}
