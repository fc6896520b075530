import type { FailureCode } from "./Connection.ts"

/** The meaning of each failure and what to do next, for the operator: in the API, the command line and the docs. */
export const failureMeanings: { readonly [_ in FailureCode]: string } = {
  domain_not_registered:
    "The registry says that the domain does not exist. Check its spelling; a new domain can be tried again after an hour.",
  caa_host_is_cname:
    "A CAA record is desired at a host that holds a CNAME, which allows no other record. Ask for the CAA record at another host, or leave it out.",
  domain_has_no_nameservers:
    "The domain is registered, and is not delegated to any name server. The owner sets name servers at the registrar; then retry.",
  zone_not_found:
    "The domain is delegated, and none of its name servers serves the zone. The owner adds the zone at the provider that the registrar names; then retry.",
  discovery_timeout:
    "A server that is needed for the plan gave no usable answer in time. Retry; if it comes again, `failure.details` names what did not answer.",
  provider_unavailable: "The provider cannot be reached, or reports a fault of its own. Retry later.",
  provider_rate_limited: "The provider limits the rate of calls. Retry later.",
  authorization_denied: "The customer, or the provider, denied the authorization. Authorize again, or choose `manual`.",
  authorization_expired: "The authorization ran out before it was used, or was not completed in time. Authorize again.",
  authorization_revoked: "The authorization was revoked at the provider. Authorize again.",
  authorization_insufficient_scope:
    "The credential does not allow reading and changing the zone. Authorize with a credential that may do both.",
  authorization_zone_mismatch:
    "The account of the credential does not hold the zone to which the domain is delegated. Authorize with the account that holds the zone, or choose `manual`.",
  credential_invalid: "The provider does not accept the credential. Authorize with another credential.",
  account_not_entitled:
    "The customer's account or tariff at the provider does not include access for programs, or the domain has it switched off. Choose `manual`, or the customer changes that at the provider and authorizes again.",
  provider_snapshot_timeout: "The provider took too long to send the zone. Retry, or choose `manual`.",
  provider_snapshot_failed:
    "The provider sent an answer that cannot be read as a zone. Retry, or choose `manual`; the log has what was sent.",
  zone_too_large:
    "The zone is larger than the service plans from: more than 32 MiB as the provider sends it, more than 500,000 records, or an RRset that no DNS message of 65,535 bytes can hold. Choose `manual`; a retry helps once the zone is smaller.",
  provider_zone_locked:
    "The provider has locked the zone against changes. The customer unlocks it there; then retry, or choose `manual`.",
  provider_record_locked:
    "The provider has locked one of the records against changes. The customer unlocks it there, then retry; or choose `manual`.",
  cname_loop:
    "With the records of the zone, a desired CNAME leads back to itself, or into a loop of CNAMEs: its host would never resolve. Change the record of the intent or the one of the zone.",
  apex_cname_unsupported:
    "A CNAME is desired at the apex, and the provider cannot flatten it. Send `alternatives` with the record: the addresses to write there instead.",
  record_type_unsupported:
    "The provider cannot store a desired type of record. Choose `manual` at another provider, or make the record `optional`.",
  record_value_rejected:
    "The provider cannot store a desired value, or it is not known how. Choose `manual`, change the value, or make the record `optional`.",
  spf_merge_impossible:
    "With the desired senders, the SPF record would point to a name without a valid SPF record, or pass a limit of receivers (RFC 7208 section 4.6.4). Ask for fewer senders, or the owner removes some.",
  host_delegated_elsewhere:
    "The host of a desired record is delegated to another zone. Connect that zone as a domain of its own.",
  plan_too_large:
    "The plan would be larger than the service keeps and shows: more than 1,000 changes, or more than 2 MiB. Split the intent into several connections.",
  apply_timeout: "The provider took too long to answer a write; a retry first reads what was written.",
  apply_rejected:
    "The provider refused the changes, and nothing of the plan was written. `failure.details` has the reason: retry once it is gone, choose `manual`, or change the intent.",
  apply_partial:
    "Some changes were written and others were not, as `failure.details` says. Retry, or choose `manual`: both plan what is missing.",
  verification_timeout: "Not every server showed the written records in time. Retry: the check begins anew.",
  verification_mismatch:
    "The name servers show other records than the written ones. Retry: a new plan shows what differs.",
  manual_setup_timeout: "The customer did not enter the records in time. Retry: the customer sees the records again.",
  control_unproven:
    "The records are in place, but nobody proved control of the domain in time. Retry: the challenge is asked for again.",
  control_lost:
    "Another customer of the application has taken hosts of this connection, and holds them now. Where that is a mistake, retry: a new plan asks for a new challenge, which only the owner of the zone can enter.",
  internal_error: "The service has a defect; its log has the cause. Report it with the id of the connection."
}
