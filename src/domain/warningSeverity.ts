import { Schema } from "effect"
import type { Warning } from "./Plan.ts"
import { blockingWarnings } from "./blockingWarnings.ts"

/**
 * How grave a warning is. `serious`: mail, a website or much of a zone may stop, so that it must be acknowledged.
 * `caution`: somebody may have to act. `info`: good to know.
 */
export const WarningSeverity = Schema.Literal("info", "caution", "serious").annotations({
  identifier: "WarningSeverity",
  description:
    "`serious`: mail, a website or much of a zone may stop. `caution`: somebody may have to act. `info`: good to know."
})
export type WarningSeverity = typeof WarningSeverity.Type

/** The severity of a warning; exactly the serious ones must be acknowledged. */
export const severityOf = (warning: Warning): WarningSeverity =>
  blockingWarnings.has(warning) ? "serious" : informative.has(warning) ? "info" : "caution"

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
