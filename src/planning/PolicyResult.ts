import type { Option } from "effect"
import type { DnsRecord } from "../domain/DnsRecord.ts"
import type { Warning } from "../domain/Plan.ts"
import type { LookupQuestion } from "./DnsLookup.ts"
import type { RefusalCode } from "./RecordRefusal.ts"

/** What a rule of its own (SPF, DMARC, CAA) makes of the wanted records of one kind at one host. */
export interface PolicyResult {
  /** What must be there afterwards in their place: merged, completed, or nothing. */
  readonly records: ReadonlyArray<DnsRecord>
  readonly warnings: ReadonlyArray<Warning>
  /** What had to be looked up and is not known. */
  readonly unanswered: ReadonlyArray<LookupQuestion>
  /** Why the wanted records cannot be planned at all. */
  readonly refusal: Option.Option<RefusalCode>
}
