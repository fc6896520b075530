import type { FailureCode } from "../domain/connection/Connection.ts"
import type { DesiredRecord } from "./DesiredRecord.ts"

export interface RecordRefusal {
  readonly code: RefusalCode
  readonly desired: DesiredRecord
}

export type RefusalCode = Extract<
  FailureCode,
  | "host_delegated_elsewhere"
  | "apex_cname_unsupported"
  | "record_type_unsupported"
  | "caa_host_is_cname"
  | "cname_loop"
  | "spf_merge_impossible"
  | "discovery_timeout"
  | "plan_too_large"
>

/** The rule behind each refusal, as a sentence for people. */
export const refusalRules: { readonly [_ in RefusalCode]: string } = {
  host_delegated_elsewhere:
    "NS or DNAME records give this host to other name servers: a record here would never be served",
  apex_cname_unsupported:
    "a CNAME at the apex of a zone needs a provider that flattens it (cnameFlattening): SOA and NS stand there too (RFC 1034 section 3.6.2)",
  record_type_unsupported: "the provider cannot store such a record at this host",
  caa_host_is_cname: "the host is a CNAME, whose target answers for CAA too (RFC 8659 section 3)",
  cname_loop: "the CNAME leads into a loop of CNAMEs: its host would never resolve (RFC 1034 section 3.6.2)",
  spf_merge_impossible:
    "with this record the SPF policy would point to a name without a valid SPF record, or pass a limit of receivers: 10 look-ups, 2 of them void, 10 names of an MX (RFC 7208 section 4.6.4)",
  plan_too_large:
    "this host has most of the records, and the plan would change more than 1,000 records, or take more than 2 MiB",
  discovery_timeout:
    "the DNS does not tell what the record depends on: what is behind the CNAME at its host, or the DMARC policy above it"
}
