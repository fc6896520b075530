import type { FailureCode } from "../domain/Connection.ts"
import type { Wanted } from "./Wanted.ts"

/** Why a wanted record cannot be planned. */
export interface Refusal {
  readonly code: FailureCode
  readonly wanted: Wanted
}

/** The rule behind a refusal, in a sentence for people. */
export const ruleOf = (code: FailureCode): string => rules[code] ?? "the record cannot be planned"

const rules: { readonly [_ in FailureCode]?: string } = {
  host_delegated_elsewhere:
    "NS or DNAME records of the zone give this host to other name servers: a record here would never be served",
  apex_cname_unsupported:
    "a CNAME at the apex of a zone needs a provider that flattens it (cnameFlattening): SOA and NS stand there too (RFC 1034 section 3.6.2)",
  record_type_unsupported: "the provider cannot store such a record at this host",
  caa_host_is_cname: "the host is a CNAME, whose target answers for CAA too (RFC 8659 section 3)",
  spf_merge_impossible:
    "with this record the SPF policy would need more than the 10 look-ups that receivers make (RFC 7208 section 4.6.4)",
  discovery_timeout: "what stands behind the CNAME at this host or above it is not known"
}
