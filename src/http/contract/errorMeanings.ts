import { String } from "effect"
import { idempotencyRefusals } from "../../lifecycle/commands/commandErrors.ts"
import { bodyRefusals } from "./bodyLimits.ts"
import type { ErrorCode } from "./errorResponses.ts"

/** The meaning of each error code of the HTTP API, and what a client does about it. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    "The body, a header or a parameter does not fit the schema, or the endpoint has no such query parameter; `details` names each fault.",
  malformed_json: "The body is missing, or it is not JSON; the message has the line and the column.",
  origin_not_canonical:
    "The origin of a browser token is not written as browsers send it; the message has the right form.",
  return_url_not_allowed:
    "`returnUrl` is no page that the customer may return to. A browser names a page of its token's origin, a server any https page. Where the application has `returnOrigins`, both may name pages of these, and a server no others.",
  webhook_url_not_allowed: "The service sends nothing to this URL: it is no https URL, or its address is not public.",
  unauthenticated: "The API key, browser token, admin key or ask secret is missing, wrong, expired or revoked.",
  api_key_in_browser:
    "The request carries an API key or an admin key, and an `Origin` header: such keys belong on servers only.",
  origin_not_allowed: "The `Origin` header is not the origin that the browser token was issued for.",
  insufficient_scope:
    "The key lacks the scope that this endpoint needs, or the session of a shared link may not do this.",
  not_found: "No connection of this application and tenant has this id.",
  webhook_endpoint_not_found: "The application has no webhook endpoint with this id.",
  webhook_delivery_not_found: "The webhook endpoint has no delivery of this event in the last 30 days.",
  application_not_found: "No application has this id.",
  api_key_not_found: "The application has no valid API key with this id.",
  ask_secret_not_found: "The application has no valid ask secret with this id.",
  domain_not_allowed: "The application serves no such host: a web server gets no certificate for it.",
  route_not_found: "No endpoint has this path. Letter case and slashes count.",
  method_not_allowed: "The path exists, and does not take this method; `Allow` lists the methods that it takes.",
  ...bodyRefusals,
  idempotency_in_progress: `${String.capitalize(idempotencyRefusals.inProgress)}; repeat the request shortly.`,
  connection_exists:
    "The tenant has a connection with the same domain and records, or one that changes to them, `connectionId`; use that one, or send `allowDuplicate` if two are meant.",
  external_id_taken: "The connection `connectionId` of the tenant has this `externalId` and has not ended.",
  connection_ended: "The connection has expired, or was canceled or disconnected; create a new one.",
  state_conflict: "The command is not allowed in the current state; read the connection and decide again.",
  failure_not_retryable: "A retry cannot help after this failure; create a new connection once the cause is gone.",
  records_written: "Records of the connection may be in the zone, so that it cannot be canceled; use `disconnect`.",
  plan_digest_mismatch: "The current plan has another digest; show the new plan and ask for approval again.",
  plan_expired: "The plan is too old; a new one is being made and waits for approval.",
  acknowledgement_required: "Serious warnings of the plan are not acknowledged; `details` lists them.",
  application_exists: "There is an application with this id already; change its settings, or choose another id.",
  application_not_empty:
    "The application has connections that have not ended, ended ones to erase, or events to deliver; the message says how many.",
  tenant_has_live_connections:
    "The tenant has connections that have not ended; the message says how many. Disconnect or cancel them first.",
  connection_count_differs:
    "The tenant has another number of connections than the request confirms; count again, and confirm that number.",
  settings_omitted:
    "The request replaces all settings and leaves out some that are set, which `details` names; send them too, or use `PATCH`, where `null` removes a setting.",
  precondition_failed:
    "The connection, webhook endpoint or application has changed since the version that `If-Match` names.",
  unprocessable: "The request fits its schema and contradicts itself or a standard; `details` names each fault.",
  idempotency_key_reused: `${String.capitalize(idempotencyRefusals.keyReused)} within the last 24 hours; use a new key.`,
  authorization_method_unavailable: "The provider of this domain does not offer this authorization method.",
  credential_kind_mismatch: "The credential has other fields than the provider's kind of credential.",
  approval_unavailable:
    "With `domain_connect` the provider writes the records after a consent on its own page: leave `approvedDigest` out.",
  provider_not_selectable:
    "The provider is known, or `provider` is not among `provider.detection.candidates` of the connection.",
  not_left_over: "`putBack` names a record that is not among the `leftovers` of the connection.",
  rate_limited:
    "The servers of the tenant, the browsers of the connection, or refused credentials of the client address have used up their requests of this minute, or 1,000 requests of the servers, or 100 of the browsers, wait for their turn; wait for `Retry-After`.",
  quota_exceeded:
    "The tenant has used up a quota; `details` names it with its limit, the message says what can be done. A quota of an hour begins again after `Retry-After`.",
  too_many_open_discoveries:
    "The tenant has created or retried more connections than the service has discovered; wait for `Retry-After`.",
  too_many_streams: "The connection or the tenant has as many event streams open as it may; close some.",
  overloaded: "The process has too many connections open; try again, preferably at another process.",
  internal_error: "The service has a defect; its log has the cause under the request id.",
  unavailable: "The database does not answer; repeat the request after `Retry-After`.",
  draining: "The service is shutting down; repeat the request after `Retry-After`.",
  busy: "Too many domains of the tenant, or of all, are being read; repeat the request after `Retry-After`."
}
