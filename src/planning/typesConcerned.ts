import type { RecordType } from "../domain/DnsRecord.ts"
import { excludes } from "./changes/conflicts.ts"
import { liveRoleOf, roleOf } from "./Role.ts"

/**
 * The live types that a wanted record concerns at its host, and that a reader of the public DNS therefore asks for: its
 * own, those it may replace, and below the apex NS, which would delegate the host away.
 */
export const typesConcerned = (type: RecordType, isApex: boolean): ReadonlyArray<(typeof askable)[number]> => {
  const wanted = roleOf(type, isApex)
  return askable.filter((live) => {
    const role = liveRoleOf(live, isApex)
    return role === wanted || role === "DELEGATION" || excludes(wanted, role)
  })
}

/** What stands at ordinary hosts and can be asked for, in the order of asking. */
export const askable = [
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
