import { Order } from "effect"
import { type Plan, type Warning, WarningSeverity } from "./Plan.ts"
import { blockingWarnings } from "./blockingWarnings.ts"

/** The severity of a warning of a plan; exactly the serious ones must be acknowledged. */
export const severityIn = (plan: Pick<Plan, "warningDetails">, warning: Warning): WarningSeverity =>
  plan.warningDetails?.find(({ code }) => code === warning)?.severity ?? severityOf(warning)

/** The severity of a warning, unless its plan says that it is less grave there. */
export const severityOf = (warning: Warning): WarningSeverity =>
  blockingWarnings.has(warning) ? "serious" : informative.has(warning) ? "info" : "caution"

/** The gravest of some severities; `info` if there is none. */
export const findGravest = (severities: ReadonlyArray<WarningSeverity>): WarningSeverity =>
  severities.reduce(Order.max(byGravity), "info")

const byGravity: Order.Order<WarningSeverity> = Order.mapInput(Order.number, (severity) =>
  WarningSeverity.literals.indexOf(severity)
)

const informative: ReadonlySet<Warning> = new Set<Warning>([
  "spf_record_merged",
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
