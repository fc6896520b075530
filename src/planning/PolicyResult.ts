import type { Option } from "effect"
import type { DnsRecord } from "../domain/records/DnsRecord.ts"
import type { Warning } from "../domain/plan/Warning.ts"
import type { LookupQuestion } from "./DnsLookup.ts"
import type { RefusalCode } from "./RecordRefusal.ts"

/** The result of planning the SPF, DMARC or CAA records of one host. */
export interface PolicyResult {
  /** The records that replace the desired ones: merged with existing records, completed, or none. */
  readonly records: ReadonlyArray<DnsRecord>
  readonly warnings: ReadonlyArray<Warning>
  /** The findings on some of the warnings. */
  readonly findings?: ReadonlyArray<PolicyFinding>
  /** The questions whose answers were needed and are not known. */
  readonly unanswered: ReadonlyArray<LookupQuestion>
  /** Why the desired records cannot be planned at all. */
  readonly refusal: Option.Option<RefusalCode>
}

/** A sentence for the operator about a warning of this very plan. */
interface PolicyFinding {
  readonly warning: Warning
  readonly finding: string
}
