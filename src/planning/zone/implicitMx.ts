import { isAddressOrAliasRole } from "../RecordRole.ts"
import { isServiceHost, isWildcard, type LiveRecord } from "./LiveZone.ts"

/** Whether a host receives mail at its own addresses because it has no MX: an implicit MX (RFC 5321 section 5.1). */
export const hasImplicitMx = (host: string, records: ReadonlyArray<LiveRecord>): boolean =>
  !isWildcard(host) && mayHaveImplicitMx(host, records)

/** The same for a wildcard too: whether the names for which it answers do. */
export const mayHaveImplicitMx = (host: string, records: ReadonlyArray<LiveRecord>): boolean =>
  !isServiceHost(host) &&
  records.some(({ role }) => isAddressOrAliasRole(role)) &&
  !records.some(({ role }) => role === "MX")
