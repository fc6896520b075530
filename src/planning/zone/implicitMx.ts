import { isAddressOrAliasRole } from "../RecordRole.ts"
import { isServiceHost, isWildcard, type LiveRecord } from "./LiveZone.ts"

/** Whether a host receives mail at its own addresses because it has no MX: an implicit MX (RFC 5321 section 5.1). */
export const hasImplicitMx = (host: string, records: ReadonlyArray<LiveRecord>): boolean =>
  !isServiceHost(host) &&
  !isWildcard(host) &&
  records.some(({ role }) => isAddressOrAliasRole(role)) &&
  !records.some(({ role }) => role === "MX")
