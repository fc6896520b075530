import type { RecordType } from "../domain/DnsRecord.ts"
import { liveRoleOf, roleOf } from "./RecordRole.ts"
import { isConflicting } from "./changes/conflicts.ts"

/**
 * The live types that a wanted record concerns at its host, and that a reader of the public DNS therefore asks for: its
 * own, those it may replace, and below the apex NS, which would delegate the host away.
 */
export const relevantTypes = (type: RecordType, isApex: boolean): ReadonlyArray<(typeof queryableTypes)[number]> => {
  const wanted = roleOf(type, isApex)
  return queryableTypes.filter((live) => {
    const role = liveRoleOf(live, isApex)
    return role === wanted || role === "DELEGATION" || isConflicting(wanted, role)
  })
}

/** What stands at ordinary hosts and can be asked for, in the order of asking. */
export const queryableTypes = [
  "A",
  "AAAA",
  "CNAME",
  "MX",
  "TXT",
  "NS",
  "SRV",
  "CAA",
  "HTTPS",
  "SVCB",
  "DNAME",
  "DS",
  "LOC",
  "NAPTR",
  "PTR",
  "SSHFP",
  "TLSA",
  "URI",
  "HINFO",
  "RP",
  "AFSDB",
  "KX",
  "CERT",
  "IPSECKEY",
  "DHCID",
  "SMIMEA",
  "OPENPGPKEY",
  "SPF",
  "EUI48",
  "EUI64"
] as const
