import { Order } from "effect"
import { type Plan, type Warning, WarningSeverity } from "./Plan.ts"

/** The severity of a warning of a plan; exactly the serious ones must be acknowledged. */
export const severityIn = (plan: Pick<Plan, "warningDetails">, warning: Warning): WarningSeverity =>
  plan.warningDetails?.find(({ code }) => code === warning)?.severity ?? severityOf(warning)

/** The severity of a warning, unless its plan gives it a lower one. */
export const severityOf = (warning: Warning): WarningSeverity =>
  seriousByDefault.has(warning) ? "serious" : informative.has(warning) ? "info" : "caution"

/** The highest of some severities; `info` if there is none. */
export const findHighestSeverity = (severities: ReadonlyArray<WarningSeverity>): WarningSeverity =>
  severities.reduce(Order.max(bySeverity), "info")

const bySeverity: Order.Order<WarningSeverity> = Order.mapInput(Order.number, (severity) =>
  WarningSeverity.literals.indexOf(severity)
)

/**
 * The warnings about possible loss of mail, of a website or of much of a zone. They must be acknowledged with the approval,
 * unless their plan gives them a lower severity.
 */
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
  "txt_value_split"
])
