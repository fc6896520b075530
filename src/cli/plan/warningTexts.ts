import type { Warning } from "../../domain/Plan.ts"

/** What each warning of a plan means, in one sentence for whoever approves it. */
export const warningTexts: { readonly [_ in Warning]: string } = {
  name_servers_disagree: "The name servers of the zone hold different records, so what the world sees depends on luck.",
  spf_record_merged: "The new senders were added to the SPF record that is there, since a host may have only one.",
  spf_policy_replaced: "What happens to mail from senders that SPF does not list changes.",
  spf_duplicates_collapsed: "Several SPF records stood at one host, which makes all of them void; they become one.",
  spf_lookup_limit_exceeded:
    "The SPF record passes a limit of RFC 7208 section 4.6.4 (10 look-ups, 2 void look-ups, 10 names of an MX): it may fail.",
  spf_lookup_unknown:
    "Not everything that the SPF record points to could be looked up, so it is not known whether it passes a limit.",
  spf_include_broken:
    "A name that the SPF record includes or redirects to has no valid SPF record, which makes the whole fail.",
  spf_existing_invalid_replaced: "The SPF record that is there is broken; what of it makes no sense is left out.",
  spf_excludes_existing_mail:
    "This host receives mail elsewhere and had no SPF record, so the new one ends in ~all: other senders are not cut off.",
  spf_allows_all: "The SPF record that is there ends in +all, which lets everybody send in the name of the domain.",
  dmarc_existing_preserved: "The DMARC record that is there is valid and stays as it is.",
  dmarc_existing_invalid_replaced: "The DMARC record that is there is not valid and is replaced.",
  dmarc_policy_weakened: "The DMARC policy becomes looser: more mail that fails the checks will be let through.",
  dmarc_policy_strengthened: "The DMARC policy becomes stricter: mail of senders that are not set up may be lost.",
  dmarc_inherited_from_root: "The new DMARC record is made from the one of a domain above.",
  dmarc_duplicates_collapsed: "Several DMARC records stood at one host, which makes all of them void; they become one.",
  dmarc_tag_deprecated: "The DMARC record has a tag that RFC 9989 no longer knows: pct, rf or ri.",
  dkim_key_replaced: "A DKIM key goes or is replaced: mail that is signed with it can no longer be checked.",
  caa_blocks_issuance: "By the CAA records, a certificate authority that is wanted will not be able to issue.",
  caa_set_created: "From now on, only the certificate authorities in the CAA records may issue for this name.",
  caa_existing_sufficient:
    "The CAA records that count already allow an issuer that is wanted, so that none is added for it.",
  caa_lookup_unknown: "Not every CAA record that counts could be looked up, so it is not known who may issue.",
  cname_replaces_records: "A CNAME has to stand alone, so that everything else at its host goes.",
  cname_removed: "A CNAME goes, since it cannot stand beside what is wanted at its host.",
  address_records_replaced: "Addresses at a host are replaced: web and other traffic goes elsewhere.",
  mx_replaced: "Mail for the host will be delivered to other servers.",
  mail_records_removed: "Records that mail depends on go: mail of the host may stop.",
  mail_target_changed: "A host that an MX, SRV or SPF record points to gets other addresses.",
  ns_target_changed: "A host that is the name of a name server gets other addresses.",
  ns_delegation_hides_records: "Records at or below a host that is delegated elsewhere are no longer served.",
  delegation_replaced: "The name servers of a delegated host, or of the zone itself, are replaced.",
  apex_cname_flattened: "The provider answers at the apex with the addresses of the CNAME's target.",
  wildcard_hidden: "A wildcard answers today for a name that comes into being, and will answer for it no more.",
  proxied_record_present:
    "The provider answers for the host with addresses of its own (a proxy), and goes on to do so.",
  ttl_adjusted: "The provider cannot store the TTL that is wanted; the nearest that it can takes its place.",
  txt_value_split: "A text is longer than 255 bytes and is stored in several parts; nothing is lost.",
  optional_record_skipped: "An optional record cannot be planned and is left out.",
  dnssec_signed_zone: "The zone is signed with DNSSEC; whoever changes it has to sign it again.",
  multi_provider_ns: "The name servers belong to several providers; each change has to be made at all of them.",
  ns_parent_child_mismatch: "The zone above and the zone itself name different name servers.",
  other_connection_affected: "Another connection wants a record that goes or changes.",
  control_not_proven: "It is not proven that whoever asks has control of the domain.",
  plan_large_deletion: "More than 30 % of the zone goes, or its own name servers change.",
  provider_zone_differs_from_public_dns: "What the provider has stored is not what the public DNS answers."
}
