import type { FailureCode } from "./Connection.ts"

/** The meaning of each failure, in one sentence for the operator: in the API, the command line and the docs. */
export const failureMeanings: { readonly [_ in FailureCode]: string } = {
  domain_not_registered: "The registry says that the domain does not exist.",
  caa_host_is_cname: "A CAA record is desired at a host that holds a CNAME, which allows no other record.",
  domain_has_no_nameservers: "The domain is registered, and is not delegated to any name server.",
  zone_not_found: "The domain is delegated, and none of its name servers serves the zone.",
  discovery_timeout: "A server that is needed for the plan gave no usable answer in time.",
  provider_unavailable: "The provider cannot be reached, or reports a fault of its own.",
  provider_rate_limited: "The provider limits the rate of calls.",
  authorization_denied: "The customer, or the provider, denied the authorization.",
  authorization_expired: "The authorization ran out before it was used, or was not completed in time.",
  authorization_revoked: "The authorization was revoked at the provider.",
  authorization_insufficient_scope: "The credential does not allow reading and changing the zone.",
  authorization_zone_mismatch: "The account of the credential does not hold the zone to which the domain is delegated.",
  credential_invalid: "The provider does not accept the credential.",
  account_not_entitled: "The customer's account or tariff at the provider does not include access for programs.",
  provider_snapshot_timeout: "The provider took too long to send the zone.",
  provider_snapshot_failed: "The provider sent an answer that cannot be read as a zone.",
  zone_too_large:
    "The zone is larger than the service plans from: more than 32 MiB as the provider sends it, more than 500,000 records, or an RRset that no DNS message of 65,535 bytes can hold.",
  provider_zone_locked: "The provider has locked the zone against changes.",
  provider_record_locked: "The provider has locked one of the records against changes.",
  cname_loop:
    "With the records of the zone, a desired CNAME leads back to itself, or into a loop of CNAMEs: its host would never resolve.",
  apex_cname_unsupported: "A CNAME is desired at the apex, and the provider cannot flatten it.",
  record_type_unsupported: "The provider cannot store a desired type of record.",
  record_value_rejected: "The provider cannot store a desired value.",
  spf_merge_impossible:
    "With the desired senders, the SPF record would point to a name without a valid SPF record, or pass a limit of receivers (RFC 7208 section 4.6.4).",
  host_delegated_elsewhere: "The host of a desired record is delegated to another zone.",
  plan_too_large:
    "The plan would be larger than the service keeps and shows: more than 1,000 changes, or more than 2 MiB.",
  apply_timeout: "The provider took too long to answer a write; a retry first reads what was written.",
  apply_rejected: "The provider refused the changes.",
  apply_partial: "Some changes were written and others were not; a retry plans what is missing.",
  verification_timeout: "Not every server showed the written records in time.",
  verification_mismatch: "The name servers show other records than the written ones.",
  manual_setup_timeout: "The customer did not enter the records in time.",
  control_unproven: "The records are in place, but nobody proved control of the domain in time.",
  control_lost: "Another customer of the application has taken hosts of this connection, and holds them now.",
  internal_error: "The service has a defect; its log has the cause."
}
