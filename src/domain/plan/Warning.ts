import { Order, Schema } from "effect"

/** A stable code of something that the customer should know before approving. */
export const Warning = Schema.Literal(
  "name_servers_disagree",
  "spf_record_merged",
  "spf_existing_sufficient",
  "spf_policy_replaced",
  "spf_duplicates_collapsed",
  "spf_lookup_limit_exceeded",
  "spf_lookup_unknown",
  "spf_include_broken",
  "spf_existing_invalid_replaced",
  "spf_excludes_existing_mail",
  "spf_allows_all",
  "dmarc_existing_preserved",
  "dmarc_existing_invalid_replaced",
  "dmarc_policy_weakened",
  "dmarc_policy_strengthened",
  "dmarc_inherited_from_root",
  "dmarc_duplicates_collapsed",
  "dmarc_tag_deprecated",
  "dkim_key_replaced",
  "dkim_key_removed",
  "caa_blocks_issuance",
  "caa_set_created",
  "caa_existing_sufficient",
  "caa_not_needed",
  "caa_lookup_unknown",
  "cname_replaces_records",
  "cname_removed",
  "address_records_replaced",
  "website_replaced",
  "mx_replaced",
  "mail_records_removed",
  "mail_target_changed",
  "mx_target_unusable",
  "null_mx_sender",
  "tls_policy_mismatch",
  "service_record_replaced",
  "ns_target_changed",
  "ns_delegation_hides_records",
  "delegation_replaced",
  "apex_cname_flattened",
  "record_not_served",
  "wildcard_hidden",
  "proxied_record_present",
  "ttl_adjusted",
  "txt_value_split",
  "record_repeated",
  "optional_record_skipped",
  "host_repeats_domain",
  "dnssec_signed_zone",
  "multi_provider_ns",
  "ns_parent_child_mismatch",
  "other_connection_affected",
  "control_not_proven",
  "plan_large_deletion",
  "provider_zone_differs_from_public_dns",
  "lookup_unknown"
).annotations({
  identifier: "Warning",
  description: "What to know before the approval of a plan; `warningDetails` explains it.",
  message: () => ({ message: "is no warning of a plan; write codes of `plan.warnings`", override: true })
})
export type Warning = typeof Warning.Type

/** `serious`: mail, a website or much of a zone may stop; `caution`: the customer may have to act. */
export const WarningSeverity = Schema.Literal("info", "caution", "serious").annotations({
  identifier: "WarningSeverity",
  description:
    "`serious`: mail, a website or much of a zone may stop. `caution`: the customer may have to act. `info`: good to know."
})
export type WarningSeverity = typeof WarningSeverity.Type

/** `changes` are the indexes that it is about, none for the whole plan; `findings` are about this very plan. */
export const WarningDetail = Schema.Struct({
  code: Warning,
  changes: Schema.Array(Schema.Int),
  findings: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  severity: Schema.optionalWith(WarningSeverity, { exact: true })
})
export type WarningDetail = typeof WarningDetail.Type

/** The severity of a warning of a plan; exactly the serious ones must be acknowledged. */
export const severityIn = (
  plan: { readonly warningDetails?: ReadonlyArray<WarningDetail> | undefined },
  warning: Warning
): WarningSeverity => plan.warningDetails?.find(({ code }) => code === warning)?.severity ?? severityOf(warning)

/** The severity of a warning, unless its plan gives it another one. */
export const severityOf = (warning: Warning): WarningSeverity =>
  seriousByDefault.has(warning) ? "serious" : informative.has(warning) ? "info" : "caution"

/** The highest of some severities; `info` if there is none. */
export const findHighestSeverity = (severities: ReadonlyArray<WarningSeverity>): WarningSeverity =>
  severities.reduce(Order.max(bySeverity), "info")

const bySeverity: Order.Order<WarningSeverity> = Order.mapInput(Order.number, (severity) =>
  WarningSeverity.literals.indexOf(severity)
)

/** The warnings to acknowledge unless their plan lowers them: mail, a website or much of a zone may stop. */
export const seriousByDefault: ReadonlySet<Warning> = new Set<Warning>([
  "plan_large_deletion",
  "website_replaced",
  "mx_replaced",
  "mail_records_removed",
  "mail_target_changed",
  "tls_policy_mismatch",
  "dkim_key_replaced",
  "dkim_key_removed",
  "spf_include_broken",
  "spf_excludes_existing_mail",
  "spf_lookup_limit_exceeded",
  "dmarc_policy_weakened",
  "dmarc_policy_strengthened",
  "cname_removed",
  "delegation_replaced",
  "ns_delegation_hides_records",
  "wildcard_hidden"
])

const informative: ReadonlySet<Warning> = new Set<Warning>([
  "spf_record_merged",
  "spf_existing_sufficient",
  "spf_duplicates_collapsed",
  "dmarc_existing_preserved",
  "dmarc_inherited_from_root",
  "dmarc_duplicates_collapsed",
  "dmarc_tag_deprecated",
  "caa_existing_sufficient",
  "caa_not_needed",
  "apex_cname_flattened",
  "proxied_record_present",
  "ttl_adjusted",
  "txt_value_split",
  "record_repeated"
])

/** The meaning of each warning of a plan, in one sentence for the operator: in the API, the command line and the docs. */
export const warningMeanings: { readonly [_ in Warning]: string } = {
  name_servers_disagree: "The name servers of the zone return different records, so the answer depends on the server.",
  spf_record_merged: "The new senders are added to the existing SPF record, because a host may have only one.",
  spf_existing_sufficient: "The existing SPF record already permits the desired senders, so it stays as it is.",
  spf_policy_replaced: "The result for senders that the SPF record does not list changes.",
  spf_duplicates_collapsed:
    "The host has several SPF records, which makes all of them invalid; they are merged into one.",
  spf_lookup_limit_exceeded:
    "The SPF record exceeds a limit of RFC 7208 section 4.6.4 (10 look-ups, 2 void look-ups, 10 names of an MX): it may fail.",
  spf_lookup_unknown:
    "Not every name in the SPF record could be looked up, so it is unknown whether it exceeds a limit.",
  spf_include_broken:
    "A name that the SPF record includes or redirects to has no valid SPF record, which makes the whole record fail.",
  spf_existing_invalid_replaced: "The existing SPF record is invalid; its invalid terms are removed.",
  spf_excludes_existing_mail:
    "This host receives mail elsewhere and had no SPF record, so the new one ends in ~all and does not reject other senders.",
  spf_allows_all:
    "The SPF record, or one that it redirects to or includes, ends in +all or has a network of all addresses: everybody may send in the name of the domain.",
  dmarc_existing_preserved: "The existing DMARC record is valid and stays unchanged.",
  dmarc_existing_invalid_replaced: "The existing DMARC record is invalid and is replaced.",
  dmarc_policy_weakened: "The DMARC policy becomes looser: more mail that fails the checks is delivered.",
  dmarc_policy_strengthened: "The DMARC policy becomes stricter: mail from senders that are not set up may be lost.",
  dmarc_inherited_from_root: "The new DMARC record is copied from that of a parent domain.",
  dmarc_duplicates_collapsed:
    "The host has several DMARC records, which makes all of them invalid; one is left: the valid one with the loosest policy, with the changes of the intent.",
  dmarc_tag_deprecated: "The DMARC record has a tag that RFC 9989 removed: pct, rf or ri.",
  dkim_key_replaced: "A DKIM key is replaced: mail signed with the old one can no longer be verified.",
  dkim_key_removed: "A DKIM key is removed: mail signed with it can no longer be verified.",
  caa_blocks_issuance: "The CAA records will not allow a desired certificate authority to issue.",
  caa_set_created: "From now on, only the certificate authorities in the CAA records may issue for this name.",
  caa_existing_sufficient: "The relevant CAA records already allow a desired issuer, so none is added for it.",
  caa_not_needed: "No CAA record restricts who may issue certificates for the name, so a desired one is not added.",
  caa_lookup_unknown: "Not every relevant CAA record could be looked up, so it is unknown who may issue.",
  cname_replaces_records: "A CNAME must be the only record at its host, so all others there are removed.",
  cname_removed: "A CNAME is removed, because it cannot coexist with the desired records at its host.",
  address_records_replaced: "The addresses of a host are replaced: web and other traffic reaches other servers.",
  website_replaced: "The host leads elsewhere: the website or service that answers there today is replaced.",
  mx_replaced: "Mail for the host will be delivered to other servers, or to another one first.",
  mail_records_removed: "Records that mail depends on are removed: mail for the host may stop.",
  mail_target_changed:
    "A host that mail depends on leads elsewhere: an MX, SRV or SPF record or the alias of a DKIM key or DMARC policy points to it, or it receives mail without an MX.",
  mx_target_unusable:
    "An MX leads to an alias, or to a host without an address: some senders or all of them deliver nothing (RFC 2181 section 10.3, RFC 5321 section 5.1).",
  null_mx_sender:
    "A domain that says by a null MX that it receives no mail becomes a sender: many receivers refuse its mail (RFC 7505 section 4.2).",
  tls_policy_mismatch:
    "The MTA-STS policy or a TLSA record of a mail server no longer fits the MX or its address: mail may be refused.",
  service_record_replaced:
    "A record by which programs find a service, renew a certificate or learn a policy of mail is replaced or removed.",
  ns_target_changed: "A host that is the name of a name server gets other addresses.",
  ns_delegation_hides_records: "Records at or below a host that becomes delegated are no longer served.",
  delegation_replaced: "The name servers of a delegated host, or of the zone itself, are replaced.",
  apex_cname_flattened: "The provider answers at the apex with the addresses of the CNAME's target.",
  record_not_served:
    "A record is stored but not served: the servers answer every question at the apex with a CNAME, or the zone flattens the CNAME of a key or policy.",
  wildcard_hidden: "A wildcard no longer answers for a name, because records are created at or below that name.",
  proxied_record_present:
    "The provider answers for the host with addresses of its own (a proxy) and continues to do so.",
  ttl_adjusted:
    "A TTL differs from the desired one: the provider cannot store that, or records of one type at a host have one TTL, the lowest.",
  txt_value_split: "A text is longer than 255 bytes and is stored as several strings; nothing is lost.",
  host_repeats_domain:
    "A host repeats the first labels of the domain: `www` in `www.example.com` is `www.www.example.com`. For the domain itself the host is `@`.",
  record_repeated: "The intent has the same record more than once; it is taken once.",
  optional_record_skipped: "An optional record cannot be planned and is left out.",
  dnssec_signed_zone: "The zone is signed with DNSSEC; its provider must sign each change.",
  multi_provider_ns: "The name servers belong to several providers; each change must be made at all of them.",
  ns_parent_child_mismatch: "The parent zone and the zone itself list different name servers.",
  other_connection_affected: "Another connection needs a record that is removed or changed.",
  control_not_proven: "Nobody has proven control of the domain, or of one of its hosts.",
  plan_large_deletion: "More than 30 % of the zone is removed, or its own name servers change.",
  provider_zone_differs_from_public_dns: "The zone at the provider differs from what the public DNS answers.",
  lookup_unknown:
    "Not every record that could matter was answered: another warning may be missing. Serious where a change could hide or replace such a record."
}
