import { Warning } from "../plan/Warning.ts"

/** The meaning of each code of an error's `details`, and what to send instead. */
export const detailMeanings = {
  missing: "A required field is missing.",
  test_domain_required:
    "Test mode connects its own domains only, such as `one-click.test`; docs/test-mode.md lists them.",
  domain_of_test_mode:
    "No name below `.test` exists in the public DNS. Test mode connects its own ones, with an API key that begins with `dck_test_`.",
  record_template_missing: "The application has no `recordTemplate`, which an administrator sets.",
  unknown_field:
    "The request has a field that the endpoint does not know; `suggestion` names the one that may be meant.",
  invalid: "The value has the wrong type or form; the message says what it must be.",
  duplicate_key: "An object of the body has the same key twice.",
  forbidden_key: "The key has a meaning of its own in JavaScript and is not accepted.",
  lone_surrogate: "The text has half of a surrogate pair, which is no character.",
  nested_too_deeply: "The body is nested more deeply than 16 levels.",
  nul_character: "The text has the character U+0000, which cannot be stored.",
  too_many_fields: "An object of the body has too many fields.",
  parameter_repeated: "The query has the parameter more than once.",
  unknown_parameter:
    "The endpoint has no such query parameter; the message lists those that it has, and `suggestion` names the one that may be meant.",
  domain_is_unset:
    "The domain has the word of a program for a variable without a value, such as `undefined`. A name that is really so called is sent with a final dot.",
  host_is_unset:
    "The host has the word of a program for a variable without a value, such as `undefined`. A name that is really so called is sent absolute, with a final dot.",
  value_is_unset:
    "The value has the word of a program for a variable without a value, such as `undefined`. A name that is really so called is sent with a final dot.",
  domain_is_url: "The domain was sent as a URL; `suggestion` has the name inside.",
  domain_is_email: "The domain was sent as an e-mail address; `suggestion` has the name inside.",
  domain_has_path: "A path follows the domain; send the name alone.",
  domain_has_port: "A port follows the domain; send the name alone.",
  domain_has_punctuation: "Quotes, brackets or punctuation surround the domain; send the name alone.",
  domain_has_space: "The domain contains white space.",
  domain_has_trailing_slash: "The domain ends in a slash.",
  host_is_url: "The host was sent as a URL; `suggestion` has the name inside.",
  host_is_email: "The host was sent as an e-mail address; `suggestion` has the name inside.",
  host_has_path: "A path follows the host; send the name alone.",
  host_has_port: "A port follows the host; send the name alone.",
  host_has_punctuation: "Quotes, brackets or punctuation surround the host; send the name alone.",
  host_has_space: "The host contains white space.",
  host_has_trailing_slash: "The host ends in a slash.",
  target_is_url: "The target was sent as a URL; `suggestion` has the name inside.",
  target_is_email: "The target was sent as an e-mail address; `suggestion` has the name inside.",
  target_has_path: "A path follows the target; send the name alone.",
  target_has_port: "A port follows the target; send the name alone.",
  target_has_punctuation: "Quotes, brackets or punctuation surround the target; send the name alone.",
  target_has_space: "The target contains white space.",
  target_has_trailing_slash: "The target ends in a slash.",
  domain_is_empty: "The domain is empty.",
  domain_has_empty_label: "The domain has two dots in a row, or begins with a dot.",
  domain_label_too_long: "A label of the domain has more than 63 characters.",
  domain_too_long: "The domain has more than 253 characters.",
  domain_has_bad_character: "The domain has a character that its labels may not have.",
  domain_not_idna:
    "The domain is no valid internationalized name (IDNA 2008, UTS 46): it may have symbols or invisible characters.",
  domain_is_ip_address: "The domain is an IP address; send a name.",
  domain_is_public_suffix:
    "The domain is a public suffix, such as `co.uk` or `github.io`; send a domain that is registered below it.",
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
  target_is_single_label: "The record points to a name of one label, which is no host; write the whole name.",
  cname_loop: "The CNAME leads back to itself, or into a loop with other records of the intent.",
  type_is_alias:
    "ALIAS and ANAME are types of some providers, not of the DNS; send a CNAME at `@`, or addresses where the provider cannot flatten a CNAME.",
  type_not_in_capitals: "Types of records are written in capitals, without spaces.",
  value_has_priority:
    "The value has a number besides the host, or in its place: the preference of an MX belongs in `priority`.",
  value_has_space:
    "The text begins with a space, or has characters that only look like spaces or are invisible; send it without them.",
  value_has_quotes: "The text has quotes or escapes as in a zone file; send it without them.",
  target_is_ip_address:
    "A record of this type points to a name, and no name ends in a number; for an address use A or AAAA.",
  value_is_empty: "The value of a TXT record is empty.",
  value_has_bad_character: "The value has a line break, a tab or another control character, or half of a character.",
  value_is_no_ipv4_address: "The value of an A record is not one IPv4 address.",
  value_is_no_ipv6_address: "The value of an AAAA record is not one IPv6 address.",
  value_is_no_srv: "The value of an SRV record is not `weight port target`; its priority has a field of its own.",
  value_malformed: "The value has not the form of its record type; the message shows the form.",
  host_malformed:
    "The host does not begin with the labels where programs look for a record of this type; the message names them.",
  srv_host_malformed:
    "The host of an SRV record does not begin with `_service._proto`, where programs look for it (RFC 2782).",
  value_is_no_caa: 'The value of a CAA record is not `flags tag "value"`.',
  value_is_no_dmarc: "The value at a `_dmarc` host is not a DMARC record (RFC 9989).",
  priority_not_applicable: "Only MX and SRV records have a priority.",
  alternatives_not_applicable: "Only a CNAME at the domain itself (`@`) has `alternatives`.",
  null_mx_priority: "A null MX (target `.`) has the priority 0.",
  null_mx_not_alone: "A null MX stands alone: no other MX may be at the host.",
  record_duplicated:
    "The same record is in the intent twice with different priorities or DMARC options, or an address twice in `alternatives`.",
  record_must_be_single:
    "A host may have only one record of this kind: SPF, DMARC, DKIM, MTA-STS, TLS-RPT, BIMI, or an alias by HTTPS or SVCB.",
  delegation_missing: "A DS record stands beside NS records of the same host, in the same intent.",
  record_below_delegation: "Another record of the intent delegates the host: only glue and DS records may be there.",
  cname_not_alone: "A host with a CNAME has no other record.",
  caa_contact_malformed: "The `iodef` of the CAA record is no URL.",
  caa_tag_unknown: "No CA knows the tag of the CAA record, which is nearly one that CAs know.",
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
  spf_term_ignored:
    "Receivers ignore a term of the SPF record: a mechanism behind `all`, or `redirect=` beside it (RFC 7208).",
  spf_version_malformed: "The SPF record does not begin with `v=spf1` and a space, or stands in quotes.",
  connections_per_tenant: "The tenant has as many connections as it may.",
  connections_per_domain: "The registered domain has as many connections as it may.",
  open_discoveries_per_tenant: "The tenant has as many undiscovered connections as it may.",
  storage_per_tenant: "The documents of the tenant take up as much storage as they may.",
  idempotency_per_tenant: "The answers that are kept for idempotency keys take up as much storage as they may.",
  webhook_endpoints_per_application: "The application has as many webhook endpoints as it may.",
  domain_connect_keys_per_application: "The application has as many keys of Domain Connect as it may.",
  replays_per_hour: "The application would have more deliveries replayed within an hour than it may.",
  test_events_per_hour: "The application has sent as many test events within an hour as it may.",
  webhook_url_not_allowed: "The service may send nothing to the URL of the webhook endpoint; the message says why.",
  application_has_live_connections:
    "The application has connections that have not ended; the message says how many. Disconnect or cancel them first.",
  application_has_ended_connections:
    "The application had more ended connections than one request erases; send the request again.",
  application_has_pending_deliveries:
    "Events `connection.erased` wait for their delivery; send the request again a little later, or pause the endpoint.",
  setting_omitted: "The setting has a value, and the request that replaces all settings leaves it out.",
  host_not_in_plan: "Test mode: the plan changes nothing at this host.",
  invalid_value: "Test mode: no record of this type has this value; the message says what is wrong.",
  zone_full: "Test mode: the zone would have more records or characters than it may; take another test domain."
} as const

/** The codes of errors that their only detail repeats. */
const repeatedErrorCodes = [
  "approval_unavailable",
  "authorization_method_unavailable",
  "not_left_over",
  "origin_not_canonical",
  "provider_not_selectable",
  "return_url_not_allowed"
] as const

/** The code of a detail of an error: one with a meaning above, that of its error, or a warning to acknowledge. */
export type DetailCode = keyof typeof detailMeanings | (typeof repeatedErrorCodes)[number] | Warning

export const detailCodes: ReadonlySet<string> = new Set([
  ...Object.keys(detailMeanings),
  ...repeatedErrorCodes,
  ...Warning.literals
])

export const isDetailCode = (code: string): code is DetailCode => detailCodes.has(code)
