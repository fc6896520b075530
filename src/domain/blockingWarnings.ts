import type { Warning } from "./Plan.ts"

/** The warnings about possible loss of mail, of a website or of much of a zone, which must be acknowledged with the approval. */
export const blockingWarnings: ReadonlySet<Warning> = new Set<Warning>([
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
