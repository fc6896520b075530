import { isServiceHost, isWildcard, type LiveRecord } from "./LiveZone.ts"

/** Whether a host receives mail at its own addresses because it has no MX: an implicit MX (RFC 5321 section 5.1). */
export const hasImplicitMx = (host: string, records: ReadonlyArray<LiveRecord>): boolean =>
  !isServiceHost(host) && !isWildcard(host) && records.some(isAddress) && !records.some(({ role }) => role === "MX")

const isAddress = ({ role }: LiveRecord): boolean => role === "A" || role === "AAAA" || role === "ALIAS"
