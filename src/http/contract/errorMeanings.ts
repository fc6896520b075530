import { bodyRefusals } from "./bodyLimits.ts"
import type { ErrorCode } from "./errorResponses.ts"

/** What each error code of the HTTP API means, and what a client does about it. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    "The body, a header or a parameter does not fit the schema, or the endpoint has no such query parameter; `details` names each fault.",
  malformed_json: "The body is not JSON, or it holds a duplicate key or a character that is not allowed.",
  origin_not_canonical:
    "The origin of a browser token is not written as browsers send it; the message has the right form.",
  return_url_not_allowed:
    "`returnUrl` is not a page of the token's origin or, for an API key, not an https URL, and in both cases not of the `returnOrigins` of the application.",
  webhook_url_not_allowed: "The service sends nothing to this URL: it is no https URL, or its address is not public.",
  unauthenticated: "The API key, browser token, admin key or ask secret is missing, wrong, expired or revoked.",
  api_key_in_browser:
    "The request carries an API key or an admin key, and an `Origin` header: such keys belong on servers only.",
  origin_not_allowed: "The `Origin` header is not the origin that the browser token was issued for.",
  insufficient_scope: "The API key lacks the scope that this endpoint needs.",
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
  idempotency_in_progress: "The first request with this idempotency key has not ended; repeat the request shortly.",
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
  application_not_empty: "The application has API keys, connections or webhook endpoints; `details` lists which.",
  precondition_failed:
    "The connection, webhook endpoint or application has changed since the version that `If-Match` names.",
  unprocessable: "The request fits its schema and contradicts itself or a standard; `details` names each fault.",
  idempotency_key_reused: "The idempotency key was used for a request with another body; use a new key.",
  authorization_method_unavailable: "The provider of this domain does not offer this authorization method.",
  credential_kind_mismatch: "The credential has other fields than the provider's kind of credential.",
  not_left_over: "`putBack` names a record that is not among the `leftovers` of the connection.",
  rate_limited:
    "The servers of the tenant, the browsers of the connection, or refused credentials of the client address have used up their requests of this minute, or 1,000 requests of the servers, or 100 of the browsers, wait for their turn; wait for `Retry-After`.",
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

/** What each code of an error's `details` means, and what to send instead. */
export const detailMeanings: Readonly<Record<string, string>> = {
  missing: "A required field is missing.",
  test_domain_required:
    "Test mode connects its own domains only, such as `one-click.test`; docs/test-mode.md lists them.",
  unknown_field: "The request has a field that the endpoint does not know.",
  invalid: "The value has the wrong type or form; the message says what it must be.",
  duplicate_key: "An object of the body has the same key twice.",
  forbidden_key: "The key has a meaning of its own in JavaScript and is not accepted.",
  lone_surrogate: "The text has half of a surrogate pair, which is no character.",
  nested_too_deeply: "The body is nested more deeply than 16 levels.",
  nul_character: "The text has the character U+0000, which cannot be stored.",
  too_many_fields: "An object of the body has too many fields.",
  parameter_repeated: "The query has the parameter more than once.",
  unknown_parameter: "The endpoint has no such query parameter; the message lists those that it has.",
  ...Object.fromEntries(
    ["domain", "host", "target"].flatMap((field) => [
      [`${field}_is_url`, `The ${field} was sent as a URL; \`suggestion\` has the name inside.`],
      [`${field}_is_email`, `The ${field} was sent as an e-mail address; \`suggestion\` has the name inside.`],
      [`${field}_has_path`, `A path follows the ${field}; send the name alone.`],
      [`${field}_has_port`, `A port follows the ${field}; send the name alone.`],
      [`${field}_has_punctuation`, `Quotes, brackets or punctuation surround the ${field}; send the name alone.`],
      [`${field}_has_space`, `The ${field} contains white space.`],
      [`${field}_has_trailing_slash`, `The ${field} ends in a slash.`]
    ])
  ),
  domain_is_empty: "The domain is empty.",
  domain_has_empty_label: "The domain has two dots in a row, or begins with a dot.",
  domain_label_too_long: "A label of the domain has more than 63 characters.",
  domain_too_long: "The domain has more than 253 characters.",
  domain_has_bad_character: "The domain has a character that its labels may not have.",
  domain_not_idna:
    "The domain is no valid internationalized name (IDNA 2008, UTS 46): it may have symbols or invisible characters.",
  domain_is_ip_address: "The domain is an IP address; send a name.",
  domain_is_public_suffix: "The domain is a public suffix, such as `co.uk`; send a domain that is registered below it.",
  domain_is_single_label: "The domain has one label only; send it with its suffix.",
  domain_is_wildcard: "A wildcard cannot be connected; send the domain, and the wildcard as the host of a record.",
  domain_differs:
    "The domain of the intent is not that of the connection that it is for, or of the plan of the dry run.",
  host_is_empty: "The host is empty.",
  host_has_empty_label: "The host has two dots in a row, or begins with a dot.",
  host_label_too_long: "A label of the host has more than 63 characters.",
  host_too_long: "The host has more than 253 characters.",
  host_has_bad_character: "The host has a character that its labels may not have.",
  host_not_idna:
    "The host is no valid internationalized name (IDNA 2008, UTS 46): it may have symbols or invisible characters.",
  host_outside_domain: "The host ends in a dot and does not lie in the domain of the intent.",
  target_is_empty: "The name to which the record points is empty.",
  target_has_empty_label: "The name to which the record points has two dots in a row, or begins with a dot.",
  target_label_too_long: "A label of the name to which the record points has more than 63 characters.",
  target_too_long: "The name to which the record points has more than 253 characters.",
  target_has_bad_character: "The name to which the record points has a character that its labels may not have.",
  target_not_idna:
    "The name to which the record points is no valid internationalized name (IDNA 2008, UTS 46): it may have symbols or invisible characters.",
  cname_loop: "The CNAME leads back to itself, or into a loop with other records of the intent.",
  type_is_alias:
    "ALIAS and ANAME are types of some providers, not of the DNS; send a CNAME at `@`, or addresses where the provider cannot flatten a CNAME.",
  type_not_in_capitals: "Types of records are written in capitals, without spaces.",
  value_has_priority:
    "The value has a number besides the host, or in its place: the preference of an MX belongs in `priority`.",
  value_has_quotes: "The text has quotes or escapes as in a zone file; send it without them.",
  target_is_ip_address:
    "A record of this type points to a name, and no name ends in a number; for an address use A or AAAA.",
  value_is_empty: "The value of a TXT record is empty.",
  value_has_bad_character: "The value has a control character, or half of a surrogate pair.",
  value_is_no_ipv4_address: "The value of an A record is not one IPv4 address.",
  value_is_no_ipv6_address: "The value of an AAAA record is not one IPv6 address.",
  value_is_no_srv: "The value of an SRV record is not `weight port target`; its priority has a field of its own.",
  value_is_no_caa: 'The value of a CAA record is not `flags tag "value"`.',
  value_is_no_dmarc: "The value at a `_dmarc` host is not a DMARC record (RFC 9989).",
  priority_not_applicable: "Only MX and SRV records have a priority.",
  alternatives_not_applicable: "Only a CNAME at the domain itself (`@`) has `alternatives`.",
  null_mx_priority: "A null MX (target `.`) has the priority 0.",
  null_mx_not_alone: "A null MX stands alone: no other MX may be at the host.",
  record_duplicated: "The same record is in the intent twice.",
  record_must_be_single: "A host may have only one record of this kind: SPF, DMARC, DKIM, MTA-STS, TLS-RPT or BIMI.",
  record_below_delegation: "Another record of the intent delegates the host: only glue may be there.",
  cname_not_alone: "A host with a CNAME has no other record.",
  caa_issuer_malformed: "The value of the CAA record names no issuer as RFC 8659 writes it.",
  dmarc_options_elsewhere: "`advancedDmarcOptions` belong to a DMARC record only.",
  dmarc_tag_contradicted: "The options set and remove the same DMARC tag.",
  dmarc_tag_name_invalid: "The name of a DMARC tag is malformed.",
  dmarc_tag_repeated: "The options name the same DMARC tag twice, in different letter case.",
  dmarc_tag_required: "The DMARC tags `v` and `p` cannot be removed.",
  dmarc_tag_value_invalid: "The value of a DMARC tag is none that its standard allows.",
  dmarc_version_fixed: "The DMARC tag `v` is always `DMARC1`.",
  spf_allows_all: "The SPF record lets everybody send mail in the name of the domain (`+all`).",
  spf_modifier_repeated: "The SPF record has `redirect` or `exp` twice.",
  spf_term_malformed: "A term of the SPF record is malformed (RFC 7208).",
  spf_version_malformed: "The SPF record does not begin with `v=spf1` and a space, or stands in quotes.",
  connections_per_tenant: "The tenant has as many connections as it may.",
  connections_per_domain: "The registered domain has as many connections as it may.",
  open_discoveries_per_tenant: "The tenant has as many undiscovered connections as it may.",
  storage_per_tenant: "The documents of the tenant take up as much storage as they may.",
  idempotency_per_tenant: "The answers that are kept for idempotency keys take up as much storage as they may.",
  webhook_endpoints_per_application: "The application has as many webhook endpoints as it may.",
  webhook_url_not_allowed: "The service may send nothing to the URL of the webhook endpoint; the message says why.",
  application_has_api_keys: "The application has valid API keys; revoke them first.",
  application_has_connections: "The application has connections, which may have ended; it cannot be deleted.",
  application_has_webhook_endpoints: "The application has webhook endpoints; delete them first."
}
